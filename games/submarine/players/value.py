"""Each seat's chance of winning, which judges playouts that are cut short."""

from operator import mul
from typing import NamedTuple

from games.search.odds import shares_of
from games.submarine.model import State
from games.submarine.players.outlook import outlook_of
from games.submarine.view import view

DECIDED = 50.0
"""Log-odds against a seat that has withdrawn."""


class Standing(NamedTuple):
    """What a seat has; or what each of that adds to its log-odds of winning."""

    slots: float
    """Slots that are filled."""
    jokers: float
    cards: float
    """Cards in hand and pile."""
    prospects: float
    """Worth of the fleet where it is."""
    turn: float
    """1 for the seat on turn."""


ODDS_DUEL = Standing(slots=0.9, jokers=0.38, cards=0.06, prospects=1.5, turn=0.25)
ODDS_CROWD = Standing(slots=1.22, jokers=0.61, cards=0.31, prospects=1.25, turn=0.08)
"""Fits to 3,419 positions of 400 matches between tuned players with two seats (seeds from 400,000
on), and to 5,409 positions of 399 matches with four seats (other deals).
"""


def turns(state: State) -> int:
    """Return the number of turns so far."""
    return state.turn


def value(state: State) -> list[float]:
    """Return each seat's chance of winning, from the holdings and prospects of all seats."""
    odds = ODDS_DUEL if state.players == 2 else ODDS_CROWD
    return shares_of(
        [
            -DECIDED if seat in state.withdrawn else sum(map(mul, odds, _standing(state, seat)))
            for seat in range(state.players)
        ]
    )


def standings(state: State) -> list[Standing]:
    """Return by seat the numbers that the odds weigh."""
    return [_standing(state, seat) for seat in range(state.players)]


def _standing(state: State, seat: int) -> Standing:
    """Return what a seat has."""
    own = view(state, seat)
    outlook = outlook_of(own, seat, state.options)
    return Standing(
        len(state.slots[seat]),
        len(state.jokers[seat]),
        len(state.hand[seat]) + len(state.pile[seat]),
        outlook.prospects(outlook.fleet, state.ships[seat], outlook.holding),
        float(state.active == seat),
    )
