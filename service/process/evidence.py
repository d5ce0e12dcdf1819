"""Read the logs of a service for an audit, with everything that its secrets and store add."""

from collections.abc import Sequence

from events.codec import Unreadable, unseal_header
from events.store import Store
from replay.audit import Evidence
from service.base.keys import Keys


async def evidence_of(store: Store, keys: Keys, match: str, lines: Sequence[bytes]) -> Evidence:
    """Return the log of a match for an audit. Raises `Unavailable`."""
    parent = await parent_of(store, lines)
    return Evidence(match, lines, match=match, secret=secret_of(keys, lines), parent=parent)


async def parent_of(store: Store, lines: Sequence[bytes]) -> list[bytes]:
    """Return the log of a branch's parent; [] for other matches. Raises `Unavailable`."""
    try:
        fork = unseal_header(lines[0]).events[0].branch
    except (Unreadable, IndexError):
        return []
    return [] if fork is None else await store.read(fork.parent)


def secret_of(keys: Keys, lines: Sequence[bytes]) -> bytes:
    """Return the service seed of a match that was created with these keys, or b""."""
    try:
        (header,) = unseal_header(lines[0]).events
        ours = header.service == keys.service
        return keys.service_seed(header.match, header.key) if ours else b""
    except (Unreadable, IndexError, KeyError, ValueError):
        return b""
