"""The rules by phase and concept: what commands do, and questions about a state."""
