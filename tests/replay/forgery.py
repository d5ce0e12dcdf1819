"""Change a log as a forger would: with what bytes alone allow, or with the service's own keys."""

from collections.abc import Sequence
from typing import Any

import msgspec

from events.chain import Head, sign
from events.codec import digest
from events.record import GENESIS
from games.match.seed import salt
from tests.recorder import SERVICE, SIGNING

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
    """Count and chain all records anew; with the secret, salt them anew too."""
    chained: list[bytes] = []
    prev = GENESIS
    for version, line in enumerate(lines, start=1):
        record = opened(line) | {"v": version, "prev": prev}
        if service_seed:
            record["salt"] = salt(service_seed, version)
        chained.append(msgspec.json.encode(record))
        prev = digest(chained[-1])
    return chained


def signed(lines: Sequence[bytes]) -> Head:
    """Sign a log with the service's key, whatever it says."""
    match = opened(lines[0])["events"][0]["match"]
    return sign(SIGNING, SERVICE, match, len(lines), digest(lines[-1]))
