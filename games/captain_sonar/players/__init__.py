"""Players that need no person: bots, hints and sampled worlds."""
