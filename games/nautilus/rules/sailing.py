"""Moving submarines (NAU-51, NAU-54 to NAU-60, NAU-67)."""

from collections.abc import Iterator

from games.game import Illegal
from games.nautilus.commands import BoostSubmarine, MoveSubmarine
from games.nautilus.components import (
    ABILITY,
    ABYSS,
    AT,
    BOARD,
    CELL,
    COLOUR,
    GREY,
    SUBMARINE_NUMBER,
    SUBMARINES,
    Cell,
)
from games.nautilus.events import Event, SubmarineMoved
from games.nautilus.model import Boat, State
from games.nautilus.rules.salvage import salvage
from games.nautilus.rules.sea import boats_afloat, covered, hidden_cells, members, reach, route

LIT = BOARD & ~ABYSS
"""All cells but the abyss."""


def speed(state: State, seat: int) -> int:
    """Give the cells of an ordinary move (NAU-54)."""
    return ABILITY[GREY][state.level[seat][GREY]]


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


def own_boat_at_sea(state: State, seat: int, submarine: str) -> Boat:
    """Give the submarine of a command, or refuse it."""
    if submarine not in SUBMARINES[seat]:
        raise Illegal("not-your-submarine", submarine=submarine)
    boat = state.submarines[seat][SUBMARINE_NUMBER[submarine]]
    if boat is None:
        raise Illegal("submarine-not-at-sea", submarine=submarine)
    return boat


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
