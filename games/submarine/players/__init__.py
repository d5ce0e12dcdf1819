"""Bots, hints, analyses and sampled worlds of Submarine."""
