"""Change a log as a forger would: with what bytes alone allow, or with the service's own keys."""

from collections.abc import Sequence
from typing import Any

import msgspec

from events.chain import Head, head_after, sign
from events.codec import unseal, unseal_header
from events.record import GENESIS
from games.match.digest import digest
from games.match.seed import salt
from projections.folded import Folded
from tests.recorder import SERVICE, SIGNING
from tests.replay.logs import ALL

Plain = dict[str, Any]


def opened(line: bytes) -> Plain:
    """Return a record's plain values, in the order of its bytes."""
    return msgspec.json.decode(line)


def changed(lines: Sequence[bytes], place: int, **values: Any) -> list[bytes]:
    """Change fields of one record, and nothing else."""
    record = opened(lines[place - 1])
    assert values.keys() <= record.keys()
    return [*lines[: place - 1], msgspec.json.encode(record | values), *lines[place:]]


def rechained(lines: Sequence[bytes], service_seed: bytes = b"") -> list[bytes]:
    """Count all records anew; with the secret, make their digests anew too."""
    if lines and "prev" in opened(lines[0]):
        return _rechained_1(lines, service_seed)
    numbered = [
        msgspec.json.encode(opened(line) | {"v": version})
        for version, line in enumerate(lines, start=1)
    ]
    return _digested(numbered, service_seed) if service_seed else numbered


def _digested(lines: Sequence[bytes], service_seed: bytes) -> list[bytes]:
    """Fold what was forged, as far as it can be folded, and name its states."""
    forged: list[bytes] = []
    folded: Folded | None = None
    head = GENESIS
    for line in lines:
        try:
            if not forged:
                folded = Folded.opened(ALL, unseal_header(line).events[0])
            if folded is not None:
                record = unseal(folded.match.game, folded.match.header, line)
                folded.extend(line, record)
                made = digest(folded.match, service_seed, head)
                line = msgspec.json.encode(opened(line) | {"digest": made})  # noqa: PLW2901
        except Exception:  # noqa: BLE001 - a forged record may break a game in any way
            folded = None
        head = head_after(2, head, line)
        forged.append(line)
    return forged


def _rechained_1(lines: Sequence[bytes], service_seed: bytes) -> list[bytes]:
    """Format 1: chain all records anew; with the secret, salt them anew too."""
    chained: list[bytes] = []
    prev = GENESIS
    for version, line in enumerate(lines, start=1):
        record = opened(line) | {"v": version, "prev": prev}
        if service_seed:
            record["salt"] = salt(service_seed, version)
        chained.append(msgspec.json.encode(record))
        prev = head_after(1, prev, chained[-1])
    return chained


def signed(lines: Sequence[bytes]) -> Head:
    """Sign a log with the service's key, whatever it says."""
    match = opened(lines[0])["events"][0]["match"]
    head = GENESIS
    record_format = 1 if "prev" in opened(lines[0]) else 2
    for line in lines:
        head = head_after(record_format, head, line)
    return sign(SIGNING, SERVICE, match, len(lines), head)
