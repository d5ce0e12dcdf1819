"""Building modules onto the station (NAU-17 to NAU-32)."""

from collections.abc import Iterator
from functools import cache, lru_cache

from games.game import Illegal
from games.nautilus.commands import PlaceModule
from games.nautilus.components import (
    AT,
    CELL,
    CLASH,
    COLOUR,
    DEPTH,
    DOCKS,
    EXITS,
    PLACE_CELLS,
    PLACES_UNDER,
    RANK_MAX,
    ROTATIONS,
    SQUARE,
    TOUCH,
    UP_TO_RANK,
    Cell,
    is_centre,
)
from games.nautilus.events import BuildEnded, FindCovered, ModulePlaced, ModulesDiscarded
from games.nautilus.fold import Draft
from games.nautilus.model import Placed, State
from games.nautilus.rules.sea import boats_afloat, members

DIRECTIONS = 8
ALL_EXITS = (1 << DIRECTIONS) - 1


def rise(state: State, centre: int) -> int:
    """Return what a placement adds to the price of the build (NAU-27)."""
    return max(0, DEPTH[centre] - state.turn.paid_rank)


def _beside_build(state: State) -> int:
    """Return the centres that touch a module of this build; all before the first one (NAU-26)."""
    built = len(state.turn.built)
    if not built:
        return -1
    touched = 0
    for placed in state.modules[-built:]:
        touched |= TOUCH[AT[placed.cell]]
    return touched


def spots(state: State, seat: int) -> list[tuple[int, int]]:
    """List the centres where a seat may build, in row order.

    With each centre comes a set of exits: a module there needs at least one of them.
    """
    docks, wanted = _open_docks(state.modules)
    rank_max = min(state.money[seat] + state.turn.paid_rank, RANK_MAX)
    afloat = boats_afloat(state)
    return [
        (centre, wanted >> DIRECTIONS * centre & ALL_EXITS)
        for centre in members(docks & _beside_build(state) & UP_TO_RANK[rank_max])
        if not SQUARE[centre] & afloat
    ]


@lru_cache(maxsize=1024)
def _open_docks(modules: tuple[Placed, ...]) -> tuple[int, int]:
    """Return the centres where a station can grow, and the exits that modules there must have.

    The second number has a set of exits for each centre, eight bits wide. A station is looked at
    many times before it grows.
    """
    blocked = beside = wanted = 0
    for placed in modules:
        i = AT[placed.cell]
        blocked |= CLASH[i]
        docks, facing = _sides(i, EXITS[placed.id][placed.rot])
        beside |= docks
        wanted |= facing
    return beside & ~blocked, wanted


@cache
def _sides(centre: int, exits: int) -> tuple[int, int]:
    """Return the centres that lie at exits of a module, and the exits that meet those there.

    The second number has a set of exits for each centre, eight bits wide.
    """
    docks = facing = 0
    for d, dock in enumerate(DOCKS[centre]):
        if exits >> d & 1 and dock >= 0:
            docks |= 1 << dock
            facing |= 1 << DIRECTIONS * dock + (d ^ 4)
    return docks, facing


def placements(state: State, seat: int) -> list[PlaceModule]:
    """List the legal placements: by place in hand, row, column, rotation.

    Of rotations with equal exits only the smallest.
    """
    return [
        PlaceModule(module, CELL[centre], rotation)
        for module, centre, rotation in _fitting(state, seat)
    ]


def can_place(state: State, seat: int) -> bool:
    """Return whether any module in hand fits anywhere (NAU-32)."""
    return any(_fitting(state, seat))


def _fitting(state: State, seat: int) -> Iterator[tuple[str, int, int]]:
    """Yield each module in hand with a centre and a rotation in which it fits there."""
    docking = spots(state, seat)
    return (
        (held.module, centre, rotation)
        for held in state.hand[seat]
        for centre, wanted in docking
        for exits, rotation in ROTATIONS[held.module]
        if exits & wanted
    )


def cheapest(state: State, seat: int) -> PlaceModule:
    """Return the placement with the lowest price; of equals, that which covers the fewest finds."""

    def burden(command: PlaceModule) -> tuple[int, int]:
        centre = AT[command.cell]
        covers = sum(bool(state.hidden[place]) for place in PLACES_UNDER[centre])
        return rise(state, centre), covers

    return min(placements(state, seat), key=burden)


def place_module(draft: Draft, seat: int, command: PlaceModule) -> None:
    """Build a module from hand (NAU-18 to NAU-29)."""
    state = draft.state
    held = next((held for held in state.hand[seat] if held.module == command.module), None)
    if held is None:
        raise Illegal("module-not-in-hand", module=command.module)
    if not 0 <= command.rotation <= 3:
        raise Illegal("bad-rotation", rotation=command.rotation)
    if not is_centre(command.cell):
        raise Illegal("off-board", cell=command.cell)
    centre = AT[command.cell]
    _refuse_docking(state, centre, EXITS[held.module][command.rotation])
    cost = rise(state, centre)
    if cost > state.money[seat]:
        raise Illegal("not-enough-money", cost=cost, money=state.money[seat])
    owner = seat if COLOUR[held.module] >= 0 else -1
    rank = state.turn.paid_rank + cost
    cell, rotation = command.cell, command.rotation
    draft.add(ModulePlaced(seat, held.module, cell, rotation, rank, cost, owner, held.researchers))
    cover_finds(draft, seat, cell)


def _refuse_docking(state: State, centre: int, exits: int) -> None:
    """Raise `Illegal` if a module cannot be docked here (NAU-20, NAU-22 to NAU-24, NAU-26)."""
    cell = CELL[centre]
    docks, wanted = _open_docks(state.modules)
    is_docked = docks >> centre & 1 and wanted >> DIRECTIONS * centre & exits
    if not is_docked:
        for placed in state.modules:
            if CLASH[centre] >> AT[placed.cell] & 1:
                raise Illegal("modules-overlap", cell=cell, module=placed.id)
    if SQUARE[centre] & boats_afloat(state):
        raise Illegal("submarine-in-the-way", cell=cell)
    if not is_docked:
        raise Illegal("no-passage", cell=cell)
    if not _beside_build(state) >> centre & 1:
        raise Illegal("not-contiguous", cell=cell, built=state.turn.built)


def cover_finds(draft: Draft, seat: int, cell: Cell) -> None:
    """Remove the hidden finds under a module's nine cells, in row order (NAU-25)."""
    hidden = draft.state.hidden
    for place in PLACES_UNDER[AT[cell]]:
        if hidden[place]:
            draft.add(FindCovered(seat, PLACE_CELLS[place], hidden[place]))


def end_build(draft: Draft, seat: int) -> None:
    """End a build; after a placement the rest of the hand is discarded (NAU-17, NAU-30, NAU-31)."""
    state = draft.state
    built = state.turn.built
    if state.turn.must_build and not built:
        raise Illegal("must-build")
    if built and state.hand[seat]:
        draft.add(discarded(state, seat))
    draft.add(BuildEnded(seat))


def discarded(state: State, seat: int) -> ModulesDiscarded:
    """Return the discarding of a seat's whole hand (NAU-30, NAU-32)."""
    hand = state.hand[seat]
    crews = sorted(researcher for held in hand for researcher in held.researchers)
    return ModulesDiscarded(seat, tuple(held.module for held in hand), tuple(crews))
