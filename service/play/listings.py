"""Lists read from the projections: lobby, histories, standings. 503 while there are none."""

from typing import Any

import msgspec
from redis.exceptions import RedisError

from events.record import at_text
from games.match.commands import Clock
from games.match.model import Status
from games.wire import GameOptions, Time
from projections import tables
from projections.entries import history_index, lobby_index
from projections.people import is_bot_account
from projections.rows import PAGE_MAX, NoRows, Rows
from projections.summary import Summary
from projections.tables import Table
from projections.views import Lineage
from service.base.problems import malformed
from service.play.work_needed import work_needed


class ListedSeat(msgspec.Struct, frozen=True):
    """A seat of a listed match; `player` and `bot` are null while it is free."""

    seat: int
    player: str | None
    bot: str | None
    """Level of the bot."""
    program: bool
    """Whether the player is a bot account."""


class ListedMatch(msgspec.Struct, frozen=True):
    """A match in the lobby or a history, as a spectator may see it."""

    match: str
    game: str
    status: Status
    version: int
    """The spectator's version."""
    opened: Time
    at: Time
    """When the spectator was last shown something."""
    private: bool
    creator: str
    seats: list[ListedSeat]
    free: int
    """Number of free seats."""
    clock: Clock | None
    options: GameOptions
    branch: Lineage | None
    """Where a branch comes from; null unless the match is a branch."""
    winners: list[int] | None
    """Winning seats of a finished match."""
    places: list[int] | None
    """Places by seat; 1 is the best."""


class ListedMatches(msgspec.Struct, frozen=True):
    """A page of matches, newest first."""

    matches: list[ListedMatch]
    next: str | None
    """Value of `after` for the next page; null on the last page."""


class Ranked(msgspec.Struct, frozen=True):
    """A row of the standings."""

    place: int
    player: str | None
    bot: str | None
    """Level of a bot; all bots of a level share a row."""
    program: bool
    """Whether the player is a bot account."""
    rating: float | None
    """Three deviations below the mean skill; null for cooperative games."""
    mean: float | None
    deviation: float | None
    played: int
    won: int


class Standings(msgspec.Struct, frozen=True):
    """A page of a game's standings, best first."""

    game: str
    table: Table
    """`rated`: competitive games; `together`: cooperative ones, ordered by share of wins."""
    lines: list[Ranked]
    next: int | None
    """Value of `after` for the next page; null on the last page."""


class Listings:
    """Reads lists from the projections."""

    def __init__(self, work: Any) -> None:
        """Use an asyncio client of the work Redis (of bytes)."""
        self._rows = Rows(work)

    async def lobby(
        self,
        game: str | None = None,
        status: Status | None = None,
        after: str | None = None,
        count: int = 50,
    ) -> ListedMatches:
        """Return a page of the public matches; raises `Problem` 400, 503."""
        return await self._page(lobby_index(game, status), after, count)

    async def history(
        self, player: str, *, private: bool = False, after: str | None = None, count: int = 50
    ) -> ListedMatches:
        """Return a page of a player's matches, with the private ones only if asked for.

        Raises `Problem` 400, 503.
        """
        return await self._page(history_index(player, private=private), after, count)

    async def standings(
        self, slug: str, table: Table | None = None, after: int = 0, count: int = 50
    ) -> Standings:
        """Return a page of a table, the rated one by default; raises `Problem` 503."""
        with work_needed():
            places = await tables.places(self._rows, slug, table or "rated", after, count)
            if not places and table is None and after == 0:
                together = await tables.places(self._rows, slug, "together", after, count)
                if together:
                    table, places = "together", together
        table = table or "rated"
        lines = [_ranked(place, table) for place in places]
        last = places[-1].place if len(places) == min(count, PAGE_MAX) else None
        return Standings(slug, table, lines, last)

    async def _page(self, index: str, after: str | None, count: int) -> ListedMatches:
        with work_needed():
            try:
                page = await self._rows.page(index, after, count)
            except ValueError:
                raise malformed("`after` is not a cursor of this list.").at(
                    parameter="after"
                ) from None
        return ListedMatches([listed(summary) for summary in page.summaries], page.next)


def listed(summary: Summary) -> ListedMatch:
    """Return a match as lists show it."""
    seats = [
        ListedSeat(seat, sitter.player or None, sitter.bot or None, is_bot_account(sitter.player))
        for seat, sitter in enumerate(summary.sitters)
    ]
    outcome = summary.outcome
    return ListedMatch(
        match=summary.match,
        game=summary.game,
        status=summary.status,
        version=summary.told_version,
        opened=at_text(summary.opened),
        at=at_text(summary.told_at),
        private=summary.private,
        creator=summary.creator,
        seats=seats,
        free=sum(not sitter.name for sitter in summary.sitters),
        clock=summary.clock,
        options=summary.options,
        branch=summary.branch,
        winners=None if outcome is None else list(outcome.winners),
        places=None if outcome is None else list(outcome.places),
    )


def _ranked(place: tables.Place, table: Table) -> Ranked:
    standing, against = place.standing, table == "rated"
    level = place.name.removeprefix("bot:") if place.name.startswith("bot:") else None
    return Ranked(
        place=place.place,
        player=None if level else place.name,
        bot=level,
        program=is_bot_account(place.name),
        rating=standing.rating if against else None,
        mean=standing.mu if against else None,
        deviation=standing.sigma if against else None,
        played=standing.rated if against else standing.together,
        won=standing.won if against else standing.won_together,
    )


async def row_of(work: Any, match: str) -> bytes | None:
    """Return the stored row of a match for an audit; None if the work Redis is unavailable."""
    try:
        return await Rows(work).raw(match)
    except (RedisError, OSError, NoRows):
        return None
