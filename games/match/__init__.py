"""One match of any game: seats, clocks, proposals, undo, leaving, the seed.

A match is itself a decider: `decide` turns a command into events, `fold` applies a record, `legal`
lists what may be sent. `model` has the types.
"""
