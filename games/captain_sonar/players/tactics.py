"""What a captain looks ahead for: the torpedo that a move allows, and what the move reveals.

With a weight of zero either is left aside.
"""

from games.captain_sonar.components import Cell, Direction
from games.captain_sonar.players.gunnery import Bearings
from games.captain_sonar.rules.belief import Belief, sail


def prospect(bearings: Bearings, cell: Cell, direction: Direction) -> float:
    """Return the worth of an announced move to a cell."""
    weights = bearings.weights
    worth = 0.0
    if weights.attack and bearings.armed:
        worth += weights.attack * attack(bearings, cell)
    if weights.stealth:
        worth -= exposure(bearings, sail(bearings.own, direction))
    return worth


def attack(bearings: Bearings, cell: Cell) -> float:
    """Return the worth of the best torpedo from a cell; 0 if none pays."""
    over_islands = bearings.view.options.torpedo_over_islands
    targets = bearings.charts.sea.targets(cell, over_islands=over_islands)
    aims = bearings.gains.keys() & set(targets)
    return max((bearings.shot_from(cell, target) for target in aims), default=0.0)


def exposure(bearings: Bearings, known: Belief) -> float:
    """Return the cost of what the enemy knows of the own boat. It rises as the cells get fewer."""
    cells = max(1, known.board.bit_count())
    return bearings.weights.stealth / cells**bearings.weights.fading
