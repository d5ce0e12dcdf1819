"""Apply the errata of the archive to the rows of their matches."""

from collections.abc import Sequence
from contextlib import suppress

from events.errata import BadErratum, SignedErratum, decoded, objection
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
    return {match: signed_here(await store.errata(match), keys) for match in matches}


def signed_here(lines: Sequence[bytes], keys: Keys) -> list[SignedErratum]:
    """Return the errata that this service signed. An audit reports the others."""
    found: list[SignedErratum] = []
    for line in lines:
        with suppress(BadErratum):
            given = decoded(line)
            if objection(given, keys.ring) is None:
                found.append(given)
    return found


async def correct_row(context: Context, match: str) -> None:
    """Write the row of a match anew, with its errata.

    Raises `NoRows`, `RedisError`, `OSError`, `Stopped`, `Unavailable`.
    """
    lines = await context.store.read(match)
    errata = signed_here(await context.store.errata(match), context.keys)
    await Rows(context.work).apply(summarise(GAMES, match, lines, errata))
