"""Write the tampered files: `python -m tests.tampered FOLDER`."""

import sys
from pathlib import Path

from tests.tampered.corpus import write

if len(sys.argv) != 2:
    sys.exit("Usage: python -m tests.tampered FOLDER")
print(f"{len(write(Path(sys.argv[1])))} files")
