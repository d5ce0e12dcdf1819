"""Data for reading: folded matches, views, and the rows of lobby, histories and standings."""
