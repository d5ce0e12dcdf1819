"""Which of the running matches the lobby features. Pure."""

from collections.abc import Mapping, Sequence

from games.match.clocks import SECOND
from projections.people import is_bot_account
from projections.summary import Summary

FRESH_S = 1_800
"""Time within which spectators were shown something (seconds)."""
TOP = 5
"""Number of matches that take turns."""
TURN_S = 120
"""Time for which a match is featured before it is the turn of the next (seconds)."""


def people(summary: Summary) -> list[str]:
    """Return the players at a table who are people."""
    players = dict.fromkeys(sitter.player for sitter in summary.sitters if sitter.player)
    return [player for player in players if not is_bot_account(player)]


def candidates(summaries: Sequence[Summary], now: int) -> list[Summary]:
    """Return the matches that may be featured, those with most people first."""
    found = [
        summary
        for summary in summaries
        if summary.status == "running"
        and not summary.private
        and summary.branch is None
        and people(summary)
        and summary.told_at >= now - FRESH_S * SECOND
    ]
    return sorted(found, key=lambda summary: (-len(people(summary)), -summary.told_at))


def featured(found: Sequence[Summary], ratings: Mapping[str, float], now: int) -> Summary | None:
    """Return the candidate whose turn it is.

    Those with most people come first, then those with the best rated players (`ratings` by match),
    then those where something happened last. The first few take turns, by the clock.
    """
    ordered = sorted(
        found,
        key=lambda one: (-len(people(one)), -ratings.get(one.match, 0.0), -one.told_at),
    )[:TOP]
    return ordered[now // (TURN_S * SECOND) % len(ordered)] if ordered else None
