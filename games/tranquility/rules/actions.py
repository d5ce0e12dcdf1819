"""The action of a turn (TRA-12): lay, discard, Start, Finish, monster, flip. The refusals all share came before."""

from collections.abc import Iterable

from games.game import Illegal
from games.tranquility.commands import (
    DiscardTwo,
    FlipCard,
    PlayCard,
    PlayFinish,
    PlayMonster,
    PlayStart,
)
from games.tranquility.components import (
    COST_MAX,
    IS_BORDER,
    IS_COMPASS,
    IS_FINISH,
    IS_MONSTER,
    IS_START,
    IS_STORM,
    IS_WILD,
    NUMBER,
    TOP_NUMBER,
    Cell,
    Side,
)
from games.tranquility.events import (
    CardFlipped,
    CardsDiscarded,
    CompassGained,
    DrawsQueued,
    Explored,
    FinishBlocked,
    FinishPlaced,
    HandsTurned,
    IslandPlaced,
    MonsterPlayed,
    RocksRemoved,
    StartPlaced,
    VoyageLost,
    VoyageWon,
)
from games.tranquility.legal import HAND_MIN
from games.tranquility.model import Laid, State
from games.tranquility.rules.sea import (
    blocked_rows,
    cost,
    discardable,
    gap_at,
    is_monster,
    layout,
    locked,
    loses_by_sides,
    must_touch,
    rocks_must_go,
    sea_full,
)
from games.tranquility.rules.turn import (
    Batch,
    after_action,
    after_rocks,
    clockwise,
    draw,
    enter,
    gain_compass,
    look_for_action,
    meet_storm,
    open_pledges,
)


def play_card(batch: Batch, command: PlayCard) -> None:
    """Lay an island (TRA-2 to TRA-6), and explore in `pyramid` (TRA-71)."""
    state = batch.state
    seat = state.active
    number = _number(state, command)
    index = _index(state, command.cell)
    price = _price(state, index, number)
    _payable(state, command, price)
    batch.add(IslandPlaced(seat, command.card, number, command.cell, price, _facing(state), seat))
    if price:
        batch.add(CardsDiscarded(seat, command.discards, price, "cost"))
    if _consecutive(state, index):
        gain_compass(batch, "row")
    if state.explore:
        _explore(batch)
    else:
        after_action(batch)


def _number(state: State, command: PlayCard) -> int:
    """Refuse all that speaks against a card on a cell, up to its number."""
    wild = command.card in IS_WILD
    number = command.as_ if wild else NUMBER.get(command.card)
    if number is None:
        raise Illegal("not-an-island", card=command.card)
    index = _index(state, command.cell)
    if state.grid[index] is not None:
        raise Illegal("cell-occupied", cell=command.cell)
    if command.cell[1] in blocked_rows(state):
        raise Illegal("row-blocked", row=command.cell[1])
    if locked(state, index):
        raise Illegal("lintel-locked", cell=command.cell)
    if not 1 <= number <= TOP_NUMBER or (command.as_ and not wild):
        raise Illegal("bad-number", number=command.as_)
    if number in [laid.number for laid in state.grid if laid is not None]:
        raise Illegal("number-on-board", number=number)
    return number


def _price(state: State, index: int, number: int) -> int:
    """Give what a laying costs; refuse a wrong order, an orange storm's case and a cost beyond anyone."""
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
    """Give the side on which a card comes to lie (TRA-74, TRA-80)."""
    if state.options.variant == "competitive":
        return "moon" if state.active else "sun"
    return state.hands_side


def _consecutive(state: State, index: int) -> bool:
    """Tell whether the row of a cell is full of directly consecutive numbers (TRA-58)."""
    place = layout(state)
    numbers = [laid.number for at in place.rows[place.row_of[index]] if (laid := state.grid[at])]
    full = len(numbers) == len(place.rows[place.row_of[index]])
    return full and numbers[-1] - numbers[0] == len(numbers) - 1


def _explore(batch: Batch) -> None:
    """Reveal the top exploration card and let it take effect (TRA-71, TRA-72)."""
    state = batch.state
    seat, card = state.active, state.explore[0]
    batch.add(Explored(seat, card))
    if card in IS_STORM:
        if meet_storm(batch, seat, card, "explore"):
            after_action(batch)
    elif card in IS_COMPASS:
        batch.add(CompassGained(seat, card, "explored"))
        after_action(batch)
    elif card in IS_MONSTER:
        enter(batch, "explore_monster", seat)
    elif card in IS_BORDER or card in IS_FINISH:
        after_action(batch)
    elif rocks_must_go(state):
        batch.add(RocksRemoved())
        after_rocks(batch)
    else:
        enter(batch, "explore_rocks", seat)


def discard_two(batch: Batch, command: DiscardTwo) -> None:
    """Throw away two cards (TRA-13), perhaps turning all hands (TRA-78)."""
    state = batch.state
    exactly(command.cards, 2)
    no_monster(command.cards)
    if command.turn_hands and state.options.variant != "day_night":
        raise Illegal("no-sides-here")
    batch.add(CardsDiscarded(state.active, command.cards, 2, "pass"))
    if command.turn_hands:
        batch.add(HandsTurned(_other(state.hands_side)))
    after_action(batch)


def discard_hand(batch: Batch) -> None:
    """Throw away the whole hand for a compass (TRA-56, TRA-57)."""
    state = batch.state
    cards = tuple(state.hands[state.active])
    if not state.options.storms:
        raise Illegal("no-compass-rule")
    if len(cards) < HAND_MIN:
        raise Illegal("hand-too-small", least=HAND_MIN)
    no_monster(cards)
    batch.add(CardsDiscarded(state.active, cards, len(cards), "hand"))
    gain_compass(batch, "hand")
    after_action(batch)


def play_start(batch: Batch, command: PlayStart) -> None:
    """Lay a Start card (TRA-22 to TRA-24, TRA-66)."""
    state = batch.state
    if command.card not in IS_START and command.card not in IS_WILD:
        raise Illegal("not-a-start", card=command.card)
    if state.start_placed is not None:
        raise Illegal("start-already-placed")
    batch.add(StartPlaced(state.active, command.card))
    gain_compass(batch, "start")
    extra = {1: 8, 2: 2}.get(state.players)
    if extra is None:
        open_pledges(batch)
    else:
        batch.add(DrawsQueued(tuple((seat, extra) for seat in clockwise(state)), "pledge"))
        draw(batch)


def play_finish(batch: Batch, command: PlayFinish) -> None:
    """Lay a Finish card and win, unless a monster bars it or a card faces wrong (TRA-31, TRA-45, TRA-76)."""
    state = batch.state
    seat = state.active
    if command.card not in IS_FINISH and command.card not in IS_WILD:
        raise Illegal("not-a-finish", card=command.card)
    if not sea_full(state):
        raise Illegal("sea-not-full")
    if state.start_placed is None:
        raise Illegal("start-not-placed")
    if not IS_MONSTER.isdisjoint(state.hands[seat]):
        raise Illegal("monster-in-own-hand")
    if state.finish_tried:
        raise Illegal("finish-blocked")
    monsters = [at for at, hand in enumerate(state.hands) if not IS_MONSTER.isdisjoint(hand)]
    if monsters:
        batch.add(FinishBlocked(seat, tuple(monsters)))
        look_for_action(batch)
        return
    batch.add(FinishPlaced(seat, command.card))
    if loses_by_sides(state):
        batch.add(VoyageLost(seat, "wrong-side-up"))
    else:
        batch.add(VoyageWon(seat))


def play_monster(batch: Batch, command: PlayMonster) -> None:
    """Destroy a laid island (TRA-42)."""
    state = batch.state
    if not is_monster(state, command.card):
        raise Illegal("not-a-monster", card=command.card)
    laid = laid_at(state, command.cell)
    if command.cell[1] in blocked_rows(state):
        raise Illegal("row-blocked", row=command.cell[1])
    batch.add(MonsterPlayed(state.active, command.card, command.cell, laid.card))
    after_action(batch)


def flip_card(batch: Batch, command: FlipCard) -> None:
    """Turn a laid card over for a discard (TRA-77)."""
    state = batch.state
    if state.options.variant != "day_night":
        raise Illegal("no-sides-here")
    laid = laid_at(state, command.cell)
    no_monster((command.card,))
    batch.add(CardFlipped(state.active, command.cell, _other(laid.side)))
    batch.add(CardsDiscarded(state.active, (command.card,), 1, "flip"))
    after_action(batch)


def _index(state: State, cell: Cell) -> int:
    index = layout(state).index.get(cell)
    if index is None:
        raise Illegal("no-such-cell", cell=cell)
    return index


def laid_at(state: State, cell: Cell) -> Laid:
    """Give the card on a cell, or refuse the cell."""
    laid = state.grid[_index(state, cell)]
    if laid is None:
        raise Illegal("cell-empty", cell=cell)
    return laid


def exactly(cards: tuple[str, ...], count: int) -> None:
    """Refuse another number of cards."""
    if len(cards) != count:
        raise Illegal("wrong-discard-count", expected=count)


def no_monster(cards: Iterable[str]) -> None:
    """Refuse to discard a monster (TRA-43)."""
    if not IS_MONSTER.isdisjoint(cards):
        raise Illegal("monster-cannot-be-discarded")


def _other(side: Side) -> Side:
    return "moon" if side == "sun" else "sun"
