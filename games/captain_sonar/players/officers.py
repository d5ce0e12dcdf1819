"""The choices of first mate, engineer and radio operator."""

from collections.abc import Sequence
from functools import lru_cache

from games.captain_sonar.commands import AnswerSonar, CrossSymbol, MarkGauge, SetOverlay
from games.captain_sonar.components import CIRCUITS, GROUPS, PANELS, SYMBOLS
from games.captain_sonar.players.outlook import Outlook
from games.captain_sonar.players.sheets import cross
from games.captain_sonar.players.weights import Weights
from games.captain_sonar.rules.belief import Belief
from games.chance import Chance

BOUNTY = ("torpedo", "scenario", "sonar", "drone", "mine", "silence")
"""Gauges in the order of marks while mines of Archer's are active."""

SYSTEMS = ("weapon", "detection", "special")
RADIATION = (0.0, 0.1, 0.3, 0.7, 1.5, 3.0)
"""Cost, by the number of crossed radiation symbols."""
PANEL = (0.0, 0.0, 0.1, 0.4, 1.0, 2.5)
"""Cost, by the number of crossed symbols of a panel."""
HALFWAY = (0.0, 0.1, 0.5, 1.2)
"""Worth, by the number of crossed symbols of a circuit."""


def choose_mark(outlook: Outlook, options: Sequence[MarkGauge]) -> MarkGauge:
    """Mark weapons first; mark what finds the enemy first if it is lost."""
    bounty = bool(outlook.view.archer_mines)
    order = gauge_order(outlook.weights, outlook.enemy, bounty=bounty)
    return min(options, key=lambda command: order.index(command.gauge))


def gauge_order(weights: Weights, enemy: Belief, *, bounty: bool) -> Sequence[str]:
    """Return the gauges in the order of marks. `bounty`: mines of Archer's are active."""
    if enemy.board.bit_count() <= weights.lost_at_most:
        return weights.hunting
    return BOUNTY if bounty else weights.seeking


def choose_symbol(outlook: Outlook, options: Sequence[CrossSymbol], chance: Chance) -> CrossSymbol:
    """Cross a symbol that leaves the best board."""
    crossed = outlook.view.crews[outlook.crew].crossed or ()
    harder = outlook.view.options.damage_first
    costs = {
        command: cost_after(
            outlook.weights, frozenset(crossed), command.symbol, damage_first=harder
        )
        for command in options
    }
    least = min(costs.values())
    return chance.choice([command for command, cost in costs.items() if cost == least])


def panel_cost(
    weights: Weights, crossed: frozenset[str], direction: str, *, damage_first: bool
) -> float:
    """Return the cost of the board after the best crossing on a panel."""
    return min(
        cost_after(weights, crossed, symbol, damage_first=damage_first)
        for symbol in PANELS[direction]
        if symbol not in crossed
    )


def cost_after(
    weights: Weights, crossed: frozenset[str], symbol: str, *, damage_first: bool
) -> float:
    """Return the cost of a crossing and of the board that it leaves."""
    after, broke = cross(crossed, symbol, damage_first=damage_first)
    return weights.damage * broke + board_cost(weights, after)


@lru_cache(maxsize=1 << 14)
def board_cost(weights: Weights, crossed: frozenset[str]) -> float:
    """Return the cost of a board.

    Broken systems, radiation and filling panels cost; circuits about to repair themselves count
    against it.
    """
    cost = weights.symbol * sum(SYMBOLS[symbol].group in SYSTEMS for symbol in crossed)
    cost += sum(
        price
        for group, price in zip(SYSTEMS, weights.broken, strict=True)
        if not GROUPS[group].isdisjoint(crossed)
    )
    cost += weights.radiation * RADIATION[len(GROUPS["radiation"] & crossed)]
    panels = (PANEL[len(crossed.intersection(panel))] for panel in PANELS.values())
    circuits = (HALFWAY[len(circuit & crossed)] for circuit in CIRCUITS.values())
    return cost + weights.panel * sum(panels) - weights.halfway * sum(circuits)


def choose_answer(outlook: Outlook, options: Sequence[AnswerSonar], chance: Chance) -> AnswerSonar:
    """Answer so that the most cells are left for the own boat."""
    left = {
        answer: outlook.left_after((answer.kind_a, answer.value_a), (answer.kind_b, answer.value_b))
        for answer in options
    }
    most = max(left.values())
    return chance.choice([answer for answer, count in left.items() if count == most])


def choose_origin(outlook: Outlook, chance: Chance) -> SetOverlay:
    """Assume a start from which the enemy may have come."""
    return SetOverlay(chance.choice(outlook.enemy.starts()))
