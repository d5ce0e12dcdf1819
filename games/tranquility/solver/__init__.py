"""Whether a table can still be won when all cards are known."""
