"""What commands do, by phase and concept."""
