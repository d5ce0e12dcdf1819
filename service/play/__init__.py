"""Play on top of the log: commands, match cache, projector, players, talk, bots, hints, lists."""
