"""Tranquility as a later release might have it: with another rule, and with another event shape."""

import dataclasses
from typing import Union, get_args

from events.upcast import Upcast
from games import GAMES
from games.game import Illegal, Tagged
from games.tranquility.commands import PlayCard
from games.tranquility.events import CardsDrawn

GAME = GAMES["tranquility"]
CLOSED_COLUMN = 5


def _decide_on(draft, seat, command):
    if isinstance(command, PlayCard) and command.cell[1] == CLOSED_COLUMN:
        raise Illegal("column-closed")
    GAME.decide_on(draft, seat, command)


OTHER_RULE = dataclasses.replace(GAME, version=2, decide_on=_decide_on)
"""Nobody lays a card in the last column."""


class Drew(Tagged, frozen=True, tag="cards_drawn"):
    """A seat drew from its pile; `number` was `count` before."""

    seat: int
    cards: tuple[str, ...]
    number: int


def _new(event):
    return Drew(event.seat, event.cards, event.count) if type(event) is CardsDrawn else event


def _old(event):
    return CardsDrawn(event.seat, event.cards, event.number) if type(event) is Drew else event


def _redact(event, viewer, state):
    told = GAME.redact(_old(event), viewer, state)
    return None if told is None else _new(told)


def _decide_in_new_shape(draft, seat, command):
    for event in GAME.decide(draft.state, seat, command, draft.chance):
        draft.add(_new(event))


OTHER_SHAPE = dataclasses.replace(
    GAME,
    version=2,
    Event=Union[tuple({*get_args(GAME.Event), Drew} - {CardsDrawn})],  # noqa: UP007 - a value
    setup=lambda *given: [_new(event) for event in GAME.setup(*given)],
    decide_on=_decide_in_new_shape,
    apply=lambda state, event: GAME.apply(state, _old(event)),
    redact=_redact,
    undo=lambda state, seat, command, events: GAME.undo(
        state, seat, command, [_old(event) for event in events]
    ),
)


def _renamed(record):
    for event in record["events"]:
        if event["type"] == "cards_drawn":
            event["number"] = event.pop("count")
    return record


UPCASTS = {"tranquility": [Upcast(2, _renamed)]}
