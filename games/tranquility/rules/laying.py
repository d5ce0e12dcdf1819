"""Laying an island, and what `pyramid` explores after it (TRA-2 to TRA-6, TRA-71, TRA-72)."""

from games.game import Illegal
from games.tranquility.commands import FeedMonster, PlayCard, SetRocks
from games.tranquility.components import (
    COST_MAX,
    IS_BORDER,
    IS_COMPASS,
    IS_FINISH,
    IS_MONSTER,
    IS_STORM,
    IS_WILD,
    NUMBER,
    TOP_NUMBER,
    Cell,
    Side,
)
from games.tranquility.events import (
    CardsDiscarded,
    CompassGained,
    Explored,
    IslandPlaced,
    MonsterPlayed,
    RocksMoved,
    RocksRemoved,
)
from games.tranquility.fold import Draft
from games.tranquility.model import State
from games.tranquility.rules.hands import discardable
from games.tranquility.rules.refusals import index_of, laid_at, no_monster, row_exists, row_open
from games.tranquility.rules.sea import (
    blocked_rows,
    cost,
    gap_at,
    layout,
    locked,
    must_touch,
    rocks_must_go,
)
from games.tranquility.rules.turn import after_action, after_rocks, enter, gain_compass, meet_storm


def play_card(draft: Draft, command: PlayCard) -> None:
    """Lay an island (TRA-2 to TRA-6), and explore in `pyramid` (TRA-71)."""
    state = draft.state
    seat = state.active
    number = _number(command)
    index = _free_cell(state, command.cell)
    _new_number(state, command, number)
    price = _price(state, index, number)
    _payable(state, command, price)
    draft.add(IslandPlaced(seat, command.card, number, command.cell, price, _facing(state), seat))
    if price:
        draft.add(CardsDiscarded(seat, command.discards, price, "cost"))
    if _consecutive(state, index):
        gain_compass(draft, "row")
    if state.explore:
        _explore(draft)
    else:
        after_action(draft)


def _number(command: PlayCard) -> int:
    number = command.as_ if command.card in IS_WILD else NUMBER.get(command.card)
    if number is None:
        raise Illegal("not-an-island", card=command.card)
    return number


def _free_cell(state: State, cell: Cell) -> int:
    """Return the chain index of a cell; refuse a cell that takes no card now."""
    index = index_of(state, cell)
    if state.grid[index] is not None:
        raise Illegal("cell-occupied", cell=cell)
    if cell[1] in blocked_rows(state):
        raise Illegal("row-blocked", row=cell[1])
    if locked(state, index):
        raise Illegal("lintel-locked", cell=cell)
    return index


def _new_number(state: State, command: PlayCard, number: int) -> None:
    """Refuse a number out of bounds, a declared number of an island, and one on the sea."""
    if not 1 <= number <= TOP_NUMBER or (command.as_ and command.card not in IS_WILD):
        raise Illegal("bad-number", number=command.as_)
    if number in [laid.number for laid in state.grid if laid is not None]:
        raise Illegal("number-on-board", number=number)


def _price(state: State, index: int, number: int) -> int:
    """Return the cost; refuse a wrong order, no neighbour under an orange storm, a cost over 4."""
    gap = gap_at(state.grid, index)
    if not gap.low < number < gap.high:
        raise Illegal("order-broken", low=gap.low, high=gap.high)
    cells = len(state.grid)
    alone = (index == 0 or index > gap.first) and (index == cells - 1 or index < gap.end - 1)
    if alone and must_touch(state, state.active):
        raise Illegal("must-be-adjacent")
    price = cost(gap, index, number, cells)
    if price > COST_MAX:
        raise Illegal("cost-too-high", cost=price)
    return price


def _payable(state: State, command: PlayCard, price: int) -> None:
    available = len(discardable(state, state.active)) - 1
    if available < price:
        raise Illegal("not-enough-cards", cost=price, available=available)
    if len(command.discards) != price:
        raise Illegal("wrong-discard-count", expected=price)
    no_monster(command.discards)


def _facing(state: State) -> Side:
    """Return the side on which a card is laid (TRA-74, TRA-80)."""
    if state.options.variant == "competitive":
        return "moon" if state.active else "sun"
    return state.hands_side


def _consecutive(state: State, index: int) -> bool:
    """Return whether the row of a cell is full of directly consecutive numbers (TRA-58)."""
    place = layout(state)
    row = place.rows[place.row_of[index]]
    numbers = [laid.number for at in row if (laid := state.grid[at])]
    return len(numbers) == len(row) and numbers[-1] - numbers[0] == len(numbers) - 1


def _explore(draft: Draft) -> None:
    """Reveal the top exploration card and resolve it (TRA-71, TRA-72)."""
    state = draft.state
    seat, card = state.active, state.explore[0]
    draft.add(Explored(seat, card))
    if card in IS_STORM:
        if meet_storm(draft, seat, card, "explore"):
            after_action(draft)
    elif card in IS_COMPASS:
        draft.add(CompassGained(seat, card, "explored"))
        after_action(draft)
    elif card in IS_MONSTER:
        enter(draft, "explore_monster", seat)
    elif card in IS_BORDER or card in IS_FINISH:
        after_action(draft)
    elif rocks_must_go(state):
        draft.add(RocksRemoved())
        after_rocks(draft)
    else:
        enter(draft, "explore_rocks", seat)


def feed_monster(draft: Draft, command: FeedMonster) -> None:
    """Destroy an island with an explored monster (TRA-72)."""
    state = draft.state
    laid = laid_at(state, command.cell)
    assert state.revealed is not None, "a monster was explored"
    draft.add(MonsterPlayed(state.active, state.revealed, command.cell, laid.card))
    after_action(draft)


def set_rocks(draft: Draft, command: SetRocks) -> None:
    """Place explored rocks on a row; they move from the next turn on (TRA-72)."""
    state = draft.state
    row_exists(state, command.row)
    row_open(state, command.row)
    draft.add(RocksMoved(state.active, command.row))
    after_rocks(draft)
