"""What commands do, and the questions about a table that several files ask."""
