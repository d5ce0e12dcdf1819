"""Play on top of the log: commands, the match cache, the projector, players, talk, bots, hints."""
