"""A running process: its parts, their health and metrics, and the care of an installation."""
