"""The rules by concept: what commands do, what follows from them, and questions about a state."""
