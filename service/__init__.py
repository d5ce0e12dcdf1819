"""The service: HTTP API, live updates, worker, embedded servers and command line."""
