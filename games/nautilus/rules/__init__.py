"""What commands do, by phase and concept, and questions about a state that several files ask."""
