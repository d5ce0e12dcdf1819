"""The log: records, their bytes, the hash chain, signatures, upcasting, stores and files."""
