"""`apply`: what each event does to the state."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import UNSET

from games import draft
from games.dispatch import by_type
from games.nautilus.components import (
    ABYSS,
    AT,
    BASE,
    COLOURS,
    DOCKS,
    EXITS,
    FIELD_VALUE,
    HAND_MAX,
    MODULE_ORDER,
    PLACE_OF,
    RESEARCHER_NUMBER,
    SORT,
    SUBMARINE_NUMBER,
    TREASURE_NUMBER,
    Cell,
)
from games.nautilus.events import (
    BonusSkipped,
    BuildEnded,
    BuySkipped,
    DiveEnded,
    EndTriggered,
    Event,
    FindCovered,
    FindLost,
    FindsPeeked,
    FindTaken,
    GameScored,
    GameSetUp,
    LaunchEnded,
    MissionPaid,
    MissionsDealt,
    MissionsRevealed,
    ModuleActivated,
    ModuleBought,
    ModulePlaced,
    ModulesDiscarded,
    ResearchEnded,
    ResearcherMoved,
    SeaStocked,
    SonarUsed,
    SubmarineDocked,
    SubmarineLaunched,
    SubmarineMoved,
    TurnAdvanced,
)
from games.nautilus.model import (
    IN_HAND,
    IN_STOCK,
    Boat,
    Held,
    Pending,
    Placed,
    RoundLog,
    State,
    Turn,
)

Draft: TypeAlias = draft.Draft[State, Event]
"""The events of one command, and the state after them."""

FRESH_TURN = Turn()
FRESH_ROUND = RoundLog()


def apply(state: State, event: Event) -> None:
    """Fold one event into the state."""
    state.happened += 1
    FOLDS[type(event)](state, event)


def _game_set_up(state: State, event: GameSetUp) -> None:
    """Give out the money and lay the base (NAU-4 to NAU-9, NAU-83)."""
    extra = (0,) * state.seats if event.extra is UNSET else event.extra
    state.money = [event.money + more for more in extra]
    state.first_seat = event.first_seat
    put(state, Placed(BASE, event.base_cell, 0, -1))


def _sea_stocked(state: State, event: SeaStocked) -> None:
    """Hide the finds in the sea (NAU-4 to NAU-9)."""
    for column, row, find in event.finds:
        state.hidden[PLACE_OF[column, row]] = find


def _missions_dealt(state: State, event: MissionsDealt) -> None:
    """Deal the missions (NAU-4 to NAU-9)."""
    state.mission = event.order[: state.seats]
    state.mission_rest = event.order[state.seats :]


def _turn_advanced(state: State, event: TurnAdvanced) -> None:
    """Begin another step."""
    if event.round != state.round:
        state.round_log = FRESH_ROUND
    state.round, state.phase, state.step = event.round, event.phase, event.step
    state.active, state.first_seat = event.seat, event.first_seat
    if event.step != "place":
        state.turn = FRESH_TURN
    if event.phase == "dive":
        boats = state.submarines[event.seat]
        for number, boat in enumerate(boats):
            if boat is not None and (boat.moved or boat.sonared):
                boats[number] = Boat(boat.cell, boat.launched_in_abyss)


def _step_ended(
    _state: State, _event: BuildEnded | ResearchEnded | LaunchEnded | DiveEnded
) -> None:
    """Fold the end of a step: `TurnAdvanced` tells the next one."""


def _module_bought(state: State, event: ModuleBought) -> None:
    """Move a module and its crew to a hand (NAU-10 to NAU-13)."""
    seat = event.seat
    state.supply.remove(event.module)
    state.hand[seat] += (Held(event.module, event.researchers),)
    for researcher in event.researchers:
        state.researchers[seat][RESEARCHER_NUMBER[researcher]] = IN_HAND
    state.money[seat] -= event.cost
    full = len(state.hand[seat]) == HAND_MAX
    state.turn = Turn(bought=True, must_build=full and state.options.force_build_at_four)
    state.round_log = RoundLog(bought_or_built=True, revealed=state.round_log.revealed)


def _buy_skipped(state: State, event: BuySkipped) -> None:
    """Go on to the build without another module (NAU-10)."""
    state.turn = Turn(must_build=bool(state.hand[event.seat]))


def _module_placed(state: State, event: ModulePlaced) -> None:
    """Move a module and its crew to the board (NAU-27 to NAU-29)."""
    seat = event.seat
    hand = state.hand[seat]
    state.hand[seat] = tuple(held for held in hand if held.module != event.module)
    number = len(state.modules)
    put(state, Placed(event.module, event.cell, event.rotation, event.owner))
    for researcher in event.researchers:
        state.researchers[seat][RESEARCHER_NUMBER[researcher]] = number
    state.money[seat] -= event.cost
    turn = state.turn
    built = (*turn.built, event.module)
    state.turn = Turn(turn.bought, turn.must_build, built, event.rank)
    state.round_log = RoundLog(bought_or_built=True, revealed=state.round_log.revealed)


def _modules_discarded(state: State, event: ModulesDiscarded) -> None:
    """Return modules to the supply and their crews to stock (NAU-30)."""
    state.hand[event.seat] = ()
    state.supply.extend(event.modules)
    state.supply.sort(key=MODULE_ORDER.__getitem__)
    for researcher in event.researchers:
        state.researchers[event.seat][RESEARCHER_NUMBER[researcher]] = IN_STOCK


def _researcher_moved(state: State, event: ResearcherMoved) -> None:
    """Move a researcher, in the research turn or by a bonus (NAU-33 to NAU-35, NAU-64)."""
    where = state.researchers[event.seat]
    where[RESEARCHER_NUMBER[event.researcher]] = module_number(state, event.path[-1])
    if event.bonus:
        state.pending = None
        return
    movers = state.turn.movers
    if event.researcher not in movers:
        movers = (*movers, event.researcher)
    used = state.turn.moves_used + len(event.path) - 1
    state.turn = Turn(moves_used=used, movers=movers)


def _module_activated(state: State, event: ModuleActivated) -> None:
    """Employ a researcher and raise a level (NAU-36, NAU-40 to NAU-46)."""
    seat, colour = event.seat, COLOURS.index(event.colour)
    state.employed[seat] |= 1 << RESEARCHER_NUMBER[event.researcher]
    state.level[seat][colour] = event.level
    if event.rent_to >= 0:
        state.money[seat] -= 1
        state.money[event.rent_to] += 1
    if event.three_taken:
        state.three[colour] = seat


def _submarine_launched(state: State, event: SubmarineLaunched) -> None:
    """Put a submarine to sea; its researcher goes to stock (NAU-49)."""
    seat = event.seat
    boat = Boat(event.cell, event.in_abyss)
    state.submarines[seat][SUBMARINE_NUMBER[event.submarine]] = boat
    state.researchers[seat][RESEARCHER_NUMBER[event.researcher]] = IN_STOCK


def _sonar_used(state: State, event: SonarUsed) -> None:
    """Pay for a sonar and remember what it showed (NAU-52, NAU-53)."""
    seat = event.seat
    boat = _own_boat(state, seat, event.submarine)
    boats = state.submarines[seat]
    boats[SUBMARINE_NUMBER[event.submarine]] = Boat(
        boat.cell, boat.launched_in_abyss, boat.moved, sonared=True
    )
    state.money[seat] -= 1
    _look(state, seat, event.cells)


def _submarine_moved(state: State, event: SubmarineMoved) -> None:
    """Move a submarine; the abyss may have its first visitor (NAU-51, NAU-59, NAU-67)."""
    seat = event.seat
    boat = _own_boat(state, seat, event.submarine)
    state.submarines[seat][SUBMARINE_NUMBER[event.submarine]] = Boat(
        event.path[-1], boat.launched_in_abyss, boat.moved or not event.boost, boat.sonared
    )
    if event.boost:
        state.pending = None
    if seat not in state.abyss_visitors and any(ABYSS >> AT[cell] & 1 for cell in event.path[1:]):
        state.abyss_visitors = tuple(sorted((*state.abyss_visitors, seat)))


def _submarine_docked(state: State, event: SubmarineDocked) -> None:
    """Return a submarine to stock; a researcher gets off (NAU-70, NAU-71)."""
    seat = event.seat
    state.submarines[seat][SUBMARINE_NUMBER[event.submarine]] = None
    if event.researcher:
        module = module_number(state, event.module)
        state.researchers[seat][RESEARCHER_NUMBER[event.researcher]] = module


def _find_taken(state: State, event: FindTaken) -> None:
    """Move a find to its finder (NAU-61 to NAU-68)."""
    seat, find = event.seat, event.find
    _turn_up(state, event.cell)
    state.money[seat] += event.gain - event.fee
    if find in TREASURE_NUMBER:
        state.treasures[TREASURE_NUMBER[find] - 1] = seat
    elif SORT[find] in FIELD_VALUE:
        state.fields[seat] += (find,)
    else:
        state.removed += (find,)
    if event.pending:
        state.pending = Pending(event.pending, event.amount)


def _find_gone(state: State, event: FindCovered | FindLost) -> None:
    """Remove a find that nobody gets (NAU-25, NAU-63)."""
    find = event.find
    _turn_up(state, event.cell)
    if find in TREASURE_NUMBER:
        state.treasures[TREASURE_NUMBER[find] - 1] = -1
    else:
        state.removed += (find,)


def _finds_peeked(state: State, event: FindsPeeked) -> None:
    """Use up the bonus and remember what it showed."""
    state.pending = None
    _look(state, event.seat, event.cells)


def _bonus_skipped(state: State, _event: BonusSkipped) -> None:
    """Give up the bonus."""
    state.pending = None


def _end_triggered(state: State, event: EndTriggered) -> None:
    """Fix the last round (NAU-72 to NAU-75)."""
    state.end_round = min(state.end_round or event.last_round, event.last_round)
    state.end_reasons += (event.reason,)


def _missions_revealed(state: State, _event: MissionsRevealed) -> None:
    """Open the mission cards."""
    state.missions_open = True


def _mission_paid(state: State, event: MissionPaid) -> None:
    """Pay for a mission."""
    state.money[event.seat] -= event.count
    state.mission_paid[event.seat] = event.count


def _game_scored(state: State, event: GameScored) -> None:
    """End the match (NAU-77 to NAU-81)."""
    state.phase, state.step, state.active = "over", "", -1
    state.round = event.result.rounds
    state.result = event.result


def _own_boat(state: State, seat: int, submarine: str) -> Boat:
    """Return a submarine at sea."""
    boat = state.submarines[seat][SUBMARINE_NUMBER[submarine]]
    assert boat is not None, "this submarine is in stock"
    return boat


def module_number(state: State, module: str) -> int:
    """Return the index of a module in `modules`; -1 if it is not on the board."""
    for number, placed in enumerate(state.modules):
        if placed.id == module:
            return number
    return -1


def put(state: State, placed: Placed) -> None:
    """Lay a module on the board and open its passages."""
    open_passages(state.passages, state.modules, placed)
    state.modules += (placed,)


def open_passages(passages: list[int], modules: Sequence[Placed], placed: Placed) -> None:
    """Add the passages between a module and those on the board (NAU-23)."""
    number = len(modules)
    exits = EXITS[placed.id][placed.rot]
    docks = DOCKS[AT[placed.cell]]
    joined = 0
    for other, neighbour in enumerate(modules):
        centre = AT[neighbour.cell]
        if centre not in docks:
            continue
        direction = docks.index(centre)
        if exits >> direction & 1 and EXITS[neighbour.id][neighbour.rot] >> (direction ^ 4) & 1:
            joined |= 1 << other
            passages[other] |= 1 << number
    passages.append(joined)


def _turn_up(state: State, cell: Cell) -> None:
    """Remove the find of a cell from the sea."""
    state.hidden[PLACE_OF[cell]] = ""
    state.round_log = RoundLog(state.round_log.bought_or_built, revealed=True)


def _look(state: State, seat: int, cells: tuple[Cell, ...]) -> None:
    """Remember the cells that a seat has looked at (NAU-53)."""
    remember(state, seat, [PLACE_OF[cell] for cell in cells])


def remember(state: State, seat: int, places: Iterable[int]) -> None:
    """Add find places to those that a seat has looked at."""
    state.known[seat] = tuple(sorted({*state.known[seat], *places}))


FOLDS = by_type(
    Event,
    _game_set_up,
    _sea_stocked,
    _missions_dealt,
    _turn_advanced,
    _step_ended,
    _module_bought,
    _buy_skipped,
    _module_placed,
    _modules_discarded,
    _researcher_moved,
    _module_activated,
    _submarine_launched,
    _sonar_used,
    _submarine_moved,
    _submarine_docked,
    _find_taken,
    _find_gone,
    _finds_peeked,
    _bonus_skipped,
    _end_triggered,
    _missions_revealed,
    _mission_paid,
    _game_scored,
)
"""What each type of event does."""
