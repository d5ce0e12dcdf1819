"""Bots, and worlds sampled for them. No rule file imports from here."""
