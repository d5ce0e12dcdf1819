"""Apply the errata of the archive: to the checkpoint log, and to the rows of their matches."""

import asyncio
from collections.abc import Set as AbstractSet
from contextlib import suppress

from events.checkpoints.leaves import commitment
from events.checkpoints.log import CheckpointLog, Entry
from events.errata import SignedErratum, leaf_of, trusted
from events.folder import Folder, Swapped
from events.tiered_store import TieredStore
from games import GAMES
from games.match.seed import leaf_secret
from projections.refold import summarise
from projections.rows import Rows
from service.base.keys import Keys
from service.base.settings import Settings
from service.play.errata import errata_of, secret_of
from service.process.context import Context

ATTEMPTS = 10
"""Number of times that the checkpoint log is opened again after another process has grown it."""


async def all_errata(context: Context) -> dict[str, list[SignedErratum]]:
    """Return by match all errata that count. Raises `Unavailable`."""
    if context.store.archive is None:
        return {}
    matches = await context.store.archive.with_errata()
    parts = (context.store, context.keys, context.settings)
    return {match: await errata_of(*parts, match) for match in matches}


async def correct_row(context: Context, match: str) -> None:
    """Write the row of a match anew, with its errata.

    Raises `NoRows`, `RedisError`, `OSError`, `Stopped`, `Unavailable`.
    """
    lines = await context.store.read(match)
    errata = await errata_of(context.store, context.keys, context.settings, match)
    await Rows(context.work).apply(summarise(GAMES, match, lines, errata))


async def commit_errata(store: TieredStore, keys: Keys, settings: Settings, match: str) -> None:
    """Add the errata of a match to the checkpoint log, unless that has not begun.

    Raises `LogBroken`, `NoSuchPlace`, `Swapped`, `Unavailable`.
    """
    if (place := settings.checkpoints_place) is None:
        return
    signer = keys.checkpoint_signer(settings.checkpoint_origin)
    for _ in range(ATTEMPTS):
        with suppress(Swapped):
            log = await asyncio.to_thread(CheckpointLog, Folder(place), signer)
            if log.checkpoint.size and (
                entries := await errata_entries(store, keys, match, log.errata)
            ):
                await asyncio.to_thread(log.append, entries)
            return
    raise Swapped(f"{place}: other processes grew it {ATTEMPTS} times meanwhile")


async def errata_entries(
    store: TieredStore, keys: Keys, match: str, committed: AbstractSet[str]
) -> list[Entry]:
    """Return the entries of a match's errata whose digests are not committed to yet.

    An erratum without a valid signature gets none. Raises `Unavailable`.
    """
    secret = leaf_secret(secret_of(keys, await store.read(match, 0, 1)))
    lines = await store.errata(match)
    leaves = map(leaf_of, trusted(lines, keys.ring, None))
    return [
        Entry(commitment(secret, leaf), leaf)
        for leaf in leaves
        if leaf.match == match and leaf.head not in committed
    ]
