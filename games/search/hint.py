"""Hints: a command for one seat, why, and how sure, from the seat's own knowledge alone.

Equal knowledge gives equal hints, byte for byte: the dice follow from the knowledge itself, and the
effort from the budget and the candidates.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from math import hypot
from typing import Any, Literal

import msgspec

from games.chance import Chance
from games.game import AnyGame, Seen
from games.search.choose import ERRORS, Choice, deliberate
from games.search.evaluate import Estimate
from games.search.rollout import Stop, blueprint_of, never
from games.wire import GameCommand

ASSUMES = (
    "Every seat plays on by rules of thumb, from what it knows. Of what you cannot see, everything "
    "that fits what you saw counts as equally likely, or as likely as players' habits make it."
)
DIGITS = 4

Sure = Literal["rule", "close", "clear"]


class Reason(msgspec.Struct, frozen=True):
    """Why one plays a command."""

    code: str
    """A stable code; the game's documentation lists them."""
    words: str


class Weighed(msgspec.Struct, frozen=True):
    """A command and its estimate. Shares of games won by the seat's team, between 0 and 1."""

    command: GameCommand
    share: float | None
    """Null before the first playout."""
    standard_error: float | None
    gain: float | None
    """Difference to what the rules of thumb choose, in the same worlds."""
    gain_error: float | None
    worlds: int


class Hint(msgspec.Struct, frozen=True):
    """Advice to one seat."""

    game: str
    command: GameCommand
    reason: Reason
    by: Literal["rules-of-thumb", "playouts"]
    """What chose the command: playouts if their gain is significant."""
    sure: Sure
    """`rule`: no playouts; `clear`: better than all others by two standard errors; else `close`."""
    best: Weighed
    alternatives: Sequence[Weighed]
    """Best first."""
    playouts: int
    budget: int
    assumes: str


def advise(
    game: AnyGame,
    view: Any,
    seen: Seen,
    legal: Sequence[Any],
    budget: int,
    cancelled: Stop = never,
) -> Iterator[Hint]:
    """Yield the hint by rules of thumb at once, then a better one after each round.

    Raises `Cancelled`.
    """
    chance = Chance(_knowledge(game, view, seen, budget), 0)
    for choice in deliberate(game, view, seen, legal, budget, chance, cancelled):
        yield _hint(game, view, seen, choice, budget)


def _knowledge(game: AnyGame, view: Any, seen: Seen, budget: int) -> bytes:
    """Return a digest of everything that the hint depends on."""
    known = (game.slug, game.version, seen.viewer, seen.seats, seen.options, budget)
    encoder = msgspec.json.Encoder(order="deterministic")
    return sha256(encoder.encode((known, view, tuple(seen.records)))).digest()


def _hint(game: AnyGame, view: Any, seen: Seen, choice: Choice, budget: int) -> Hint:
    seat = seen.viewer
    assert seat is not None, "only a seat is advised"
    chosen = choice.estimate()
    others = sorted(
        (known for known in choice.estimates if known is not chosen),
        key=lambda known: (-known.gain, -known.mean),
    )
    return Hint(
        game=game.slug,
        command=choice.command,
        reason=reason_of(game, view, seat, choice.command),
        by="rules-of-thumb" if choice.command == choice.blueprint else "playouts",
        sure=_sure(chosen, others, choice.playouts),
        best=_weighed(chosen),
        alternatives=[_weighed(known) for known in others],
        playouts=choice.playouts,
        budget=budget,
        assumes=ASSUMES,
    )


def reason_of(game: AnyGame, view: Any, seat: int, command: Any) -> Reason:
    """Return why one would play a command, assuming that it is a good one."""
    blueprint = blueprint_of(game)
    code = blueprint.reason(view, seat, command)
    return Reason(code, blueprint.reasons[code])


def _sure(chosen: Estimate, others: Sequence[Estimate], playouts: int) -> Sure:
    if not playouts:
        return "rule"
    leads = (
        chosen.gain - other.gain > ERRORS * hypot(chosen.gain_error, other.gain_error)
        for other in others
    )
    return "clear" if all(leads) else "close"


def _weighed(known: Estimate) -> Weighed:
    if not known.worlds:
        return Weighed(known.command, None, None, None, None, 0)
    return Weighed(
        known.command,
        round(known.mean, DIGITS),
        round(known.standard_error, DIGITS),
        round(known.gain, DIGITS),
        round(known.gain_error, DIGITS),
        known.worlds,
    )
