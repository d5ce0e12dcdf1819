"""The HTTP calls of design §6: thin handlers, one file per concern."""
