"""What things are worth to a seat, as far as its view tells: the numbers that the bot weighs.

Worth is counted in points of score. The score is finds times modules plus money, so one more find
point is worth the module points that the seat may end with, and the other way round.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import ceil
from operator import mul

from games.game import HIDDEN
from games.nautilus.components import (
    ABILITY,
    ABYSS_ZONE,
    BLACK,
    BLUE,
    COLOUR,
    COLOURS,
    COLUMNS,
    CREATURES,
    FEE,
    FIELD_VALUE,
    GREEN,
    PLACE_ZONES,
    ROWS,
    SORT,
    SUBMARINES,
    Cell,
)
from games.nautilus.ending import module_points, treasure_discs
from games.nautilus.model import Boat, Options, Placed, State, View
from games.nautilus.players.sample import public_state, unseen_finds
from games.nautilus.players.weights import PLAIN, Weights
from games.nautilus.rules.harbour import launch_cells
from games.nautilus.rules.mission import mission_finds
from games.nautilus.rules.research import free_researchers, own_modules
from games.nautilus.rules.sailing import abyss_open, speed
from games.nautilus.rules.sea import boats_afloat, covered, steps_to_places

ROUNDS_TYPICAL = {2: 18, 3: 16, 4: 14}
"""By seats: length of matches between bots, in rounds."""
TO_WAIT = 5
"""N that suffice to buy and build another module a round later."""
Offer = tuple[int, float]
"""A find place, and the worth of collecting the find there."""


def finds_now(state: State, seat: int, disc: int) -> int:
    """Return a seat's find points with a treasure disc; mission finds count without payment."""
    fields = sum(FIELD_VALUE[SORT[find]] for find in state.fields[seat])
    return fields + mission_finds(state, seat) + disc


class Outlook:
    """One seat's estimate of the match at one decision."""

    def __init__(self, view: View, seat: int, options: Options, weights: Weights = PLAIN) -> None:
        """Begin with the view of a seat."""
        self.state: State = public_state(view, options)
        self.seat = seat
        self.weights = weights
        self._launch_worths: dict[Cell, float] = {}
        self._crowded: dict[str, set[int]] = {}
        self._finds: dict[str, list[Offer]] = {}
        self._staying: dict[str, float] = {}

    @cached_property
    def rounds_left(self) -> int:
        """Number of rounds after this one, known or estimated."""
        state = self.state
        if state.end_round:
            return max(0, state.end_round - state.round)
        return max(2, ROUNDS_TYPICAL[state.seats] + self.weights.beyond - state.round)

    @cached_property
    def coin(self) -> float:
        """Worth of 1 N: more than a point early, a point in the end."""
        return 1 + self.weights.fuel * min(1.0, self.rounds_left / self.weights.fuel_rounds)

    def price(self, cost: int) -> float:
        """Return the worth of spending N; the reserve is dearer than the rest."""
        short = min(cost, max(0, self.reserve + cost - self.state.money[self.seat]))
        return cost * self.coin + short * (self.module_points - self.coin)

    @cached_property
    def reserve(self) -> float:
        """N to keep for fees and mission finds (NAU-62, NAU-79)."""
        return self.weights.fees_kept * bool(self.rounds_left) + mission_finds(
            self.state, self.seat
        )

    @cached_property
    def find_points(self) -> float:
        """Find points expected at the end."""
        state, seat = self.state, self.seat
        now = finds_now(state, seat, treasure_discs(state)[seat])
        return max(3.0, now + self.weights.finding * self.rounds_left)

    @cached_property
    def module_points(self) -> float:
        """Module points expected at the end."""
        now = sum(module_points(self.state, self.seat).values())
        return max(2.0, min(15.0, now + self.weights.growing * self.rounds_left))

    @cached_property
    def may_wait(self) -> bool:
        """Whether the only module in hand may wait for another one (NAU-27, NAU-31)."""
        turn, money = self.state.turn, self.state.money[self.seat]
        bound = turn.built or turn.must_build or len(self.state.hand[self.seat]) > 1
        return not bound and self.rounds_left > 1 and money >= TO_WAIT

    # ---- finds -----------------------------------------------------------------------------------

    def face_worth(self, find: str, zone: int) -> float:
        """Return the worth of collecting a known find."""
        sort = SORT[find]
        if sort == "chest":
            level = self.state.level[self.seat][BLACK]
            return ABILITY[BLACK][level] * self.coin
        if sort == "thrust":
            return self.weights.thrust * self.module_points
        if sort == "treasure":
            points = self.weights.treasure
        else:
            points = float(FIELD_VALUE[sort])
            if sort in CREATURES[self.state.mission[self.seat]]:
                points += 1 - 1 / max(1.0, self.module_points)
            if not FIELD_VALUE[sort]:
                points += self.weights.look * ABILITY[BLUE][self.state.level[self.seat][BLUE]]
        if self.state.money[self.seat] < FEE[zone]:
            return 0.0
        return points * self.module_points - FEE[zone] * self.coin

    @cached_property
    def zone_worths(self) -> list[list[float]]:
        """By zone: the worths of the unseen finds, ascending."""
        return [
            sorted(self.face_worth(find, zone) for find in finds)
            for zone, finds in enumerate(unseen_finds(self.state))
        ]

    @cached_property
    def worths(self) -> dict[int, float]:
        """Find place -> worth of collecting the find there; the mean if it is unknown."""
        means = [sum(worths) / max(1, len(worths)) for worths in self.zone_worths]
        return {
            place: means[PLACE_ZONES[place]]
            if find == HIDDEN
            else self.face_worth(find, PLACE_ZONES[place])
            for place, find in enumerate(self.state.hidden)
            if find
        }

    @cached_property
    def abyss_opened(self) -> bool:
        """Whether the abyss is open to all submarines of the seat."""
        return abyss_open(self.state, self.seat)

    def prospect(self, cell: Cell, rounds: int, finds: Sequence[Offer], skip: int = -1) -> float:
        """Return the worth of being on a cell with some dives to come, without one place."""
        steps, waits = steps_to_places(cell), self.waits
        gains = [worth * waits[steps[place]] for place, worth in finds if place != skip]
        gains.sort(reverse=True)
        return sum(map(mul, gains[: min(3, rounds)], self.orders))

    @cached_property
    def launch_most(self) -> float:
        """A bound on the worth of launching, wherever it is."""
        best = sorted((worth for _, worth in self.open_worths), reverse=True)
        return sum(map(mul, best, self.orders)) * self.weights.launching

    @cached_property
    def orders(self) -> tuple[float, float, float]:
        """Factors of the best three finds."""
        further = self.weights.further
        return 1.0, further, further**2

    @cached_property
    def waits(self) -> list[float]:
        """By steps to sail: factor of a gain until a submarine gets there."""
        cells = speed(self.state, self.seat)
        return [self.weights.patience ** ceil(steps / cells) for steps in range(COLUMNS + ROWS)]

    @cached_property
    def open_worths(self) -> list[Offer]:
        """All finds that are worth collecting."""
        return [(place, worth) for place, worth in self.worths.items() if worth > 0]

    @cached_property
    def upper_worths(self) -> list[Offer]:
        """The same outside the abyss."""
        return [
            (place, worth) for place, worth in self.open_worths if PLACE_ZONES[place] != ABYSS_ZONE
        ]

    def crowding(self, submarine: str) -> set[int]:
        """Return the find places to which another own submarine is nearer than this one."""
        crowded = self._crowded.get(submarine)
        if crowded is None:
            boats = dict(zip(SUBMARINES[self.seat], self.state.submarines[self.seat], strict=True))
            own = boats.pop(submarine)
            assert own is not None, "a submarine at sea"
            steps = steps_to_places(own.cell)
            others = [steps_to_places(boat.cell) for boat in boats.values() if boat is not None]
            crowded = {
                place
                for place in self.worths
                if any(other[place] < steps[place] for other in others)
            }
            self._crowded[submarine] = crowded
        return crowded

    def finds_for(self, boat: Boat, submarine: str) -> list[Offer]:
        """Return the finds that an own submarine may collect, without the crowded ones."""
        finds = self._finds.get(submarine)
        if finds is None:
            abyss = self.abyss_opened or boat.launched_in_abyss
            crowded = self.crowding(submarine)
            finds = self._finds[submarine] = [
                (place, worth)
                for place, worth in (self.open_worths if abyss else self.upper_worths)
                if place not in crowded
            ]
        return finds

    def staying(self, boat: Boat, submarine: str) -> float:
        """Return the worth of leaving a submarine where it is."""
        worth = self._staying.get(submarine)
        if worth is None:
            finds = self.finds_for(boat, submarine)
            worth = self.prospect(boat.cell, self.rounds_left, finds)
            self._staying[submarine] = worth
        return worth

    # ---- modules ---------------------------------------------------------------------------------

    @cached_property
    def own_modules(self) -> int:
        """Modules where the seat has researchers."""
        return own_modules(self.state, self.seat)

    def activation(self, colour: int) -> float:
        """Return the worth of the next level in a colour."""
        state, seat, weights = self.state, self.seat, self.weights
        level = state.level[seat][colour] + 1
        rival = max(levels[colour] for other, levels in enumerate(state.level) if other != seat)
        if level == 1:
            points = weights.first if rival < 2 else weights.first_behind
            points *= min(1.0, self.rounds_left / 3)
        elif level == 2:
            points = weights.second if rival < 2 else weights.second_behind
        elif state.three[colour] == seat:
            points = weights.third_held
        else:
            points = weights.third_ahead if level > rival else weights.third
        if level <= 2:
            points += self.abilities[colour] * min(1.0, self.rounds_left / 8)
        return points * self.find_points

    @cached_property
    def abilities(self) -> tuple[float, ...]:
        """By colour: module points of a better ability."""
        weights = self.weights
        return weights.green, weights.grey, weights.brown, weights.blue, weights.black

    @cached_property
    def activations(self) -> list[float]:
        """By colour: worth of the next level."""
        return [self.activation(colour) for colour in range(len(COLOURS))]

    def stop(self, number: int) -> float:
        """Return the worth of employing a researcher in a module where the seat has none."""
        placed = self.state.modules[number]
        rent = self.price(1) + self.weights.rent if placed.owner not in (-1, self.seat) else 0.0
        return self.activations[COLOUR[placed.id]] - rent

    @cached_property
    def targets(self) -> dict[int, float]:
        """Research module still to be activated -> worth of it, if positive."""
        worths = {
            number: self.stop(number)
            for number, placed in enumerate(self.state.modules)
            if COLOUR[placed.id] >= 0 and not self.own_modules >> number & 1
        }
        return {number: worth for number, worth in worths.items() if worth > 0}

    @cached_property
    def idle_boats(self) -> int:
        """Submarines in stock."""
        return self.state.submarines[self.seat].count(None)

    @cached_property
    def taken(self) -> int:
        """Cells under modules and submarines."""
        return covered(self.state) | boats_afloat(self.state)

    def launch(self, placed: Placed) -> float:
        """Return the worth of launching from a module."""
        cells = launch_cells(self.state, placed, self.taken)
        return max(map(self.launch_from, cells), default=0.0)

    def launch_from(self, cell: Cell) -> float:
        """Return the worth of launching on a cell."""
        worth = self._launch_worths.get(cell)
        if worth is None:
            finds = self.open_worths if self.abyss_opened else self.upper_worths
            worth = self.prospect(cell, self.rounds_left + 1, finds)
            worth *= self.weights.launching
            self._launch_worths[cell] = worth
        return worth

    @cached_property
    def launches(self) -> dict[int, float]:
        """Research module -> worth of launching there; empty without a submarine in stock."""
        if not self.idle_boats:
            return {}
        return {
            number: self.launch(placed)
            for number, placed in enumerate(self.state.modules)
            if COLOUR[placed.id] >= 0
        }

    @cached_property
    def distances(self) -> Sequence[Sequence[int]]:
        """Number of passages between any two modules."""
        return _distances(tuple(self.state.passages))

    @cached_property
    def beside(self) -> Sequence[Sequence[int]]:
        """Number of passages to all modules from one that is joined to a module, by its number."""
        most = len(self.state.modules)
        return [[min(most, way + 1) for way in ways] for ways in self.distances]

    @cached_property
    def stride(self) -> int:
        """Researcher moves in a turn."""
        return ABILITY[GREEN][self.state.level[self.seat][GREEN]]

    @cached_property
    def free(self) -> list[tuple[int, int]]:
        """Free researchers on the board, with their modules."""
        return free_researchers(self.state, self.seat)

    @cached_property
    def jobs(self) -> list[tuple[int, float]]:
        """(Module, gain) of all work for researchers: to be employed or to launch."""
        jobs = list(self.targets.items())
        manned = [job for job in self.launches.items() if self.own_modules >> job[0] & 1]
        if manned:
            jobs += [max(manned, key=lambda job: job[1])] * self.idle_boats
        return jobs

    @cached_property
    def steps(self) -> list[float]:
        """By researcher moves: factor of a gain until a researcher gets there; 0 if it is late."""
        last = (self.rounds_left + 1) * self.stride
        step = self.weights.step
        return [step**way if way <= last else 0.0 for way in range(len(self.state.modules) + 2)]

    def due(self, way: int, gain: float) -> float:
        """Discount a gain by the moves to get there."""
        return gain * self.steps[way]

    @cached_property
    def duties(self) -> dict[int, tuple[int, float]]:
        """Free researcher -> its job (module, gain). Each job is assigned at most once."""
        offers = sorted(
            (
                (self.due(self.distances[where][module], gain), k, job)
                for k, where in self.free
                for job, (module, gain) in enumerate(self.jobs)
            ),
            reverse=True,
        )
        duties: dict[int, tuple[int, float]] = {}
        given: set[int] = set()
        for _, k, job in offers:
            if k not in duties and job not in given:
                duties[k] = self.jobs[job]
                given.add(job)
        return duties

    @cached_property
    def plans(self) -> list[float]:
        """Worths of employment in modules still to be bought, one a round, the best first."""
        colours = {COLOUR[module] for module in self.state.supply} - {-1}
        worths = sorted((self.activations[colour] for colour in colours), reverse=True)
        return [
            worth * self.weights.plan * self.weights.patience**order
            for order, worth in enumerate(worths)
        ][: min(3, self.rounds_left)]


@lru_cache(maxsize=256)
def _distances(passages: Sequence[int]) -> Sequence[Sequence[int]]:
    """Return the distances in a station; the same one is asked for again and again in playouts."""
    return [_distances_from(passages, number) for number in range(len(passages))]


def _distances_from(passages: Sequence[int], start: int) -> Sequence[int]:
    found = [len(passages)] * len(passages)
    seen = front = 1 << start
    way = 0
    while front:
        onward = 0
        while front:
            low = front & -front
            number = low.bit_length() - 1
            found[number] = way
            onward |= passages[number]
            front ^= low
        front = onward & ~seen
        seen |= front
        way += 1
    return found
