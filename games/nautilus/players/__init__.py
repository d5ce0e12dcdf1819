"""Players of Nautilus: the bot, the blueprint for searches and hints, and sampled worlds."""
