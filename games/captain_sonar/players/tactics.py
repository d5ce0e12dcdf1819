"""What a captain looks ahead for: the torpedo that a move allows, and what the move reveals.

With a weight of zero either is left aside.
"""

from games.captain_sonar.components import Cell, Direction
from games.captain_sonar.players.outlook import Outlook
from games.captain_sonar.rules.belief import Belief, sail


def prospect(outlook: Outlook, cell: Cell, direction: Direction) -> float:
    """Return the worth of an announced move to a cell."""
    weights = outlook.weights
    worth = 0.0
    if weights.attack and outlook.armed:
        worth += weights.attack * attack(outlook, cell)
    if weights.stealth:
        worth -= exposure(outlook, sail(outlook.own, direction))
    return worth


def attack(outlook: Outlook, cell: Cell) -> float:
    """Return the worth of the best torpedo from a cell; 0 if none pays."""
    over_islands = outlook.view.options.torpedo_over_islands
    targets = outlook.charts.sea.targets(cell, over_islands=over_islands)
    aims = outlook.gains.keys() & set(targets)
    return max((outlook.shot_from(cell, target) for target in aims), default=0.0)


def exposure(outlook: Outlook, known: Belief) -> float:
    """Return the cost of what the enemy knows of the own boat. It rises as the cells get fewer."""
    cells = max(1, known.board.bit_count())
    return outlook.weights.stealth / cells**outlook.weights.fading
