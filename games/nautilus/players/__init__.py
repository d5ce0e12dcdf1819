"""Players of Nautilus: bots, hints and sampled worlds. No rule imports anything from here."""
