"""Keep a release as a fixture: `python -m tests.faults.releases REVISION NAME`."""

import sys

from tests.faults.releases import keep

revision, name = sys.argv[1:]
print(keep(revision, name))
