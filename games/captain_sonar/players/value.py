"""Each crew's chance of winning, which judges playouts that are cut short."""

from collections.abc import Sequence
from math import log
from typing import NamedTuple

from games.captain_sonar.components import sea_of
from games.captain_sonar.model import State
from games.captain_sonar.players.captain import ROOM_MAX, room
from games.captain_sonar.players.officers import board_cost
from games.captain_sonar.players.outlook import Outlook, beliefs_in
from games.captain_sonar.players.tactics import attack
from games.captain_sonar.players.weights import TUNED
from games.captain_sonar.rules.belief import Belief
from games.search.odds import weighed


class Standing(NamedTuple):
    """What a crew has; or what each of that adds to its log-odds of winning."""

    hit: float
    """1 with at least one point of damage; the next two fields with two and three."""
    hurt: float
    crippled: float
    hidden: float
    """Natural logarithm of the number of cells where the enemy can think the boat is."""
    torpedo: float
    """Marks."""
    shot: float
    """Worth of the best torpedo from here, if one is ready, or can be after the next move."""
    mines: float
    """Mines laid."""
    board: float
    """Cost of the engineer's board."""
    room: float
    """Open water ahead, as a part of `ROOM_MAX`."""
    turn: float
    """1 for the crew whose turn it is."""
    turn_shot: float
    """The worth of its best torpedo."""


def stage(state: State) -> int:
    """Return the number of turns so far; in real time, of moves."""
    return state.turn_no if state.mode == "turns" else state.courses_total


def value(state: State) -> list[float]:
    """Estimate each crew's chance of winning."""
    return weighed(ODDS, features(state))


def features(state: State) -> list[Standing]:
    """Return by crew the numbers that `ODDS` weighs."""
    boats = beliefs_in(state)
    return [_standing(state, crew, boats) for crew in (0, 1)]


def _standing(state: State, crew: int, boats: Sequence[Belief]) -> Standing:
    boat, damage = state.crews[crew], state.damage[crew]
    outlook = Outlook(state, crew, boats[1 - crew], boats[crew], TUNED)
    shot = space = 0.0
    if boat.position is not None:
        shot = max(0.0, attack(outlook, boat.position)) if outlook.armed else 0.0
        sea = sea_of(state.map, state.side)
        space = room(sea, boat.position, {*boat.route, *boat.mines}) / ROOM_MAX
    on_turn = float(state.active_crew == crew)
    return Standing(
        damage >= 1,
        damage >= 2,
        damage >= 3,
        log(max(1, boats[crew].board.bit_count())),
        boat.gauges["torpedo"],
        shot,
        len(boat.mines),
        board_cost(TUNED, frozenset(boat.crossed)),
        space,
        on_turn,
        on_turn * shot,
    )


ODDS = Standing(
    hit=-1.1,
    hurt=-1.55,
    crippled=-1.32,
    hidden=0.21,
    torpedo=0.14,
    shot=0.2,
    mines=0.12,
    board=-0.05,
    room=0.06,
    turn=0.01,
    turn_shot=0.19,
)
"""Found by `tests.bench.fit` in 2,400 matches of two seats."""
