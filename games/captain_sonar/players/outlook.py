"""The worth of shots and questions, by what is known of both boats."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from games.captain_sonar.components import DAMAGE_MAX, GROUPS, Cell, distance
from games.captain_sonar.events import BEARING, public
from games.captain_sonar.model import State, Story, View
from games.captain_sonar.players.weights import PLAIN, Weights
from games.captain_sonar.rules.belief import Belief, Charts, beliefs
from games.captain_sonar.rules.crews import crew_of
from games.game import Seen


@dataclass(frozen=True)
class Outlook:
    """Where the enemy of a seat can be, and where the enemy can think the own boat is."""

    view: View | State
    crew: int
    enemy: Belief
    own: Belief
    weights: Weights = PLAIN

    @cached_property
    def charts(self) -> Charts:
        """The charts of the sea."""
        return self.own.charts

    @cached_property
    def chances(self) -> dict[Cell, float]:
        """Share of the hypotheses, by cell where the enemy can be."""
        weights = self.enemy.weights()
        total = sum(weights.values())
        return {cell: weight / total for cell, weight in weights.items()}

    @property
    def position(self) -> Cell | None:
        """The own boat's cell; None if the seat does not know it."""
        return self.view.crews[self.crew].position

    def away(self, cell: Cell) -> float:
        """Return the expected distance from a cell to the enemy."""
        return sum(
            share * (abs(cell[0] - there[0]) + abs(cell[1] - there[1]))
            for there, share in self.chances.items()
        )

    @property
    def armed(self) -> bool:
        """Whether a torpedo is known to be ready, or can be ready after the next move."""
        boat = self.view.crews[self.crew]
        return (
            boat.gauges is not None
            and boat.crossed is not None
            and boat.gauges["torpedo"] >= 2
            and GROUPS["weapon"].isdisjoint(boat.crossed)
        )

    @cached_property
    def gains(self) -> Mapping[Cell, float]:
        """Expected gain from damage to the enemy, by cell of the blast."""
        left, sinking = DAMAGE_MAX - self.view.damage[1 - self.crew], self.weights.sinking
        near, there = 1 + sinking * (left <= 1), 2 + sinking * (left <= 2)
        gains: dict[Cell, float] = {}
        for cell, share in self.chances.items():
            gains[cell] = gains.get(cell, 0.0) + share * there
            for beside in self.charts.sea.around[cell]:
                gains[beside] = gains.get(beside, 0.0) + share * near
        return gains

    def shot(self, cell: Cell) -> float:
        """Return the worth of a blast: damage to the enemy, minus damage to the own boat."""
        return self.shot_from(self.position, cell)

    def shot_from(self, place: Cell | None, cell: Cell) -> float:
        """Return the worth of a blast if the own boat is at a place."""
        felt = 0 if place is None else max(0, 2 - distance(cell, place))
        if felt >= DAMAGE_MAX - self.view.damage[self.crew]:
            return -self.weights.sinking
        return self.gains.get(cell, 0.0) - self.weights.own_damage * felt

    def drone(self, sector: int) -> float:
        """Return the share of the hypotheses that a drone rules out in any case."""
        board = self.charts.sectors[sector - 1]
        there = sum(
            share for cell, share in self.chances.items() if self.charts.bits((cell,)) & board
        )
        return min(there, 1 - there)

    def left_after(self, first: tuple[str, int], second: tuple[str, int]) -> int:
        """Count the cells that a sonar answer leaves for the own boat."""
        fits = self.charts.fact(*first) ^ self.charts.fact(*second)
        return (self.own.board & fits).bit_count()


def outlook_of(view: View, seen: Seen, weights: Weights = PLAIN) -> Outlook:
    """Return what a seat can conclude from everything announced so far."""
    crew, boats = crew_of(view, seen.seat), beliefs(story_of(view, seen))
    return Outlook(view, crew, boats[1 - crew], boats[crew], weights)


def beliefs_in(state: State) -> tuple[Belief, Belief]:
    """Return what a world tells about each boat; without a story, nothing."""
    return beliefs(state.story or Story(state.map, state.side, state.options.torpedo_over_islands))


def story_of(view: View, seen: Seen) -> Story:
    """Return the public story of all that a viewer has seen."""
    events = (event for record in seen.records for event in record.events)
    told = tuple(public(event) for event in events if type(event) in BEARING)
    return Story(view.map, view.side, view.options.torpedo_over_islands, told)
