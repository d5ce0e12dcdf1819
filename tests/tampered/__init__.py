"""Recorded matches as forgers change them, each with what an audit must say of it.

`python -m tests.tampered FOLDER` writes the files and `expected.json`. CLI, API and page must agree
on all of them.
"""

from tests.tampered.corpus import Tampered, corpus

__all__ = ["Tampered", "corpus"]
