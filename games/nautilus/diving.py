"""The dive phase: launching, sonar, sailing and docking (NAU-47 to NAU-60, NAU-66, NAU-67, NAU-70, NAU-71)."""

from collections.abc import Iterator

from games.game import Illegal
from games.nautilus.building import boats_afloat
from games.nautilus.commands import (
    BoostSubmarine,
    Command,
    DockSubmarine,
    EndDive,
    LaunchSubmarine,
    MoveSubmarine,
    PeekFinds,
    SkipBonus,
    UseSonar,
)
from games.nautilus.components import (
    ABILITY,
    BLUE_DIRECTIONS,
    BROWN,
    COLOUR,
    EXITS,
    GREY,
    RESEARCHERS,
    SUBMARINE_NUMBER,
    SUBMARINES,
)
from games.nautilus.events import (
    BonusSkipped,
    Event,
    FindsPeeked,
    SonarUsed,
    SubmarineDocked,
    SubmarineLaunched,
    SubmarineMoved,
)
from games.nautilus.model import IN_STOCK, Boat, Placed, State
from games.nautilus.research import bonus_moves, free_researchers
from games.nautilus.salvage import salvage
from games.nautilus.sea import (
    ABYSS,
    AT,
    BOARD,
    CELL,
    MOUTHS,
    PLACE_AT,
    PLACE_BITS,
    PLACE_CELLS,
    PLACE_OF,
    PLACE_ZONES,
    SQUARE,
    Cell,
    distance,
    members,
    reach,
    route,
)

LIT = BOARD & ~ABYSS
"""All cells but the abyss."""


def covered(state: State) -> int:
    """Give the cells under modules (NAU-21)."""
    cells = 0
    for placed in state.modules:
        cells |= SQUARE[AT[placed.cell]]
    return cells


def hidden_cells(state: State) -> int:
    """Give the cells with a hidden find."""
    cells = 0
    for bit, find in zip(PLACE_BITS, state.hidden, strict=True):
        if find:
            cells |= bit
    return cells


def hidden_places(state: State) -> list[int]:
    """List the find places with a hidden find."""
    return [place for place, find in enumerate(state.hidden) if find]


def mouths(placed: Placed) -> Iterator[int]:
    """Yield the cells on the board beside a module's blue exits."""
    exits = EXITS[placed.id][placed.rot]
    beside = MOUTHS[AT[placed.cell]]
    return (beside[d] for d in BLUE_DIRECTIONS if exits >> d & 1 and beside[d] >= 0)


def is_mouth(placed: Placed, cell: Cell) -> bool:
    """Tell whether a cell, perhaps off the board, lies beside a blue exit of a module (NAU-48)."""
    exits = EXITS[placed.id][placed.rot]
    across, down = cell[0] - placed.cell[0], cell[1] - placed.cell[1]
    steps = ((0, -2), (2, 0), (0, 2), (-2, 0))
    return (across, down) in steps and bool(exits >> 2 * steps.index((across, down)) & 1)


# ---- launching -----------------------------------------------------------------------------------


def launches(state: State, seat: int) -> Iterator[LaunchSubmarine]:
    """Yield the legal launches (NAU-47, NAU-48)."""
    if None not in state.submarines[seat]:
        return
    modules = state.modules
    crewed = {where for _, where in free_researchers(state, seat) if COLOUR[modules[where].id] >= 0}
    if not crewed:
        return
    taken = covered(state) | boats_afloat(state)
    for number in sorted(crewed):
        placed = modules[number]
        for cell in mouths(placed):
            place = PLACE_AT[cell]
            if not taken >> cell & 1 and (place < 0 or not state.hidden[place]):
                yield LaunchSubmarine(placed.id, CELL[cell])


def launch_submarine(state: State, seat: int, command: LaunchSubmarine) -> list[Event]:
    """NAU-47 to NAU-49."""
    if None not in state.submarines[seat]:
        raise Illegal("no-submarine-left")
    module, cell = command.module, command.cell
    number = next((n for n, placed in enumerate(state.modules) if placed.id == module), -1)
    if number < 0 or COLOUR[module] < 0:
        raise Illegal("not-a-research-module", module=module)
    crew = next((k for k, where in free_researchers(state, seat) if where == number), -1)
    if crew < 0:
        raise Illegal("no-free-researcher", module=module)
    if not is_mouth(state.modules[number], cell):
        raise Illegal("not-beside-exit", module=module, cell=cell)
    i = AT.get(cell, -1)
    taken = covered(state) | boats_afloat(state) | hidden_cells(state)
    if i < 0 or taken >> i & 1:
        raise Illegal("cell-not-free", cell=cell)
    submarine = SUBMARINES[seat][state.submarines[seat].index(None)]
    researcher = RESEARCHERS[seat][crew]
    in_abyss = bool(ABYSS >> i & 1)
    return [SubmarineLaunched(seat, submarine, module, researcher, cell, in_abyss)]


# ---- sailing -------------------------------------------------------------------------------------


def speed(state: State, seat: int) -> int:
    """Give the cells of an ordinary move (NAU-54)."""
    return ABILITY[GREY][state.level[seat][GREY]]


def sonar_range(state: State, seat: int) -> int:
    """NAU-52; the option `sonar_range` follows the other reading of ruling W-1."""
    longer = 1 if state.options.sonar_range == "text" else 0
    return ABILITY[BROWN][state.level[seat][BROWN]] + longer


def in_range(state: State, seat: int, cell: Cell) -> list[int]:
    """List the find places with hidden finds in sonar range of a cell."""
    span = sonar_range(state, seat)
    return [
        place
        for place, find in enumerate(state.hidden)
        if find and distance(PLACE_CELLS[place], cell) <= span
    ]


def abyss_open(state: State, seat: int) -> bool:
    """Tell whether NAU-58 (a) or (b) opens the abyss to a seat."""
    if any(visitor != seat for visitor in state.abyss_visitors):
        return True
    levels = state.level[seat]
    return all(levels[COLOUR[module]] for module in state.supply if COLOUR[module] >= 0)


def may_enter_abyss(boat: Boat, *, opened: bool) -> bool:
    """NAU-58: (a) or (b), or (c), or a move that starts there."""
    return opened or boat.launched_in_abyss or bool(ABYSS >> AT[boat.cell] & 1)


def goals(boat: Boat, limit: int, finds: int, taken: int, *, opened: bool) -> list[int]:
    """List the cells where a submarine's move may end, its own among them (NAU-54 to NAU-58)."""
    start = AT[boat.cell]
    water = BOARD if may_enter_abyss(boat, opened=opened) else LIT
    return members(reach(start, limit, water, finds) & ~taken | 1 << start)


def sailing(state: State, seat: int) -> Iterator[tuple[str, Boat]]:
    """Yield a seat's submarines at sea."""
    for name, boat in zip(SUBMARINES[seat], state.submarines[seat], strict=True):
        if boat is not None:
            yield name, boat


def sail_commands(state: State, seat: int) -> list[Command]:
    """List the legal commands of the step sail."""
    if state.pending is not None:
        return bonus_commands(state, seat)
    found: list[Command] = []
    finds = hidden_cells(state)
    taken = covered(state) | boats_afloat(state)
    opened = abyss_open(state, seat)
    limit = speed(state, seat)
    for name, boat in sailing(state, seat):
        if boat.moved:
            found += [DockSubmarine(name, module) for module in harbours(state, boat)]
            continue
        if not boat.sonared and state.money[seat] and in_range(state, seat, boat.cell):
            found.append(UseSonar(name))
        ends = goals(boat, limit, finds, taken, opened=opened)
        found += [MoveSubmarine(name, CELL[goal]) for goal in ends]
    found.append(EndDive())
    return found


def bonus_commands(state: State, seat: int) -> list[Command]:
    """List the legal commands while a bonus is pending."""
    assert state.pending is not None, "nothing is pending"
    amount = state.pending.amount
    found: list[Command]
    match state.pending.type:
        case "thrust":
            finds = hidden_cells(state)
            taken = covered(state) | boats_afloat(state)
            opened = abyss_open(state, seat)
            found = [
                BoostSubmarine(name, CELL[goal])
                for name, boat in sailing(state, seat)
                for goal in goals(boat, amount, finds, taken, opened=opened)
            ]
        case "research":
            found = [*bonus_moves(state, seat, amount)]
        case "peek":
            found = [*peeks(state, amount)]
    found.append(SkipBonus())
    return found


def own_boat_at_sea(state: State, seat: int, submarine: str) -> Boat:
    """Give the submarine of a command, or refuse it."""
    if submarine not in SUBMARINES[seat]:
        raise Illegal("not-your-submarine", submarine=submarine)
    boat = state.submarines[seat][SUBMARINE_NUMBER[submarine]]
    if boat is None:
        raise Illegal("submarine-not-at-sea", submarine=submarine)
    return boat


def use_sonar(state: State, seat: int, command: UseSonar) -> list[Event]:
    """NAU-52."""
    boat = own_boat_at_sea(state, seat, command.submarine)
    if boat.moved:
        raise Illegal("already-moved", submarine=command.submarine)
    if boat.sonared:
        raise Illegal("already-sonared", submarine=command.submarine)
    places = in_range(state, seat, boat.cell)
    span = sonar_range(state, seat)
    if not places:
        raise Illegal("nothing-in-range", range=span)
    if state.money[seat] < 1:
        raise Illegal("not-enough-money", cost=1, money=0)
    cells = tuple(PLACE_CELLS[place] for place in places)
    faces = tuple(state.hidden[place] for place in places)
    return [SonarUsed(seat, command.submarine, span, cells, faces)]


def move_submarine(state: State, seat: int, command: MoveSubmarine) -> list[Event]:
    """NAU-51, NAU-54 to NAU-63."""
    boat = own_boat_at_sea(state, seat, command.submarine)
    if boat.moved:
        raise Illegal("already-moved", submarine=command.submarine)
    path = course(state, seat, boat, command.to, speed(state, seat))
    moved = SubmarineMoved(seat, command.submarine, path, boost=False)
    return [moved, *salvage(state, seat, command.submarine, command.to)]


def boost_submarine(state: State, seat: int, command: BoostSubmarine) -> list[Event]:
    """NAU-67."""
    if state.pending is None or state.pending.type != "thrust":
        raise Illegal("no-bonus")
    boat = own_boat_at_sea(state, seat, command.submarine)
    path = course(state, seat, boat, command.to, state.pending.amount)
    moved = SubmarineMoved(seat, command.submarine, path, boost=True)
    return [moved, *salvage(state, seat, command.submarine, command.to)]


def course(state: State, seat: int, boat: Boat, to: Cell, limit: int) -> tuple[Cell, ...]:
    """Give the route to a goal, or refuse it (NAU-54 to NAU-60)."""
    goal = AT.get(to, -1)
    if goal < 0:
        raise Illegal("off-board", cell=to)
    start = AT[boat.cell]
    if goal != start and (covered(state) | boats_afloat(state)) >> goal & 1:
        raise Illegal("cell-not-free", cell=to)
    finds = hidden_cells(state)
    path = route(start, goal, limit, LIT, finds)
    if path is None:
        path = route(start, goal, limit, BOARD, finds)
        if path is None:
            raise Illegal("too-far", cell=to, limit=limit)
        if not may_enter_abyss(boat, opened=abyss_open(state, seat)):
            raise Illegal("abyss-closed", cell=to)
    return tuple(CELL[i] for i in path)


def peeks(state: State, amount: int) -> Iterator[PeekFinds]:
    """Yield the looks that are allowed: single ones, then pairs, in row order (NAU-66)."""
    places = hidden_places(state)
    for place in places:
        yield PeekFinds((PLACE_CELLS[place],))
    if amount < 2:
        return
    apart = len({PLACE_ZONES[place] for place in places}) > 1
    for order, one in enumerate(places):
        for other in places[order + 1 :]:
            if not apart or PLACE_ZONES[one] != PLACE_ZONES[other]:
                yield PeekFinds((PLACE_CELLS[one], PLACE_CELLS[other]))


def peek_finds(state: State, seat: int, command: PeekFinds) -> list[Event]:
    """NAU-66."""
    if state.pending is None or state.pending.type != "peek":
        raise Illegal("no-bonus")
    if len(command.cells) > state.pending.amount:
        raise Illegal("too-many-cells", amount=state.pending.amount)
    places = [PLACE_OF.get(cell, -1) for cell in command.cells]
    for place, cell in zip(places, command.cells, strict=True):
        if place < 0 or not state.hidden[place]:
            raise Illegal("no-hidden-find", cell=cell)
    zones = {PLACE_ZONES[place] for place in places}
    if len(zones) < len(places):
        everywhere = {PLACE_ZONES[place] for place in hidden_places(state)}
        if len(everywhere) > 1:
            raise Illegal("same-zone", cells=command.cells)
    return [FindsPeeked(seat, command.cells, tuple(state.hidden[place] for place in places))]


def skip_bonus(state: State, seat: int) -> list[Event]:
    """Let the pending bonus go."""
    if state.pending is None:
        raise Illegal("no-bonus")
    return [BonusSkipped(seat, state.pending.type)]


def harbours(state: State, boat: Boat) -> list[str]:
    """List the modules where a submarine may dock where it lies (NAU-70)."""
    manned = {number for where in state.researchers for number in where}
    cell = AT[boat.cell]
    return [
        placed.id
        for number, placed in enumerate(state.modules)
        if number in manned and cell in mouths(placed)
    ]


def dock_submarine(state: State, seat: int, command: DockSubmarine) -> list[Event]:
    """NAU-70, NAU-71."""
    boat = own_boat_at_sea(state, seat, command.submarine)
    if not boat.moved:
        raise Illegal("not-moved-yet", submarine=command.submarine)
    module = command.module
    number = next((n for n, placed in enumerate(state.modules) if placed.id == module), -1)
    if number < 0 or not is_mouth(state.modules[number], boat.cell):
        raise Illegal("not-beside-exit", module=module, cell=boat.cell)
    if not any(number in where for where in state.researchers):
        raise Illegal("module-empty", module=module)
    own = state.researchers[seat]
    researcher = RESEARCHERS[seat][own.index(IN_STOCK)] if IN_STOCK in own else ""
    return [SubmarineDocked(seat, command.submarine, module, researcher)]
