"""Lists read from the projections: lobby, histories, standings. 503 while there are none."""

from typing import Any

import msgspec
from redis.exceptions import RedisError

from events.record import at_text
from games.match.commands import Clock
from games.match.model import Status
from games.wire import GameOptions, Time
from projections import tables
from projections.entries import cursor, history_index, lobby_index
from projections.people import is_bot_account
from projections.results import Result, result_of
from projections.rows import PAGE_MAX, NoRows, Page, Rows
from projections.summary import Summary
from projections.tables import Table
from projections.views import Lineage
from service.base.problems import not_a_cursor
from service.play.work_needed import work_needed

READ_MAX = 1_000
"""Maximum number of a player's matches that a request goes through in search of some."""


class Wanted(msgspec.Struct, frozen=True):
    """Which of a player's matches are wanted; None is all."""

    game: str | None = None
    status: Status | None = None
    opponent: str | None = None
    """A player, or a bot's level after `bot:`."""
    result: Result | None = None
    since: int | None = None
    """Time from which matches were opened (microseconds since 1970)."""
    until: int | None = None
    """Time before which they were opened."""

    def has(self, summary: Summary, player: str) -> bool:
        """Return whether a match of a player is wanted, whenever it was opened."""
        return (
            self.game in (None, summary.game)
            and self.status in (None, summary.status)
            and (
                self.opponent is None
                or (
                    self.opponent != player
                    and any(sitter.name == self.opponent for sitter in summary.sitters)
                )
            )
            and (self.result is None or result_of(summary, player) == self.result)
        )


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
    """The spectator's version. While a match with a spectator delay is played, it stays at the
    start.
    """
    opened: Time
    at: Time
    """Time of that version."""
    private: bool
    spectator_delay: int | None
    """Time after which spectators are shown a move (seconds); null if that is at once."""
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
    teams: list[list[int]] | None
    """Seats that won or lost together. A cooperative match has a single team."""


class ListedMatches(msgspec.Struct, frozen=True):
    """A page of matches, newest first."""

    matches: list[ListedMatch]
    next: str | None
    """Value of `after` for the next page; null on the last page."""
    complete: bool
    """Whether no match is missing. After a loss of derived data, lists are filled again, the newest
    matches first.
    """


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
        page = await self._read(lobby_index(game, status), after, count, Wanted())
        return ListedMatches(_listed(page.summaries), page.next, page.complete)

    async def history(
        self,
        player: str,
        wanted: Wanted,
        *,
        private: bool = False,
        after: str | None = None,
        count: int = 50,
    ) -> ListedMatches:
        """Return a page of a player's matches, with the private ones only if asked for.

        A page may be short, even empty, and still not be the last: a request goes through a
        limited number of matches. Raises `Problem` 400, 503.
        """
        index = history_index(player, private=private)
        found: list[Summary] = []
        complete = True
        is_filtered = any((wanted.game, wanted.status, wanted.opponent, wanted.result))
        for _ in range(READ_MAX // PAGE_MAX):
            page = await self._read(index, after, PAGE_MAX if is_filtered else count, wanted)
            complete = complete and page.complete
            for summary in page.summaries:
                if wanted.has(summary, player):
                    found.append(summary)
                if len(found) == count:
                    return ListedMatches(_listed(found), cursor(summary), complete)
            if (after := page.next) is None:
                break
        return ListedMatches(_listed(found), after, complete)

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

    async def _read(self, index: str, after: str | None, count: int, wanted: Wanted) -> Page:
        with work_needed():
            try:
                return await self._rows.page(index, after, count, wanted.since, wanted.until)
            except ValueError:
                raise not_a_cursor() from None


def _listed(summaries: list[Summary]) -> list[ListedMatch]:
    return [listed(summary) for summary in summaries]


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
        spectator_delay=summary.spectator_delay,
        creator=summary.creator,
        seats=seats,
        free=sum(not sitter.name for sitter in summary.sitters),
        clock=summary.clock,
        options=summary.options,
        branch=summary.branch,
        winners=None if outcome is None else list(outcome.winners),
        places=None if outcome is None else list(outcome.places),
        teams=None if outcome is None else [list(team) for team in outcome.teams],
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
