"""Choices that crews usually make on their sheets, so that drawn sheets look like theirs."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from games.captain_sonar.components import PANELS, Direction
from games.captain_sonar.events import (
    BEARING,
    ArcherMineTriggered,
    CourseOrdered,
    Event,
    SilenceRun,
    TorpedoLaunched,
)
from games.captain_sonar.players.officers import cost_after, gauge_order
from games.captain_sonar.players.weights import TUNED
from games.captain_sonar.rules.belief import Charts, beginning, hear


def orders_of(charts: Charts, history: Sequence[Event], crew: int) -> Mapping[int, Sequence[str]]:
    """Return the order in which a crew would mark its gauges, by the place of each move."""
    enemy = beginning(charts, 1 - crew)
    bounty = set(charts.sea.archer_mines)
    orders: dict[int, Sequence[str]] = {}
    for place, event in enumerate(history):
        if type(event) in BEARING:
            enemy = hear(enemy, event)
        match event:
            case TorpedoLaunched(target=cell) | ArcherMineTriggered(cell=cell):
                bounty.discard(cell)
            case CourseOrdered() | SilenceRun() if event.crew == crew:
                orders[place] = gauge_order(TUNED, enemy, bounty=bool(bounty))
            case _:
                pass
    return orders


@lru_cache(maxsize=1 << 16)
def preferred(
    crossed: frozenset[str], direction: Direction, *, damage_first: bool
) -> frozenset[str]:
    """Return the symbols of a panel that leave the best board."""
    costs = {
        symbol: cost_after(TUNED, crossed, symbol, damage_first=damage_first)
        for symbol in PANELS[direction]
        if symbol not in crossed
    }
    least = min(costs.values(), default=0.0)
    return frozenset(symbol for symbol, cost in costs.items() if cost == least)
