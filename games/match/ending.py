"""How a match ends: its result, winners and places, as its last record names them."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET

from games.match.events import MatchFinished
from games.match.model import Ending, Match


class EndedByLeaving(msgspec.Struct, frozen=True):
    """The result of a match that ended because at most one team was left."""

    reason: Literal["resigned"]
    winners: list[int]
    ranks: list[int]


def finished(
    match: Match, state: Any, service_seed: bytes, leavers: Sequence[int]
) -> MatchFinished:
    """Return the event that ends a match in a state of its game.

    `leavers` are the seats that left, in that order.
    """
    secret = service_seed.hex()
    if match.header.format == 1:
        return MatchFinished(secret)
    end = _ending(match, state, leavers)
    return MatchFinished(secret, end.reason, end.winners, end.places, end.scores, end.result)


def ending_of(match: Match, event: MatchFinished) -> Ending:
    """Return how a match ended, from its last event or, in record format 1, from its state."""
    if (
        event.reason is UNSET
        or event.winners is UNSET
        or event.places is UNSET
        or event.scores is UNSET
    ):
        return _ending(match, match.state, match.leavers)
    return Ending(event.reason, event.winners, event.places, event.scores, event.result)


def _ending(match: Match, state: Any, leavers: Sequence[int]) -> Ending:
    result: Any = match.game.result(state)
    places = _places(match, state, leavers)
    if result is None:
        result = _by_leaving(match, state, places, leavers)
    return Ending(
        reason=getattr(result, "reason", "finished"),
        winners=tuple(sorted(result.winners)),
        places=tuple(places),
        scores=tuple(getattr(result, "scores", None) or ()),
        result=result,
    )


def _places(match: Match, state: Any, leavers: Sequence[int]) -> list[int]:
    """Return the place of each seat. Seats that left come last, the first to leave at the end."""
    own = match.game.result(state)
    seats = match.header.seats
    base = [1] * seats if own is None else own.places(seats)
    if len(match.game.teams(state)) == 1 and own is not None:
        return base
    left = {seat: order for order, seat in enumerate(reversed(leavers))}
    keys = [(seat in left, left.get(seat, base[seat])) for seat in range(seats)]
    return [1 + sum(other < key for other in keys) for key in keys]


def _by_leaving(
    match: Match, state: Any, places: list[int], leavers: Sequence[int]
) -> EndedByLeaving:
    stayed = set(range(match.header.seats)).difference(leavers)
    teams = match.game.teams(state)
    winners = sorted({seat for team in teams for seat in team if team & stayed})
    ranks = [1 if seat in winners else place for seat, place in enumerate(places)]
    return EndedByLeaving("resigned", winners, ranks)
