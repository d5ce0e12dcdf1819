"""The checkpoint log: an append-only Merkle tree over the heads of all matches.

It is kept apart from the log of the matches, and its signed checkpoints are public. Hashing is that
of RFC 9162, and the forms are those of C2SP (signed-note, tlog-checkpoint, tlog-tiles,
tlog-cosignature, tlog-proof), so that tools made for transparency logs can read it.
"""
