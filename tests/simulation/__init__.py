"""The whole path in one process: a virtual clock, a seeded scheduler, and servers that fail.

The code of the service runs as it is, on an event loop (`loop`) whose network (`network`) leads to
models of the two Redis servers (`server`). A seed decides everything that is left to chance.
"""
