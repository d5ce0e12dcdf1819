"""Thousands of voyages played at once, as arrays: how `expert` looks ahead at calm tables."""
