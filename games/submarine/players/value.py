"""Each seat's chance of winning, which judges playouts that are cut short."""

from operator import mul
from typing import NamedTuple

from games.search.odds import shares_of
from games.submarine.model import State
from games.submarine.players.outlook import Outlook
from games.submarine.players.weights import TUNED
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


ODDS_TWO = Standing(slots=0.9, jokers=0.38, cards=0.06, prospects=1.5, turn=0.25)
ODDS_MORE = Standing(slots=1.22, jokers=0.61, cards=0.31, prospects=1.25, turn=0.08)
ODDS = {2: ODDS_TWO, 3: ODDS_MORE, 4: ODDS_MORE, 5: ODDS_MORE}
"""By seats. Fits to 3,419 positions of 400 matches between tuned players with two seats (seeds from
400,000 on), and to 5,409 positions of 399 matches with four seats (other deals).
"""


def stage(state: State) -> int:
    """Return the number of turns so far."""
    return state.turn


def value(state: State) -> list[float]:
    """Return each seat's chance of winning, from the holdings and prospects of all seats."""
    odds = ODDS[state.players]
    return shares_of(
        [
            -DECIDED if seat in state.withdrawn else sum(map(mul, odds, _standing(state, seat)))
            for seat in range(state.players)
        ]
    )


def features(state: State) -> list[Standing]:
    """Return by seat the numbers that the odds weigh."""
    return [_standing(state, seat) for seat in range(state.players)]


def _standing(state: State, seat: int) -> Standing:
    """Return what a seat has."""
    outlook = Outlook(view(state, seat), seat, state.options, TUNED[state.players])
    return Standing(
        len(state.slots[seat]),
        len(state.jokers[seat]),
        len(state.hand[seat]) + len(state.pile[seat]),
        outlook.prospects(outlook.fleet, state.ships[seat], outlook.holding),
        float(state.active == seat),
    )
