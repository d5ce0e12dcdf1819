"""What it is worth to build a module somewhere."""

from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf

from games.nautilus.components import AT, CELL, COLOUR, DOCKS, EXITS, PLACES_UNDER, ROTATIONS, Cell
from games.nautilus.fold import FRESH_TURN
from games.nautilus.model import Held, Placed
from games.nautilus.players.outlook import Outlook
from games.nautilus.rules.building import rise, spots


class Sites:
    """The building sites of one decision."""

    def __init__(self, outlook: Outlook) -> None:
        """Begin with the outlook of the seat that builds."""
        self.outlook = outlook
        self._costs: dict[int, float] = {}
        self._crew_gains: dict[tuple[int, int], list[float]] = {}
        self._harbours: dict[tuple[Cell, int], float] = {}
        self._docking: dict[int, list[tuple[int, int]]] = {}
        self._ways: dict[tuple[int, int], Sequence[int]] = {}

    def worth(self, held: Held, centre: int, rotation: int) -> float:
        """Return the worth of building a module there, less its price and covered finds."""
        exits = EXITS[held.module][rotation]
        if COLOUR[held.module] < 0:
            return self.crew_worth(centre, exits, held) - self.cost(centre)
        placed = Placed(held.module, CELL[centre], rotation, self.outlook.seat)
        return self.research_worth(placed, self.ways_from(centre, exits)) - self.cost(centre)

    def best(self, held: Held, paid: int) -> float:
        """Return the worth of the best site for a module, built alone, once `paid` N are spent."""
        docking = self.docking(paid)
        most = self.most(held) if docking else 0.0
        best = -inf
        for centre, wanted in docking:
            if most - self.cost(centre) <= best:
                break
            for exits, rotation in ROTATIONS[held.module]:
                if exits & wanted and (worth := self.worth(held, centre, rotation)) > best:
                    best = worth
        return best if docking else 0.0

    def most(self, held: Held) -> float:
        """Return a bound on the worth of a module, whatever its site, without the site's cost.

        No site is nearer to a module than the one beside it, nor better to launch from than the
        cell of the best finds.
        """
        outlook = self.outlook
        beside_all = [1] * len(outlook.state.modules)
        if COLOUR[held.module] < 0:
            return self._crew_sum(self._sooner(beside_all), held)
        return self._research(held.module, beside_all, lambda: outlook.launch_most)

    def docking(self, paid: int) -> list[tuple[int, int]]:
        """List the sites as `spots` does, once `paid` N are spent, those of least cost first."""
        docking = self._docking.get(paid)
        if docking is None:
            outlook = self.outlook
            trial = outlook.state.copy()
            trial.money[outlook.seat] -= paid
            trial.turn = FRESH_TURN
            docking = sorted(spots(trial, outlook.seat), key=lambda spot: self.cost(spot[0]))
            self._docking[paid] = docking
        return docking

    def cost(self, centre: int) -> float:
        """Return the worth of the price and of the finds that are covered."""
        cost = self._costs.get(centre)
        if cost is None:
            outlook = self.outlook
            cost = outlook.price(rise(outlook.state, centre))
            cost += sum(
                max(0.0, outlook.worths[place]) * outlook.weights.covering
                for place in PLACES_UNDER[centre]
                if place in outlook.worths
            )
            self._costs[centre] = cost
        return cost

    def ways_from(self, centre: int, exits: int) -> Sequence[int]:
        """Return the distances to all modules from a module that would be docked there."""
        ways = self._ways.get((centre, exits))
        if ways is None:
            ways = self._ways[centre, exits] = self._measured(centre, exits)
        return ways

    def _measured(self, centre: int, exits: int) -> Sequence[int]:
        outlook = self.outlook
        modules = outlook.state.modules
        found: Sequence[int] | None = None
        for d, i in enumerate(DOCKS[centre]):
            number = self.standing.get(i)
            if number is not None and exits >> d & 1:
                placed = modules[number]
                if EXITS[placed.id][placed.rot] >> (d ^ 4) & 1:
                    onward = outlook.beside[number]
                    found = onward if found is None else list(map(min, found, onward))
        return [len(modules)] * len(modules) if found is None else found

    @cached_property
    def standing(self) -> dict[int, int]:
        """Centre -> index of the module there."""
        modules = self.outlook.state.modules
        return {AT[placed.cell]: number for number, placed in enumerate(modules)}

    @cached_property
    def job_gains(self) -> list[tuple[int, float, float]]:
        """(Module, gain, part of the gain that comes without another crew) of every job."""
        outlook = self.outlook
        where_now = dict(outlook.free)
        soon: dict[tuple[int, float], list[float]] = {}
        for k, (module, gain) in outlook.duties.items():
            due = outlook.due(outlook.distances[where_now[k]][module], gain)
            soon.setdefault((module, gain), []).append(due)
        gains: list[tuple[int, float, float]] = []
        for job in outlook.jobs:
            others = soon.get(job)
            gains.append((*job, others.pop() if others else 0.0))
        return gains

    def crew_worth(self, centre: int, exits: int, held: Held) -> float:
        """Return the worth of a crew that starts somewhere: jobs that it does sooner, or at all."""
        return self._crew_sum(self._gained(centre, exits), held)

    def _crew_sum(self, gains: Sequence[float], held: Held) -> float:
        """Sum the best gains or plans, one for each researcher of a crew."""
        outlook = self.outlook
        hand = outlook.state.hand[outlook.seat]
        spare = len(outlook.free) - len(outlook.duties)
        spare += sum(len(other.researchers) for other in hand if other != held)
        best = sorted([*gains, *outlook.plans[spare:]], reverse=True)
        return sum(best[: len(held.researchers)])

    def _gained(self, centre: int, exits: int) -> list[float]:
        gains = self._crew_gains.get((centre, exits))
        if gains is None:
            gains = self._sooner(self.ways_from(centre, exits))
            self._crew_gains[centre, exits] = gains
        return gains

    def _sooner(self, ways: Sequence[int]) -> list[float]:
        """Return what is gained on each job that a crew does sooner from so far away."""
        steps = self.outlook.steps
        gains = [gain * steps[ways[module]] - due for module, gain, due in self.job_gains]
        return [gain for gain in gains if gain > 0]

    def research_worth(self, placed: Placed, ways: Sequence[int]) -> float:
        """Return the worth of a research module: a level soon, and a place to launch from."""
        return self._research(placed.id, ways, lambda: self.harbour(placed))

    def _research(self, module: str, ways: Sequence[int], launch: Callable[[], float]) -> float:
        outlook = self.outlook
        gain, steps = outlook.activations[COLOUR[module]], outlook.steps
        staffed = [gain * steps[ways[where]] - left for where, left in self.crews]
        worth = max([gain * outlook.weights.unstaffed, *staffed])
        if outlook.idle_boats:
            worth += outlook.weights.harbour * max(0.0, launch() - self.best_harbour)
        return worth

    @cached_property
    def crews(self) -> list[tuple[int, float]]:
        """(Module, worth of the duty that it would leave) of every free researcher."""
        outlook = self.outlook
        crews: list[tuple[int, float]] = []
        for k, where in outlook.free:
            duty = outlook.duties.get(k)
            left = outlook.due(outlook.distances[where][duty[0]], duty[1]) if duty else 0.0
            crews.append((where, left))
        return crews

    @cached_property
    def best_harbour(self) -> float:
        """Worth of launching from the best research module on the board."""
        return max(self.outlook.launches.values(), default=0.0)

    def harbour(self, placed: Placed) -> float:
        """Return the worth of launching from a module that would be built."""
        mouths_of = placed.cell, EXITS[placed.id][placed.rot]
        worth = self._harbours.get(mouths_of)
        if worth is None:
            worth = self._harbours[mouths_of] = self.outlook.launch(placed)
        return worth
