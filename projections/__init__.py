"""What is read: folded matches, views of them, and the rows of lobby, histories, standings and deadlines."""
