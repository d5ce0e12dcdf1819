"""The outside: HTTP, tokens, live updates, the worker, settings and the command line."""
