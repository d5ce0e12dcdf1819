"""The Redis servers that Shiplog starts itself unless URLs are set: files, start, supervision."""
