"""Each seat's chance of winning, which judges playouts that are cut short."""

from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from typing import NamedTuple

from games.nautilus.components import ABYSS_ZONE, FIELD_VALUE, PLACE_ZONES, SORT
from games.nautilus.ending import module_points, treasure_discs
from games.nautilus.model import State
from games.nautilus.players.outlook import ROUNDS_TYPICAL, finds_now
from games.nautilus.rules.research import free_researchers
from games.nautilus.rules.sailing import abyss_open
from games.nautilus.rules.sea import steps_to_places
from games.search.odds import weighed

ROUNDS_MANY = 18
"""Rounds from which on no more rounds are counted as left."""
BEYOND = 5
"""Rounds to plan for, beyond the typical length of a match."""
TREASURE, OTHER = 1.4, 0.6
"""Find points of a treasure, and of a chest or thrust."""
CREATURE = 0.2
"""Find points of a creature or gold, beyond what its field counts."""
NEAR, FURTHER = 0.75, 0.6
"""Factors of a find for each step to it, and for each better find."""


class Standing(NamedTuple):
    """What a seat has; or what each of that adds to its log-odds of winning."""

    score: float
    """Score without money, if the match ended now (tens)."""
    money: float
    """N (tens)."""
    finds: float
    """Find points (tens)."""
    modules: float
    """Module points (tens)."""
    boats: float
    """Submarines at sea."""
    near: float
    """Find points near these submarines, discounted by the way."""
    score_near: float
    """The same times module points (tens)."""
    employed: float
    free: float
    """Free researchers on the board."""
    held: float
    """Modules in hand."""
    green: float
    """Level by colour."""
    grey: float
    brown: float
    blue: float
    black: float
    known: float
    """Finds that the seat has looked at."""
    begins: float
    """1 for the first seat of the round."""


class Odds(NamedTuple):
    """Log-odds of winning."""

    now: Standing
    """Whatever time is left."""
    later: Standing
    """What is added to this for the rounds that are left, in parts of `ROUNDS_MANY`."""


def stage(state: State) -> int:
    """Return the round."""
    return state.round


def value(state: State) -> list[float]:
    """Estimate each seat's chance of winning."""
    odds = ODDS[state.seats]
    return weighed((*odds.now, *odds.later), features(state))


def features(state: State) -> list[Sequence[float]]:
    """Return by seat the numbers that `Odds` weighs, in its order."""
    left = rounds_left(state) / ROUNDS_MANY
    discs = treasure_discs(state)
    standings = [_standing(state, seat, disc) for seat, disc in enumerate(discs)]
    return [(*own, *(left * number for number in own)) for own in standings]


def rounds_left(state: State) -> int:
    """Return the number of rounds left with this one, known or estimated, up to `ROUNDS_MANY`."""
    if state.end_round:
        return min(ROUNDS_MANY, max(0, state.end_round + 1 - state.round))
    expected = ROUNDS_TYPICAL[state.seats] + BEYOND + 1 - state.round
    return min(ROUNDS_MANY, max(2, expected))


def _standing(state: State, seat: int, disc: int) -> Standing:
    """Return what a seat with a treasure disc has."""
    finds, modules = finds_now(state, seat, disc), sum(module_points(state, seat).values())
    green, grey, brown, blue, black = state.level[seat]
    near = sum(_near(state, seat))
    return Standing(
        finds * modules / 10,
        state.money[seat] / 10,
        finds / 10,
        modules / 10,
        sum(boat is not None for boat in state.submarines[seat]),
        near,
        near * modules / 10,
        state.employed[seat].bit_count(),
        len(free_researchers(state, seat)),
        len(state.hand[seat]),
        green,
        grey,
        brown,
        blue,
        black,
        len(state.known[seat]),
        float(state.first_seat == seat),
    )


def _near(state: State, seat: int) -> Iterator[float]:
    """Yield the discounted find points near each submarine at sea."""
    opened = abyss_open(state, seat)
    for boat in state.submarines[seat]:
        if boat is None:
            continue
        steps = steps_to_places(boat.cell)
        abyss = opened or boat.launched_in_abyss
        worths = (
            _points(find) * NEAR ** steps[place]
            for place, find in enumerate(state.hidden)
            if find and (abyss or PLACE_ZONES[place] != ABYSS_ZONE)
        )
        yield sum(worth * FURTHER**order for order, worth in enumerate(nlargest(3, worths)))


def _points(find: str) -> float:
    """Return what a find is expected to score, in find points."""
    sort = SORT[find]
    if sort == "treasure":
        return TREASURE
    return FIELD_VALUE[sort] + CREATURE if sort in FIELD_VALUE else OTHER


def named(weights: Sequence[float]) -> Odds:
    """Return weights in the order of `features` with their names."""
    half = len(Standing._fields)
    return Odds(Standing(*weights[:half]), Standing(*weights[half:]))


ODDS: Mapping[int, Odds] = {
    2: Odds(
        now=Standing(
            score=0.54,
            money=2.34,
            finds=0.69,
            modules=1.48,
            boats=-0.48,
            near=0.11,
            score_near=-0.16,
            employed=0.25,
            free=0.03,
            held=-0.16,
            green=0.29,
            grey=-0.4,
            brown=-0.18,
            blue=0.09,
            black=0.45,
            known=-0.15,
            begins=-0.03,
        ),
        later=Standing(
            score=-0.65,
            money=-0.98,
            finds=1.53,
            modules=1.2,
            boats=0.56,
            near=0.66,
            score_near=-0.08,
            employed=0.34,
            free=0.41,
            held=0.55,
            green=-0.17,
            grey=0.89,
            brown=0.23,
            blue=-0.01,
            black=-0.61,
            known=0.32,
            begins=0.21,
        ),
    ),
    3: Odds(
        now=Standing(
            score=0.92,
            money=2.08,
            finds=0.28,
            modules=0.92,
            boats=0.26,
            near=0.54,
            score_near=-0.05,
            employed=0.33,
            free=0.01,
            held=0.16,
            green=0.15,
            grey=0.31,
            brown=-0.01,
            blue=-0.19,
            black=0.07,
            known=-0.07,
            begins=0.05,
        ),
        later=Standing(
            score=-0.92,
            money=-0.71,
            finds=0.87,
            modules=-0.19,
            boats=0.21,
            near=-0.12,
            score_near=-0.42,
            employed=0.14,
            free=0.37,
            held=0.13,
            green=0.07,
            grey=-0.14,
            brown=0.18,
            blue=0.16,
            black=-0.12,
            known=0.03,
            begins=-0.0,
        ),
    ),
    4: Odds(
        now=Standing(
            score=0.91,
            money=2.35,
            finds=0.56,
            modules=1.32,
            boats=-0.17,
            near=0.39,
            score_near=0.15,
            employed=0.21,
            free=0.24,
            held=-0.1,
            green=0.03,
            grey=0.17,
            brown=-0.09,
            blue=0.07,
            black=0.03,
            known=-0.02,
            begins=0.09,
        ),
        later=Standing(
            score=-1.11,
            money=-1.32,
            finds=1.61,
            modules=-0.49,
            boats=0.44,
            near=-0.05,
            score_near=-0.47,
            employed=0.16,
            free=-0.12,
            held=0.41,
            green=-0.12,
            grey=-0.13,
            brown=0.18,
            blue=0.38,
            black=-0.14,
            known=0.03,
            begins=-0.18,
        ),
    ),
}
"""By seats. Found by `tests.bench.fit` in 1,000 matches each, and in 1,500 with four seats."""
