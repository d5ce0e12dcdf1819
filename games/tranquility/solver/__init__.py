"""A solver that knows all cards."""
