"""A file in a browser: `web/src/inspect/audit.worker.ts` calls this module in Pyodide.

The page has no other rules. So it audits, explains and blames an uploaded log without the service.
"""

from collections.abc import Callable, Sequence
from importlib.metadata import entry_points

import msgspec

from events.codec import Unreadable, unseal_header
from events.keyring import Keyring, PublicKey
from games import GROUP, load_games
from replay.audit import Auditor
from replay.blame import blame
from replay.explain import explain
from replay.history import History
from replay.transfer import file_evidence
from replay.travel import Games

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
    auditor = Auditor(_games(evidence.lines), evidence, redaction=True)
    for place, line in enumerate(evidence.lines):
        if place % STEP == 0:
            on_progress(place, count)
        auditor.read(line)
    return msgspec.json.encode(auditor.report(ring))


def explain_record(data: memoryview, record: int) -> bytes:
    """Explain a record of an exported file, and return the explanation as JSON.

    Raises as `replay.explain.explain` does.
    """
    lines = _lines(data)
    return msgspec.json.encode(explain(History(_games(lines), lines), record))


def blame_place(data: memoryview, path: str, limit: int) -> bytes:
    """Find the records of an exported file that set a place of the game's state, as JSON.

    Raises as `replay.blame.blame` does.
    """
    lines = _lines(data)
    return msgspec.json.encode(blame(_games(lines), lines, "full", path, limit=limit))


def _lines(data: memoryview) -> Sequence[bytes]:
    """Return the readable records of a file, also if its signature is missing or wrong."""
    return file_evidence("upload", bytes(data), unsigned=True).lines


def _games(lines: Sequence[bytes]) -> Games:
    """Load the game of a log alone, since a browser takes long for all. Empty if it is not here."""
    try:
        slug = unseal_header(lines[0]).events[0].game
    except (IndexError, Unreadable):
        return {}
    declared = [entry for entry in entry_points(group=GROUP) if entry.name == slug]
    return load_games(declared) if declared else {}
