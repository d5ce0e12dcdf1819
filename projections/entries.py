"""Where a match is listed: which index holds it, under which member and score. Pure.

The pages of lobby and histories are ordered by the match's opening, which never changes: their members begin with
it, all at score 0, so that a page's last member is an exact cursor.
"""

import msgspec

from games.match.model import Status
from projections.summary import Summary

DEADLINES = "deadlines"
"""Running matches by their soonest deadline."""
BOTS = "bots"
"""`<match> <version>` of matches that wait for a bot, by the time from which it may act."""


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """A place in an index."""

    index: str
    score: str
    """A whole number, as text: it passes through Lua unrounded."""
    member: str


def lobby_index(game: str | None = None, status: Status | None = None) -> str:
    """Name the index of public matches, of a game and of a status where given."""
    return f"lobby:{game or '*'}:{status or '*'}"


def history_index(player: str, *, private: bool) -> str:
    """Name the index of a player's matches, with the private ones or without."""
    return f"history:{'all' if private else 'public'}:{player}"


def results_index(game: str) -> str:
    """Name the index of a game's results that count, by finish and match."""
    return f"results:{game}"


def unrated_index(game: str) -> str:
    """Name the index of those results that the standings do not contain yet."""
    return f"unrated:{game}"


def entries(summary: Summary) -> tuple[Entry, ...]:
    """List all places where a match is found."""
    listed = _member(summary.opened, summary.match)
    indexes = [*_lobby(summary), *_histories(summary)]
    found = [Entry(index, "0", listed) for index in indexes]
    if summary.deadline is not None:
        found.append(Entry(DEADLINES, str(summary.deadline), summary.match))
    if summary.bots_from is not None:
        due = f"{summary.match} {summary.version}"
        found.append(Entry(BOTS, str(summary.bots_from), due))
    if summary.outcome is not None and not summary.private and summary.branch is None:
        member = _member(summary.outcome.at, summary.match)
        found.append(Entry(results_index(summary.game), "0", member))
        found.append(Entry(unrated_index(summary.game), "0", member))
    return tuple(found)


def _lobby(summary: Summary) -> list[str]:
    if summary.private:
        return []
    return [
        lobby_index(game, status)
        for game in (None, summary.game)
        for status in (None, summary.status)
    ]


def _histories(summary: Summary) -> list[str]:
    kinds = (True,) if summary.private else (True, False)
    players = dict.fromkeys(sitter.player for sitter in summary.sitters if sitter.player)
    return [history_index(player, private=kind) for player in players for kind in kinds]


def _member(micros: int, match: str) -> str:
    return f"{micros:016d} {match}"
