"""The index entries of a match: in which indexes it is listed, by which member and score. Pure.

Lobby and histories are ordered by the time at which a match was opened, which never changes. Their
members begin with that time and all have score 0, so the last member of a page is an exact cursor.
"""

from collections.abc import Iterator

import msgspec

from games.match.model import Status
from projections.results import against
from projections.summary import Summary

DEADLINES = "deadlines"
"""Name of the index of running matches by their next deadline."""
BOTS = "bots"
"""Name of the index of matches that wait for a bot, by the time from which the bot may act.
The members are `<match> <version>`."""
PACED_BOTS = "bots:paced"
"""Name of the index of such matches that have a pace of their own: the time is after the pause."""


class IndexEntry(msgspec.Struct, frozen=True, array_like=True):
    """One entry of a match in an index."""

    index: str
    """Name of the index."""
    score: str
    """An integer as text, because Lua would round a large number."""
    member: str


def lobby_index(game: str | None = None, status: Status | None = None) -> str:
    """Return the name of the index of public matches, optionally of one game or status."""
    return f"lobby:{game or '*'}:{status or '*'}"


def history_index(player: str, *, private: bool) -> str:
    """Return the name of the index of a player's matches, with or without private ones."""
    return f"history:{'all' if private else 'public'}:{player}"


def standing_index(player: str) -> str:
    """Return the name of the index of what a player is asked to do. Its members are notices."""
    return f"standing:{player}"


def played_index(game: str, player: str) -> str:
    """Return the name of the index of a player's results that count for the standings."""
    return f"played:{game}:{player}"


def opponents_index(player: str) -> str:
    """Return the name of the index of a player's results against others.

    The members are `<name of the other> <code of the result> <match>`.
    """
    return f"opponents:{player}"


def results_index(game: str) -> str:
    """Return the name of the index of a game's results that count for standings."""
    return f"results:{game}"


def unrated_index(game: str) -> str:
    """Return the name of the index of the results that the standings do not contain yet."""
    return f"unrated:{game}"


def entries(summary: Summary) -> tuple[IndexEntry, ...]:
    """Return all index entries of a match."""
    listed = cursor(summary)
    indexes = [*_lobby(summary), *_histories(summary)]
    found = [IndexEntry(index, "0", listed) for index in indexes]
    if summary.deadline is not None:
        found.append(IndexEntry(DEADLINES, str(summary.deadline), summary.match))
    if summary.bots_from is not None:
        due = f"{summary.match} {summary.version}"
        index = BOTS if summary.bot_pace is None else PACED_BOTS
        found.append(IndexEntry(index, str(summary.bots_from), due))
    if summary.outcome is not None and not summary.private and summary.branch is None:
        member = _member(summary.outcome.at, summary.match)
        found.append(IndexEntry(results_index(summary.game), "0", member))
        found.append(IndexEntry(unrated_index(summary.game), "0", member))
        found += [
            IndexEntry(played_index(summary.game, player), "0", member)
            for player in _players(summary)
        ]
    found += _opponents(summary)
    found += _standing(summary)
    return tuple(found)


def _players(summary: Summary) -> dict[str, None]:
    return dict.fromkeys(sitter.player for sitter in summary.sitters if sitter.player)


def _opponents(summary: Summary) -> Iterator[IndexEntry]:
    for player in _players(summary):
        for name, code in against(summary, player):
            yield IndexEntry(opponents_index(player), "0", f"{name} {code} {summary.match}")


def _standing(summary: Summary) -> Iterator[IndexEntry]:
    for notice in summary.standing:
        index = standing_index(summary.sitters[notice.seat].player)
        yield IndexEntry(index, "0", msgspec.json.encode(notice).decode())


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
    return [history_index(player, private=kind) for player in _players(summary) for kind in kinds]


def cursor(summary: Summary) -> str:
    """Return the cursor of a match in the lobby and in histories."""
    return _member(summary.opened, summary.match)


def _member(micros: int, match: str) -> str:
    return f"{micros:016d} {match}"
