"""Results from the side of a player: against all others, and against one of them. Pure."""

from collections.abc import Iterator
from typing import Literal

from projections.summary import Outcome, Summary

Result = Literal["won", "lost", "drawn"]
PRIVATE = str.upper
"""Codes of private matches are in upper case."""
CODES = "wldvt"
"""Won, lost and drawn against an opponent; won and not won in the same team."""


def result_of(summary: Summary, player: str) -> Result | None:
    """Return the result of a player; None if there is none, or the player has no seat."""
    outcome = summary.outcome
    if outcome is None or (team := _team(summary, outcome, player)) is None:
        return None
    if len(outcome.teams) == 1:
        return "won" if outcome.winners else "lost"
    rivals = [place for seat, place in enumerate(outcome.places) if seat not in team]
    return _compared(min(outcome.places[seat] for seat in team), min(rivals))


def against(summary: Summary, player: str) -> Iterator[tuple[str, str]]:
    """Yield the names of the others at the table, each with the code of the player's result.

    Only results that count do. Branches and matches without a result have none.
    """
    outcome = summary.outcome
    if outcome is None or not outcome.counts or summary.branch is not None:
        return
    if (team := _team(summary, outcome, player)) is None:
        return
    own = min(outcome.places[seat] for seat in team)
    won = any(seat in outcome.winners for seat in team)
    for name in dict.fromkeys(sitter.name for sitter in summary.sitters if sitter.name):
        rivals = [
            outcome.places[seat]
            for seat, sitter in enumerate(summary.sitters)
            if sitter.name == name and seat not in team
        ]
        if name != player:
            code = _compared(own, min(rivals))[0] if rivals else "v" if won else "t"
            yield name, PRIVATE(code) if summary.private else code


def _team(summary: Summary, outcome: Outcome, player: str) -> tuple[int, ...] | None:
    seats = [seat for seat, sitter in enumerate(summary.sitters) if sitter.player == player]
    return next((team for team in outcome.teams if seats and seats[0] in team), None)


def _compared(own: int, other: int) -> Result:
    if own == other:
        return "drawn"
    return "won" if own < other else "lost"
