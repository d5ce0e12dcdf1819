"""The best moments of a finished match, by seat, as its analysis shows them."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from replay.analysis import ERRORS, Analysis

FIND = 0.05
"""Smallest gain over the bot's choice that makes a find, as a share of won games."""
SLIM = 0.35
"""Largest chance of winning from which a win is a comeback, for a team without opponents."""

Best = Literal["comeback", "find"]


class BestMoment(msgspec.Struct, frozen=True):
    """A decision of a seat that is worth to be seen again."""

    seat: int
    v: int
    """Version of the record in the log."""
    kind: Best
    """`comeback`: won from a slim chance, the slimmest one. `find`: a command that wins more games
    than the bot's choice.
    """
    share: float
    """The chance of winning from which a comeback began, or what a find gains, as a share of won
    games.
    """


def best_moments(analysis: Analysis) -> list[BestMoment]:
    """Return the best moments of a match: at most one of each kind for a seat."""
    return [
        moment
        for seat in analysis.seats
        for moment in (*_comeback(analysis, seat.seat), *_find(analysis, seat.seat))
    ]


def _comeback(analysis: Analysis, seat: int) -> Iterator[BestMoment]:
    """Yield the seat's decision with the slimmest chance, if its team won after that.

    The whole band of the chance must be slim: at most half of an equal share among rivals.
    """
    own = [point for point in analysis.points if point.seat == seat]
    if not own or seat not in (analysis.winners or ()):
        return
    slimmest = min(own, key=lambda point: point.before.mean)
    if slimmest.before.high <= min(SLIM, 0.5 / len(analysis.teams)):
        yield BestMoment(seat, slimmest.v, "comeback", slimmest.before.mean)


def _find(analysis: Analysis, seat: int) -> Iterator[BestMoment]:
    """Yield the seat's decision that gained most over the bot's choice, beyond chance."""
    finds = [
        one
        for one in analysis.compared
        if one.seat == seat
        and -one.better.gain >= FIND
        and -one.better.gain > ERRORS * one.better.error
    ]
    if finds:
        best = max(finds, key=lambda one: -one.better.gain)
        yield BestMoment(seat, best.v, "find", -best.better.gain)
