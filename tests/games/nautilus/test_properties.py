"""Invariants of every match, and the fast rules compared with plain ones."""

from collections import deque

import msgspec
import pytest

from games.chance import Chance
from games.nautilus import GAME
from games.nautilus.commands import MoveSubmarine, PlaceModule
from games.nautilus.components import (
    AT,
    COLOURS,
    COLUMNS,
    DIRECTIONS,
    EXITS,
    PLACE_OF,
    ROWS,
    SUBMARINES,
    ZONE,
    Cell,
)
from games.nautilus.events import (
    FindTaken,
    GameScored,
    MissionPaid,
    ModuleActivated,
    ModuleBought,
    ModulePlaced,
    SonarUsed,
    TurnAdvanced,
)
from games.nautilus.model import Boat, Options, State
from games.playout import at_random, plies, seed_of
from tests.games.nautilus.laws import census

TABLES = [(seats, number) for seats in (2, 3, 4) for number in range(6)]


def playout(seats: int, number: int):
    random = at_random(Chance(seed_of(number), 1 << 41))
    return plies(GAME, seats, Options(), seed_of(number), random)


def to_bank(event) -> int:
    """Return the N that an event moves from the seats to the bank."""
    match event:
        case ModuleBought(cost=cost) | ModulePlaced(cost=cost):
            return cost
        case SonarUsed():
            return 1
        case FindTaken(fee=fee, gain=gain):
            return fee - gain
        case MissionPaid(count=count):
            return count
        case _:
            return 0


@pytest.mark.rule("NAU-5", "NAU-12", "NAU-13", "NAU-27", "NAU-41", "NAU-52", "NAU-62", "NAU-68")
@pytest.mark.parametrize(("seats", "number"), TABLES)
def test_every_n_goes_where_an_event_says(seats, number):
    """Seats and bank together keep their money: rent goes from seat to seat."""
    total = bank = 0
    for state, ply in playout(seats, number):
        if ply.seat is None:
            total = sum(state.money)
        bank += sum(map(to_bank, ply.events))
        assert sum(state.money) + bank == total
        assert min(state.money) >= 0


@pytest.mark.parametrize(("seats", "number"), TABLES)
def test_figures_modules_finds_and_cards_stay_the_same(seats, number):
    counted = set()
    for state, _ in playout(seats, number):
        counted.add(msgspec.json.encode(census(state)))
    assert len(counted) == 1


@pytest.mark.rule("NAU-20", "NAU-23", "NAU-24", "NAU-37", "NAU-40", "NAU-45")
@pytest.mark.parametrize(("seats", "number"), TABLES)
def test_the_station_stays_sound(seats, number):
    """Modules do not overlap, all are connected, and levels count employed researchers."""
    for state, ply in playout(seats, number):
        if not any(isinstance(event, (ModulePlaced, ModuleActivated)) for event in ply.events):
            continue
        centres = [placed.cell for placed in state.modules]
        for k, one in enumerate(centres):
            for other in centres[k + 1 :]:
                across, down = abs(one[0] - other[0]), abs(one[1] - other[1])
                assert across >= 3 or down >= 3 or across == down == 2
        reached, front = 1, [0]
        while front:
            fresh = state.passages[front.pop()] & ~reached
            reached |= fresh
            front += [k for k in range(len(centres)) if fresh >> k & 1]
        assert reached == (1 << len(centres)) - 1
        for seat in range(seats):
            assert sum(state.level[seat]) == state.employed[seat].bit_count()
        for colour, holder in enumerate(state.three):
            top = max(levels[colour] for levels in state.level)
            assert (holder == -1) == (top < 2)
            assert holder == -1 or state.level[holder][colour] == top


@pytest.mark.parametrize(("seats", "number"), TABLES)
def test_at_most_one_advance_and_it_comes_last(seats, number):
    for state, ply in playout(seats, number):
        advances = [event for event in ply.events if isinstance(event, TurnAdvanced)]
        assert len(advances) <= 1
        if advances:
            assert ply.events[-1] is advances[0]
            point = (state.round, state.phase, state.step, state.active)
            last = advances[0]
            assert point == (last.round, last.phase, last.step, last.seat)
        assert (state.phase == "over") == isinstance(ply.events[-1], GameScored)


# ---- the same rules, written plainly -------------------------------------------------------------


def exits(module: str, rot: int) -> set[Cell]:
    """Return the directions of a module's exits as unit steps."""
    steps = {
        "n": (0, -1), "ne": (1, -1), "e": (1, 0), "se": (1, 1),
        "s": (0, 1), "sw": (-1, 1), "w": (-1, 0), "nw": (-1, -1),
    }  # fmt: skip
    return {steps[name] for d, name in enumerate(DIRECTIONS) if EXITS[module][rot] >> d & 1}


def side(one: Cell, other: Cell) -> Cell | None:
    """Return the direction in which two modules touch (NAU-23)."""
    across, down = other[0] - one[0], other[1] - one[1]
    if (abs(across), abs(down)) in ((3, 0), (0, 3), (2, 2)):
        return (across > 0) - (across < 0), (down > 0) - (down < 0)
    return None


def plain_placement(state: State, seat: int, module: str, cell: Cell, rot: int) -> bool:
    """Return whether a placement is legal, rule by rule (NAU-19 to NAU-27)."""
    square = [(cell[0] + i, cell[1] + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    if not all(c in AT for c in square):
        return False
    for placed in state.modules:
        across, down = abs(cell[0] - placed.cell[0]), abs(cell[1] - placed.cell[1])
        if across < 3 and down < 3 and not across == down == 2:
            return False
    boats = [boat.cell for boats in state.submarines for boat in boats if boat]
    if any(boat in square for boat in boats):
        return False
    passage = False
    for placed in state.modules:
        way = side(cell, placed.cell)
        if way and way in exits(module, rot):
            passage |= (-way[0], -way[1]) in exits(placed.id, placed.rot)
    own = [placed.cell for placed in state.modules if placed.id in state.turn.built]
    touches = not own or any(side(cell, other) for other in own)
    rank = max(ZONE[AT[c]] + 1 for c in square)
    price = max(0, rank - state.turn.paid_rank)
    return passage and touches and price <= state.money[seat]


@pytest.mark.rule("NAU-19", "NAU-20", "NAU-22", "NAU-23", "NAU-24", "NAU-26", "NAU-27")
def test_placements_are_those_of_the_plain_rules():
    """Compare all cells and rotations, at some positions with each number of seats."""
    tried = 0
    for seats, number in TABLES[::3]:
        met = 0
        for state, _ in playout(seats, number):
            if state.step != "place" or not state.hand[state.active]:
                continue
            met += 1
            if met % 12:
                continue
            seat = state.active
            legal = {c for c in GAME.legal(state, seat) if isinstance(c, PlaceModule)}
            for held in state.hand[seat]:
                module = held.module
                turns = EXITS[module]
                expected = {
                    PlaceModule(module, cell, rot)
                    for cell in AT
                    for rot in range(4)
                    if turns.index(turns[rot]) == rot
                    and plain_placement(state, seat, module, cell, rot)
                }
                assert {c for c in legal if c.module == module} == expected
                tried += 1
    assert tried > 10


def plain_distances(state: State, start: Cell, limit: int, abyss: bool) -> dict[Cell, int]:
    """Count the steps to each cell, breadth first (NAU-54, NAU-55, NAU-57)."""
    found = {start: 0}
    front = deque([start])
    while front:
        here = front.popleft()
        blocked = here != start and state.hidden[PLACE_OF[here]] if here in PLACE_OF else ""
        if found[here] == limit or blocked:
            continue
        for across, down in ((0, -1), (1, 0), (0, 1), (-1, 0)):
            cell = (here[0] + across, here[1] + down)
            inside = 0 <= cell[0] < COLUMNS and 0 <= cell[1] < ROWS
            if inside and cell not in found and (abyss or ZONE[AT[cell]] != 3):
                found[cell] = found[here] + 1
                front.append(cell)
    return found


def first_route(state: State, path: list[Cell], goal: Cell, steps: int, abyss: bool):
    """Return the first route of a length, trying n, e, s, w in turn."""
    here = path[-1]
    if here == goal:
        return path
    far = abs(here[0] - goal[0]) + abs(here[1] - goal[1])
    stopped = len(path) > 1 and here in PLACE_OF and state.hidden[PLACE_OF[here]]
    if far > steps or stopped:
        return None
    for across, down in ((0, -1), (1, 0), (0, 1), (-1, 0)):
        cell = (here[0] + across, here[1] + down)
        if cell in AT and (abyss or ZONE[AT[cell]] != 3):
            found = first_route(state, [*path, cell], goal, steps - 1, abyss)
            if found:
                return found
    return None


def plain_abyss(state: State, seat: int, boat: Boat) -> bool:
    """Return whether a submarine may enter the abyss (NAU-58)."""
    for_sale = {module.split("_")[1] for module in state.supply if module.startswith("res")}
    levels = dict(zip(COLOURS, state.level[seat], strict=True))
    return (
        all(levels[colour] for colour in for_sale)
        or any(visitor != seat for visitor in state.abyss_visitors)
        or boat.launched_in_abyss
        or ZONE[AT[boat.cell]] == 3
    )


def plain_goals(state: State, seat: int, boat: Boat, limit: int) -> dict[Cell, list[Cell]]:
    """Return the goals of a submarine, each with its route (NAU-54 to NAU-60)."""
    boats = [other.cell for own in state.submarines for other in own if other]
    ways: dict[Cell, list[Cell]] = {boat.cell: [boat.cell]}
    lit = plain_distances(state, boat.cell, limit, abyss=False)
    dark = plain_distances(state, boat.cell, limit, abyss=plain_abyss(state, seat, boat))
    for cell in {**dark, **lit}:
        under = any(
            max(abs(cell[0] - m.cell[0]), abs(cell[1] - m.cell[1])) < 2 for m in state.modules
        )
        if under or cell in boats:
            continue
        steps, abyss = (lit[cell], False) if cell in lit else (dark[cell], True)
        ways[cell] = first_route(state, [boat.cell], cell, steps, abyss)
    return ways


@pytest.mark.rule("NAU-54", "NAU-55", "NAU-56", "NAU-57", "NAU-58", "NAU-60")
def test_goals_and_routes_are_those_of_the_plain_rules():
    """Compare all goals and routes of all submarines, at some positions of random matches."""
    met = tried = 0
    for seats, number in TABLES[1::2]:
        for state, _ in playout(seats, number):
            if state.step != "sail" or state.pending:
                continue
            met += 1
            if met % 4:
                continue
            seat = state.active
            limit = [4, 5, 6, 6, 6][state.level[seat][1]]
            for name, boat in zip(SUBMARINES[seat], state.submarines[seat], strict=True):
                if boat is None or boat.moved:
                    continue
                ways = plain_goals(state, seat, boat, limit)
                legal = GAME.legal(state, seat)
                goals = [
                    c.to for c in legal if isinstance(c, MoveSubmarine) and c.submarine == name
                ]
                assert sorted(goals) == sorted(ways)
                for goal in list(ways)[::7]:
                    command = MoveSubmarine(name, goal)
                    moved = GAME.decide(state, seat, command, Chance(seed_of(0), 1))[0]
                    assert list(moved.path) == ways[goal]
                    tried += 1
    assert tried > 100
