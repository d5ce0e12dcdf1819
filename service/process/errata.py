"""Apply the errata of the archive to the rows of their matches."""

from events.errata import SignedErratum, trusted
from events.tiered_store import TieredStore
from games import GAMES
from projections.rebuild import summarise
from projections.rows import Rows
from service.base.keys import Keys
from service.process.context import Context


async def all_errata(store: TieredStore, keys: Keys) -> dict[str, list[SignedErratum]]:
    """Return by match all errata that this service signed. Raises `Unavailable`."""
    if store.archive is None:
        return {}
    matches = await store.archive.with_errata()
    return {match: trusted(await store.errata(match), keys.ring) for match in matches}


async def correct_row(context: Context, match: str) -> None:
    """Write the row of a match anew, with its errata.

    Raises `NoRows`, `RedisError`, `OSError`, `Stopped`, `Unavailable`.
    """
    lines = await context.store.read(match)
    errata = trusted(await context.store.errata(match), context.keys.ring)
    await Rows(context.work).apply(summarise(GAMES, match, lines, errata))
