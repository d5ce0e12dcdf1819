"""Bots, hints and sampled worlds."""
