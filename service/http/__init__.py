"""The HTTP API: one file for each resource, with thin handlers."""
