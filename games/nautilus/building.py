"""The build phase: buying modules and docking them to the station (NAU-10 to NAU-32)."""

from collections.abc import Iterator

from games.game import Illegal
from games.nautilus.commands import BuyModule, PlaceModule
from games.nautilus.components import (
    COLOUR,
    EXITS,
    HABITATIONS,
    HAND_MAX,
    KIND,
    KINDS,
    RESEARCHERS,
    ROTATIONS,
    TABLES,
)
from games.nautilus.events import (
    BuildEnded,
    Event,
    FindCovered,
    ModuleBought,
    ModulePlaced,
    ModulesDiscarded,
)
from games.nautilus.model import IN_STOCK, Held, State
from games.nautilus.sea import (
    AT,
    CELL,
    CLASH,
    DEPTH,
    DOCKS,
    PLACE_CELLS,
    PLACES_UNDER,
    SQUARE,
    TOUCH,
    Cell,
    is_centre,
)

DOORS = tuple(tuple(d for d in range(8) if exits >> d & 1) for exits in range(256))
"""Set of exits -> its directions."""

# ---- buying --------------------------------------------------------------------------------------


def crew_max(state: State, seat: int) -> int:
    """Count the researchers that a habitation could be bought with now (NAU-13, NAU-14)."""
    stock = state.researchers[seat].count(IN_STOCK)
    return min(TABLES[state.seats].crew, stock, state.money[seat])


def can_buy(state: State, seat: int) -> bool:
    """Tell whether any purchase is legal (NAU-76)."""
    if len(state.hand[seat]) >= HAND_MAX or state.money[seat] < 1 or not state.supply:
        return False
    return COLOUR[state.supply[-1]] >= 0 or crew_max(state, seat) > 0


def purchases(state: State, seat: int) -> list[BuyModule]:
    """List the legal purchases: habitations first, in table order."""
    if len(state.hand[seat]) >= HAND_MAX or state.money[seat] < 1:
        return []
    kinds = {KIND[module] for module in state.supply}
    crews = range(1, crew_max(state, seat) + 1)
    found = [BuyModule(kind, crew) for kind in HABITATIONS if kind in kinds for crew in crews]
    found += [BuyModule(module, 0) for module in state.supply if COLOUR[module] >= 0]
    return found


def buy_module(state: State, seat: int, command: BuyModule) -> list[Event]:
    """NAU-10 to NAU-15."""
    kind, count = command.kind, command.researchers
    if kind not in KINDS:
        raise Illegal("unknown-module", kind=kind)
    module = next((module for module in state.supply if KIND[module] == kind), None)
    if module is None:
        raise Illegal("sold-out", kind=kind)
    if len(state.hand[seat]) >= HAND_MAX:
        raise Illegal("hand-full")
    least, most = (1, TABLES[state.seats].crew) if kind in HABITATIONS else (0, 0)
    if not least <= count <= most:
        raise Illegal("bad-researcher-count", least=least, most=most)
    stock = [k for k, where in enumerate(state.researchers[seat]) if where == IN_STOCK]
    if count > len(stock):
        raise Illegal("not-enough-researchers", stock=len(stock))
    cost = max(1, count)
    if cost > state.money[seat]:
        raise Illegal("not-enough-money", cost=cost, money=state.money[seat])
    crew = tuple(RESEARCHERS[seat][k] for k in stock[:count])
    return [ModuleBought(seat, module, crew, cost)]


# ---- building ------------------------------------------------------------------------------------


def boats_afloat(state: State) -> int:
    """Give the cells of all submarines."""
    afloat = 0
    for boats in state.submarines:
        for boat in boats:
            if boat is not None:
                afloat |= 1 << AT[boat.cell]
    return afloat


def rise(state: State, centre: int) -> int:
    """Give what a placement adds to the price of the build (NAU-27)."""
    return max(0, DEPTH[centre] - state.turn.paid_rank)


def beside_build(state: State) -> int:
    """Give the centres that touch a module of this build; all ones before the first (NAU-26)."""
    built = len(state.turn.built)
    if not built:
        return -1
    touched = 0
    for placed in state.modules[-built:]:
        touched |= TOUCH[AT[placed.cell]]
    return touched


def spots(state: State, seat: int) -> list[tuple[int, int]]:
    """List (centre, exits of which a module there needs one) where one may be built, in row order."""
    blocked = 0
    wanted: dict[int, int] = {}
    for placed in state.modules:
        i = AT[placed.cell]
        blocked |= CLASH[i]
        docks = DOCKS[i]
        for d in DOORS[EXITS[placed.id][placed.rot]]:
            centre = docks[d]
            wanted[centre] = wanted.get(centre, 0) | 1 << (d ^ 4)
    wanted.pop(-1, None)
    afloat = boats_afloat(state)
    touched = beside_build(state)
    rank_max = state.money[seat] + state.turn.paid_rank
    return [
        (centre, wanted[centre])
        for centre in sorted(wanted)
        if not blocked >> centre & 1
        and DEPTH[centre] <= rank_max
        and touched >> centre & 1
        and not SQUARE[centre] & afloat
    ]


def fits(state: State, seat: int) -> Iterator[tuple[int, int, int]]:
    """Yield (place in hand, centre, rotation) of every legal placement; of equal rotations the smallest."""
    docking = spots(state, seat)
    for order, held in enumerate(state.hand[seat]):
        rotations = ROTATIONS[held.module]
        for centre, wanted in docking:
            for exits, rotation in rotations:
                if exits & wanted:
                    yield order, centre, rotation


def placements(state: State, seat: int) -> list[PlaceModule]:
    """List the legal placements: by place in hand, row, column, rotation."""
    hand = state.hand[seat]
    return [
        PlaceModule(hand[order].module, CELL[centre], rotation)
        for order, centre, rotation in fits(state, seat)
    ]


def can_place(state: State, seat: int) -> bool:
    """Tell whether anything in hand fits anywhere (NAU-32)."""
    return next(fits(state, seat), None) is not None


def cheapest(state: State, seat: int) -> PlaceModule:
    """Give the placement that the clock makes (section 10)."""

    def burden(fit: tuple[int, int, int]) -> tuple[int, int, int, int, int]:
        order, centre, rotation = fit
        covers = sum(bool(state.hidden[place]) for place in PLACES_UNDER[centre])
        return rise(state, centre), covers, order, centre, rotation

    order, centre, rotation = min(fits(state, seat), key=burden)
    return PlaceModule(state.hand[seat][order].module, CELL[centre], rotation)


def place_module(state: State, seat: int, command: PlaceModule) -> list[Event]:
    """NAU-18 to NAU-29."""
    held = next((held for held in state.hand[seat] if held.module == command.module), None)
    if held is None:
        raise Illegal("module-not-in-hand", module=command.module)
    if not 0 <= command.rotation <= 3:
        raise Illegal("bad-rotation", rotation=command.rotation)
    if not is_centre(command.cell):
        raise Illegal("off-board", cell=command.cell)
    centre = AT[command.cell]
    refuse_docking(state, centre, EXITS[held.module][command.rotation])
    cost = rise(state, centre)
    if cost > state.money[seat]:
        raise Illegal("not-enough-money", cost=cost, money=state.money[seat])
    owner = seat if COLOUR[held.module] >= 0 else -1
    rank = state.turn.paid_rank + cost
    cell, rotation = command.cell, command.rotation
    events: list[Event] = [
        ModulePlaced(seat, held.module, cell, rotation, rank, cost, owner, held.researchers)
    ]
    return events + covered_finds(state, seat, cell)


def refuse_docking(state: State, centre: int, exits: int) -> None:
    """NAU-20, NAU-22 to NAU-24, NAU-26."""
    cell = CELL[centre]
    for placed in state.modules:
        if CLASH[centre] >> AT[placed.cell] & 1:
            raise Illegal("modules-overlap", cell=cell, module=placed.id)
    if SQUARE[centre] & boats_afloat(state):
        raise Illegal("submarine-in-the-way", cell=cell)
    docks = DOCKS[centre]
    for placed in state.modules:
        i = AT[placed.cell]
        if i in docks:
            d = docks.index(i)
            if exits >> d & 1 and EXITS[placed.id][placed.rot] >> (d ^ 4) & 1:
                break
    else:
        raise Illegal("no-passage", cell=cell)
    if not beside_build(state) >> centre & 1:
        raise Illegal("not-contiguous", cell=cell, built=state.turn.built)


def covered_finds(state: State, seat: int, cell: Cell) -> list[Event]:
    """NAU-25: the hidden finds under a module's nine cells, in row order."""
    return [
        FindCovered(seat, PLACE_CELLS[place], state.hidden[place])
        for place in PLACES_UNDER[AT[cell]]
        if state.hidden[place]
    ]


def end_build(state: State, seat: int) -> list[Event]:
    """NAU-17, NAU-30, NAU-31."""
    built = state.turn.built
    if state.turn.must_build and not built:
        raise Illegal("must-build")
    hand = state.hand[seat]
    left: list[Event] = [discard(seat, hand)] if built and hand else []
    return [*left, BuildEnded(seat)]


def discard(seat: int, hand: list[Held]) -> ModulesDiscarded:
    """NAU-30, NAU-32: the whole hand goes back."""
    crews = sorted(researcher for held in hand for researcher in held.researchers)
    return ModulesDiscarded(seat, tuple(held.module for held in hand), tuple(crews))
