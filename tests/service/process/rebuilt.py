"""Rows of all matches of a store."""

from games import GAMES
from projections.rebuild import rebuild
from projections.rows import Rows
from tests.projections.recorded import no_errata, unseen


async def built(store, work):
    rows = Rows(work)
    await rows.begin("current")
    await rebuild(store, GAMES, rows, unseen, no_errata)
