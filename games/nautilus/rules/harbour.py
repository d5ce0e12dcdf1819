"""Launching and docking submarines beside blue exits (NAU-47 to NAU-50, NAU-70, NAU-71)."""

from collections.abc import Iterator

from games.game import Illegal
from games.nautilus.commands import DockSubmarine, LaunchSubmarine
from games.nautilus.components import (
    ABYSS,
    AT,
    BLUE_DIRECTIONS,
    CELL,
    COLOUR,
    EXITS,
    MOUTHS,
    PLACE_AT,
    RESEARCHERS,
    SUBMARINES,
    Cell,
)
from games.nautilus.events import SubmarineDocked, SubmarineLaunched
from games.nautilus.fold import Draft, module_number
from games.nautilus.model import IN_STOCK, Boat, Placed, State
from games.nautilus.rules.research import free_researchers
from games.nautilus.rules.sailing import own_boat_at_sea
from games.nautilus.rules.sea import boats_afloat, covered, hidden_cells

MOUTH_DIRECTION = {(0, -2): 0, (2, 0): 2, (0, 2): 4, (-2, 0): 6}
"""From a module's centre to the cell beside its blue exit -> direction of the exit."""


def _mouths(placed: Placed) -> Iterator[int]:
    """Yield the cells on the board beside a module's blue exits."""
    exits = EXITS[placed.id][placed.rot]
    beside = MOUTHS[AT[placed.cell]]
    return (beside[d] for d in BLUE_DIRECTIONS if exits >> d & 1 and beside[d] >= 0)


def _is_mouth(placed: Placed, cell: Cell) -> bool:
    """Return whether a cell, perhaps off the board, lies beside a module's blue exit (NAU-48)."""
    step = cell[0] - placed.cell[0], cell[1] - placed.cell[1]
    direction = MOUTH_DIRECTION.get(step)
    return direction is not None and bool(EXITS[placed.id][placed.rot] >> direction & 1)


def launch_cells(state: State, placed: Placed, taken: int) -> Iterator[Cell]:
    """Yield the cells where a submarine may be launched from a module (NAU-48).

    `taken` are the cells under modules and submarines.
    """
    for i in _mouths(placed):
        place = PLACE_AT[i]
        if not taken >> i & 1 and (place < 0 or not state.hidden[place]):
            yield CELL[i]


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
        for cell in launch_cells(state, placed, taken):
            yield LaunchSubmarine(placed.id, cell)


def launch_submarine(draft: Draft, seat: int, command: LaunchSubmarine) -> None:
    """Launch the lowest submarine in stock beside a research module (NAU-47 to NAU-49)."""
    state = draft.state
    if None not in state.submarines[seat]:
        raise Illegal("no-submarine-left")
    module, cell = command.module, command.cell
    number = module_number(state, module)
    if number < 0 or COLOUR[module] < 0:
        raise Illegal("not-a-research-module", module=module)
    crew = next((k for k, where in free_researchers(state, seat) if where == number), -1)
    if crew < 0:
        raise Illegal("no-free-researcher", module=module)
    if not _is_mouth(state.modules[number], cell):
        raise Illegal("not-beside-exit", module=module, cell=cell)
    i = AT.get(cell, -1)
    taken = covered(state) | boats_afloat(state) | hidden_cells(state)
    if i < 0 or taken >> i & 1:
        raise Illegal("cell-not-free", cell=cell)
    submarine = SUBMARINES[seat][state.submarines[seat].index(None)]
    researcher = RESEARCHERS[seat][crew]
    in_abyss = bool(ABYSS >> i & 1)
    draft.add(SubmarineLaunched(seat, submarine, module, researcher, cell, in_abyss))


def berths(state: State, boat: Boat) -> list[str]:
    """List the modules where a submarine may dock from its cell (NAU-70)."""
    manned = {number for where in state.researchers for number in where}
    return [
        placed.id
        for number, placed in enumerate(state.modules)
        if number in manned and _is_mouth(placed, boat.cell)
    ]


def dock_submarine(draft: Draft, seat: int, command: DockSubmarine) -> None:
    """Return a submarine to stock, and put a researcher into the module (NAU-70, NAU-71)."""
    state = draft.state
    boat = own_boat_at_sea(state, seat, command.submarine)
    if not boat.moved:
        raise Illegal("not-moved-yet", submarine=command.submarine)
    module = command.module
    number = module_number(state, module)
    if number < 0 or not _is_mouth(state.modules[number], boat.cell):
        raise Illegal("not-beside-exit", module=module, cell=boat.cell)
    if not any(number in where for where in state.researchers):
        raise Illegal("module-empty", module=module)
    own = state.researchers[seat]
    researcher = RESEARCHERS[seat][own.index(IN_STOCK)] if IN_STOCK in own else ""
    draft.add(SubmarineDocked(seat, command.submarine, module, researcher))
