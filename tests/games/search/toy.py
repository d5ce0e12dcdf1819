"""A game small enough to know what is right: draw once more, or not; then the higher card wins.

Each seat holds a card of 0 … 9 that only it sees. In turn it keeps its card or swaps it for one
that the dice give. Seat 0 may also `fold`: the dice then decide instead of the cards, and its team
wins in `SAFE` of ten cases.
"""

from dataclasses import replace
from typing import Literal

import msgspec

from games.game import Blueprint, Game, Illegal, Players, Seen, Tagged, Timing

CARDS = 10
SAFE = 4
"""Of 10: how often seat 0 wins by folding."""


class Keep(Tagged, frozen=True):
    pass


class Swap(Tagged, frozen=True):
    pass


class Fold(Tagged, frozen=True):
    pass


class Dealt(Tagged, frozen=True):
    cards: tuple[int, ...]


class Acted(Tagged, frozen=True):
    seat: int
    got: int | None


class Folded(Tagged, frozen=True):
    winner: int


class Options(msgspec.Struct, frozen=True):
    blueprint: Literal["good", "bad"] = "good"


class Result(msgspec.Struct, frozen=True):
    winners: tuple[int, ...]

    def places(self, seats):
        return [1 if seat in self.winners else 2 for seat in range(seats)]


class State(msgspec.Struct):
    cards: list[int]
    turn: int
    folded: int | None

    def copy(self):
        return State(self.cards[:], self.turn, self.folded)


class View(msgspec.Struct, frozen=True):
    card: int | None
    seats: int
    turn: int
    folded: int | None


def setup(seats, options, chance):
    return [Dealt(tuple(chance.randbelow(CARDS) for _ in range(seats)))]


def decide_on(draft, seat, command):
    if seat not in waiting(draft.state):
        raise Illegal("not-your-turn")
    chance = draft.chance
    match command:
        case Swap():
            draft.add(Acted(seat, chance.randbelow(CARDS)))
        case Fold() if seat == 0:
            draft.add(Folded(0 if chance.randbelow(10) < SAFE else 1))
        case Keep():
            draft.add(Acted(seat, None))
        case _:
            raise Illegal("not-now")


def apply(state, event):
    match event:
        case Dealt(cards=cards):
            state.cards = list(cards)
        case Acted(seat=seat, got=got):
            state.turn = seat + 1
            if got is not None:
                state.cards[seat] = got
        case Folded(winner=winner):
            state.folded = winner


def legal(state, seat):
    if seat not in waiting(state):
        return []
    return [Keep(), Swap(), *([Fold()] if seat == 0 else [])]


def waiting(state):
    over = state.folded is not None or state.turn == len(state.cards)
    return frozenset() if over else frozenset((state.turn,))


def view(state, viewer):
    card = None if viewer is None else state.cards[viewer]
    return View(card, len(state.cards), state.turn, state.folded)


def redact(event, viewer, state):
    match event:
        case Dealt(cards=cards):
            return Dealt(tuple(c if seat == viewer else -1 for seat, c in enumerate(cards)))
        case Acted(seat=seat, got=got) if seat != viewer and got is not None:
            return Acted(seat, -1)
        case _:
            return event


def sample(view, seen, chance):
    cards = [chance.randbelow(CARDS) for _ in range(view.seats)]
    if seen.viewer is not None and view.card is not None:
        cards[seen.viewer] = view.card
    return State(cards, view.turn, view.folded)


def result(state):
    if waiting(state):
        return None
    if state.folded is not None:
        return Result((state.folded,))
    top = max(state.cards)
    return Result(tuple(seat for seat, card in enumerate(state.cards) if card == top))


def good(state, seat, chance):
    """Swap a card below the middle: known from the own card alone."""
    return Swap() if state.cards[seat] < CARDS // 2 else Keep()


def ranked(view, seen, legal, chance):
    first = Swap() if view.card < CARDS // 2 else Keep()
    return [first, *(command for command in legal if command != first)]


def ranked_badly(view, seen, legal, chance):
    return list(reversed(ranked(view, seen, [c for c in legal if c != Fold()], chance)))


def by_turns(stage, **blueprint):
    """Return the game with a horizon of one turn, judged by the cards on the table."""

    def value(state):
        top = max(state.cards)
        tops = state.cards.count(top)
        return [float(card == top) / tops for card in state.cards]

    shorter = replace(GAME.players.blueprint, stage=stage, horizon=1, value=value, **blueprint)
    return replace(GAME, players=replace(GAME.players, blueprint=shorter))


GAME = Game(
    slug="toy",
    version=1,
    titles={"en": "Toy"},
    seats=range(2, 4),
    Options=Options,
    Command=Keep | Swap | Fold,
    Event=Dealt | Acted | Folded,
    State=State,
    View=View,
    initial=lambda seats, options: State([0] * seats, 0, None),
    setup=setup,
    decide_on=decide_on,
    apply=apply,
    legal=legal,
    waiting=waiting,
    teams=lambda state: [frozenset((seat,)) for seat in range(len(state.cards))],
    timing=Timing(clock=lambda state, seat: None),
    default=lambda state, seat: Keep(),
    view=view,
    redact=redact,
    undo=lambda state, seat, command, events: "free",
    result=result,
    players=Players(
        sample=sample,
        bots={"heuristic": lambda view, seen, legal, chance: ranked(view, seen, legal, chance)[0]},
        blueprint=Blueprint(
            policy=good,
            ranking=ranked,
            reason=lambda view, seat, command: "high-card" if command == Keep() else "better-odds",
            reasons={"high-card": "Your card is high.", "better-odds": "It wins more often."},
        ),
    ),
)
BAD = replace(
    GAME,
    players=replace(GAME.players, blueprint=replace(GAME.players.blueprint, ranking=ranked_badly)),
)
"""The same game, whose blueprint does what is worse."""


def at(card, rival=0, seats=2):
    return State([card, *[rival] * (seats - 1)], 0, None)


def known(state, seat=0):
    """Return what a seat knows: (view, seen, legal)."""
    seen = Seen(seat, len(state.cards), Options(), ())
    return GAME.view(state, seat), seen, GAME.legal(state, seat)
