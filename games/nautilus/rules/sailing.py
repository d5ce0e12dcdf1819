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
from games.nautilus.events import SubmarineMoved
from games.nautilus.fold import Draft
from games.nautilus.model import Boat, State
from games.nautilus.rules.salvage import salvage
from games.nautilus.rules.sea import (
    boats_afloat,
    covered,
    hidden_cells,
    members,
    reach,
    route,
)

UPPER = BOARD & ~ABYSS
"""All cells except the abyss."""


def speed(state: State, seat: int) -> int:
    """Return the number of cells of a seat's ordinary moves (NAU-54)."""
    return ABILITY[GREY][state.level[seat][GREY]]


def abyss_open(state: State, seat: int) -> bool:
    """Return whether the abyss is open to all submarines of a seat (NAU-58 (a) and (b))."""
    if any(visitor != seat for visitor in state.abyss_visitors):
        return True
    levels = state.level[seat]
    return all(levels[COLOUR[module]] for module in state.supply if COLOUR[module] >= 0)


def _may_enter_abyss(boat: Boat, *, opened: bool) -> bool:
    """Return whether a move may enter the abyss (NAU-58); `opened` means by (a) or (b)."""
    return opened or boat.launched_in_abyss or bool(ABYSS >> AT[boat.cell] & 1)


def goals(boat: Boat, limit: int, finds: int, taken: int, *, opened: bool) -> list[int]:
    """List the cells where a move of a submarine may end, its own included (NAU-54 to NAU-58).

    `finds` are the cells with hidden finds, `taken` those under modules and submarines.
    """
    start = AT[boat.cell]
    water = BOARD if _may_enter_abyss(boat, opened=opened) else UPPER
    return members(reach(start, limit, water, finds) & ~taken | 1 << start)


def sailing(state: State, seat: int) -> Iterator[tuple[str, Boat]]:
    """Yield a seat's submarines at sea, with their names."""
    for name, boat in zip(SUBMARINES[seat], state.submarines[seat], strict=True):
        if boat is not None:
            yield name, boat


def own_boat_at_sea(state: State, seat: int, submarine: str) -> Boat:
    """Return the submarine that a command names, or raise `Illegal`."""
    if submarine not in SUBMARINES[seat]:
        raise Illegal("not-your-submarine", submarine=submarine)
    boat = state.submarines[seat][SUBMARINE_NUMBER[submarine]]
    if boat is None:
        raise Illegal("submarine-not-at-sea", submarine=submarine)
    return boat


def move_submarine(draft: Draft, seat: int, command: MoveSubmarine) -> None:
    """Make a submarine's ordinary move (NAU-51, NAU-54 to NAU-63)."""
    boat = own_boat_at_sea(draft.state, seat, command.submarine)
    if boat.moved:
        raise Illegal("already-moved", submarine=command.submarine)
    path = _path_to(draft.state, seat, boat, command.to, speed(draft.state, seat))
    draft.add(SubmarineMoved(seat, command.submarine, path, boost=False))
    salvage(draft, seat, command.submarine, command.to)


def boost_submarine(draft: Draft, seat: int, command: BoostSubmarine) -> None:
    """Move a submarine by a thrust (NAU-67)."""
    pending = draft.state.pending
    if pending is None or pending.type != "thrust":
        raise Illegal("no-bonus")
    boat = own_boat_at_sea(draft.state, seat, command.submarine)
    path = _path_to(draft.state, seat, boat, command.to, pending.amount)
    draft.add(SubmarineMoved(seat, command.submarine, path, boost=True))
    salvage(draft, seat, command.submarine, command.to)


def _path_to(state: State, seat: int, boat: Boat, to: Cell, limit: int) -> tuple[Cell, ...]:
    """Return a submarine's route to a goal, or raise `Illegal` (NAU-54 to NAU-60)."""
    goal = AT.get(to, -1)
    if goal < 0:
        raise Illegal("off-board", cell=to)
    start = AT[boat.cell]
    if goal != start and (covered(state) | boats_afloat(state)) >> goal & 1:
        raise Illegal("cell-not-free", cell=to)
    finds = hidden_cells(state)
    path = route(start, goal, limit, UPPER, finds)
    if path is None:
        path = route(start, goal, limit, BOARD, finds)
        if path is None:
            raise Illegal("too-far", cell=to, limit=limit)
        if not _may_enter_abyss(boat, opened=abyss_open(state, seat)):
            raise Illegal("abyss-closed", cell=to)
    return tuple(CELL[i] for i in path)
