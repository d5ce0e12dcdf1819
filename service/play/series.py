"""Series: matches that follow each other as rematches, and their score.

Nothing but the log says which match belongs to which series. A rematch is created under a key that
names the first match of the series and its own number, with a code that only this service can make.
The ids of all matches of a series follow from that, so the score is found again after a wipe of the
work Redis.
"""

import hmac
import re
from collections import Counter
from typing import Any, NamedTuple

import msgspec

from games.match.model import Match
from projections.rows import Rows
from projections.summary import Sitter, Summary, summary
from service.base.keys import Keys
from service.play.match_cache import CachedMatch
from service.play.matches import match_id
from service.play.work_needed import work_needed

SCORED_MAX = 100
"""Maximum number of matches, the latest ones, that the score of a series counts."""
PREFIX = "series."
"""Begins the keys of rematches. The log tells them, so no client may create a match under one."""
KEY = re.compile(re.escape(PREFIX) + r"([A-Za-z0-9_-]{1,64})\.(\d{1,6})\.[0-9a-f]+", re.ASCII)
CODE_CHARS = 12


class Place(NamedTuple):
    """The place of a match in its series."""

    first: str
    """The first match of the series."""
    number: int
    """1 for the first match."""
    host: str
    """The player as whom all rematches of the series are created."""


class Score(msgspec.Struct, frozen=True):
    """The matches of a series that somebody has won."""

    player: str | None
    bot: str | None
    """Level of a bot. All bots of a level are counted together."""
    won: int


class SeriesView(msgspec.Struct, frozen=True):
    """The series of a match, up to that match."""

    number: int
    """Number of the match in its series; 1 unless it is a rematch."""
    previous: str | None
    """The match before it; null for the first one."""
    played: int
    """Number of matches of the series that have a result, of the last 100."""
    together: bool
    """Whether all players win or lose together."""
    scores: list[Score]
    """How many of them each player and each level of bot has won, in the order of the seats."""


class SeriesReader:
    """Finds the matches of a series."""

    def __init__(self, work: Any, keys: Keys) -> None:
        """Use an asyncio client of the work Redis (of bytes); the keys vouch for names."""
        self._rows = Rows(work)
        self._keys = keys

    def place(self, cached: CachedMatch) -> Place:
        """Return the place of a match in its series."""
        header, opened = cached.match.header, cached.folded.opened_with
        if (named := KEY.fullmatch(opened)) is not None:
            first, number = named[1], int(named[2])
            if hmac.compare_digest(opened, self.key(first, number)):
                return Place(first, number, header.creator)
        people = (chair.player for chair in cached.match.chairs if chair.player)
        return Place(header.match, 1, next(people, header.creator))

    def key(self, first: str, number: int) -> str:
        """Return the key under which a match of a series is created."""
        code = self._keys.derive("series", first, str(number)).hex()[:CODE_CHARS]
        return f"{PREFIX}{first}.{number}.{code}"

    def match(self, place: Place, number: int) -> str:
        """Return the id of a match of a series, whether or not the match exists."""
        if number == 1:
            return place.first
        return match_id(self._keys, place.host, self.key(place.first, number))

    async def view(self, cached: CachedMatch) -> SeriesView:
        """Return the series of a match; raises `Problem` 503."""
        place, match = self.place(cached), cached.match
        numbers = range(max(1, place.number + 1 - SCORED_MAX), place.number + 1)
        ids = [self.match(place, number) for number in numbers]
        with work_needed():
            rows = await self._rows.summaries(await self._rows.generation(), ids)
        found = {row.match: row for row in rows}
        if match.over and not _has_ended(found.get(match.header.match)):
            found[match.header.match] = summary(match)
        results = [one for one in found.values() if one.outcome is not None]
        previous = self.match(place, place.number - 1) if place.number > 1 else None
        together = match.state is not None and len(match.game.teams(match.state)) == 1
        scores = _scores(match, results)
        return SeriesView(place.number, previous, len(results), together, scores)


def _has_ended(row: Summary | None) -> bool:
    return row is not None and row.status not in ("waiting", "running")


def _scores(match: Match, results: list[Summary]) -> list[Score]:
    won: Counter[str] = Counter()
    for one in results:
        winners = one.outcome.winners if one.outcome else ()
        won.update({one.sitters[seat].name for seat in winners})
    sitters = {
        sitter.name: sitter
        for sitter in (Sitter(chair.player, chair.bot) for chair in match.chairs)
        if sitter.name
    }
    return [
        Score(sitter.player or None, sitter.bot or None, won[name])
        for name, sitter in sitters.items()
    ]
