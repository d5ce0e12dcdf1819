"""A stand-in for the next release: an event of Tranquility has another shape.

`SCRIPT` runs it. Its second rules version writes `size` in place of `count`. It keeps the first
version for the matches that were opened under it.
"""

import dataclasses
from typing import Union

from games import GAMES
from games.game import AnyGame, Tagged
from games.tranquility.events import CardsDrawn as CardsDrawn1

SCRIPT = (
    "from tests.e2e import next_release as it; it.install(); from service.cli import main; main()"
)


class CardsDrawn(Tagged, frozen=True, gc=False):
    """A seat drew from its pile."""

    seat: int
    cards: tuple[str, ...]
    size: int


def newer(event):
    if isinstance(event, CardsDrawn1):
        return CardsDrawn(event.seat, event.cards, event.count)
    return event


def older(event):
    if isinstance(event, CardsDrawn):
        return CardsDrawn1(event.seat, event.cards, event.size)
    return event


def second(game: AnyGame) -> AnyGame:
    """Return the second version of the rules."""

    def decide_on(draft, seat, command):
        for event in game.decide(draft.state, seat, command, draft.chance):
            draft.add(newer(event))

    kinds = tuple(CardsDrawn if kind is CardsDrawn1 else kind for kind in game.Event.__args__)
    return dataclasses.replace(
        game,
        version=2,
        earlier=(game,),
        Event=Union[kinds],  # noqa: UP007 - a value
        setup=lambda *given: [newer(event) for event in game.setup(*given)],
        decide_on=decide_on,
        apply=lambda state, event: game.apply(state, older(event)),
        redact=lambda event, viewer, state: newer(game.redact(older(event), viewer, state)),
        undo=lambda state, seat, command, events: game.undo(
            state, seat, command, [older(event) for event in events]
        ),
    )


def install() -> None:
    """Put it in place of this release's."""
    GAMES["tranquility"] = second(GAMES["tranquility"])
