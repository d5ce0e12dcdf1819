"""Read the errata of a match, as far as they count."""

import asyncio
from collections.abc import Sequence

from events.checkpoints.leaves import PlacedLeaf
from events.checkpoints.reader import LogBroken
from events.checkpoints.tiles import BadTile
from events.codec import Unreadable, unseal_header
from events.errata import SignedErratum, trusted
from events.folder import Folder
from events.tiered_store import TieredStore
from replay.committed import published_leaves
from service.base.keys import Keys
from service.base.settings import Settings


async def errata_of(
    store: TieredStore, keys: Keys, settings: Settings, match: str
) -> list[SignedErratum]:
    """Return the errata of a match that this service signed and committed to.

    Raises `Unavailable`.
    """
    if not (lines := await store.errata(match)):
        return []
    secret = secret_of(keys, await store.read(match, 0, 1))
    return trusted(lines, keys.ring, await committed_leaves(settings, keys, match, secret))


async def committed_leaves(
    settings: Settings, keys: Keys, match: str, secret: bytes
) -> list[PlacedLeaf] | None:
    """Return the leaves that the checkpoint log has of a match that has ended.

    None if the log is not at hand: there is none, nothing is published, or it is broken. Raises
    `Unavailable`.
    """
    if (place := settings.checkpoints_place) is None:
        return None
    log = keys.checkpoint_signer(settings.checkpoint_origin).verifier
    try:
        return await asyncio.to_thread(published_leaves, Folder(place), log, match, secret)
    except (BadTile, LogBroken):
        return None


def secret_of(keys: Keys, lines: Sequence[bytes]) -> bytes:
    """Return the service seed of a match that was created with these keys, or b""."""
    try:
        (header,) = unseal_header(lines[0]).events
        ours = keys.ring.find(header.service) is not None
        return keys.service_seed(header.match, header.key) if ours else b""
    except (Unreadable, IndexError, KeyError, ValueError):
        return b""
