"""The calls of `python -m tests.record_examples`, by what they are about."""
