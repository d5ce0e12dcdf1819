"""The audit of a file in a browser: `web/src/inspect/audit.worker.ts` calls it in Pyodide."""

from collections.abc import Callable

import msgspec

from events.keyring import Keyring, PublicKey
from games import GAMES
from replay.audit import Auditor
from replay.transfer import file_evidence

KEYS = msgspec.json.Decoder(tuple[PublicKey, ...])
STEP = 25
"""Number of records between two calls of `on_progress`."""


def audit_file(
    name: str, data: memoryview, keys: str, on_progress: Callable[[int, int], None]
) -> bytes:
    """Audit an exported file, and return the report as JSON.

    `keys` are the known public keys in JSON, as `GET /keys` lists them. `on_progress` is called
    with the number of audited records and of all records.
    """
    evidence = file_evidence(name, bytes(data))
    count = len(evidence.lines)
    ring = Keyring.checked(KEYS.decode(keys))
    auditor = Auditor(GAMES, evidence, redaction=True)
    for place, line in enumerate(evidence.lines):
        if place % STEP == 0:
            on_progress(place, count)
        auditor.read(line)
    return msgspec.json.encode(auditor.report(ring))
