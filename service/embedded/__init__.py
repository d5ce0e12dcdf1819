"""The Redis servers that Shiplog starts itself when no URL is set: files, start, supervision."""
