"""What a captain looks ahead for: the torpedo that a course opens, and what it gives away.

Zero weights leave either aside.
"""

from games.captain_sonar.components import Cell, Direction
from games.captain_sonar.players.gunnery import Bearings
from games.captain_sonar.rules.belief import Belief, course


def prospect(bearings: Bearings, cell: Cell, direction: Direction) -> float:
    """Judge an announced course by the cell that it leads to."""
    doctrine = bearings.doctrine
    worth = 0.0
    if doctrine.attack and bearings.armed:
        worth += doctrine.attack * attack(bearings, cell)
    if doctrine.stealth:
        worth -= exposure(bearings, course(bearings.own, direction))
    return worth


def attack(bearings: Bearings, cell: Cell) -> float:
    """Give the worth of the best torpedo from a cell; 0 where none pays."""
    over_islands = bearings.view.options.torpedo_over_islands
    targets = bearings.charts.sea.targets(cell, over_islands=over_islands)
    aims = bearings.gains.keys() & set(targets)
    return max((bearings.shot_from(cell, target) for target in aims), default=0.0)


def exposure(bearings: Bearings, known: Belief) -> float:
    """Give the cost of all that the enemy knows of the own boat: the fewer cells, the more."""
    cells = max(1, known.board.bit_count())
    return bearings.doctrine.stealth / cells**bearings.doctrine.fading
