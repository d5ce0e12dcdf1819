"""Every legal command of a seat."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from games.tranquility.commands import (
    Command,
    DiscardHand,
    DiscardTwo,
    EndTurn,
    FeedMonster,
    FlipCard,
    KeepRocks,
    LetPass,
    MoveRocks,
    PayStart,
    PlaceStorm,
    PlayCard,
    PlayFinish,
    PlayMonster,
    PlayStart,
    Pledge,
    SetRocks,
    ShedToLimit,
    TakeCards,
    UseCompass,
)
from games.tranquility.components import (
    COST_MAX,
    IS_MONSTER,
    IS_START,
    IS_WILD,
    LAYOUTS,
    NUMBER,
    START_PRICE,
    Variant,
)
from games.tranquility.model import State
from games.tranquility.rules.actions import HAND_MIN
from games.tranquility.rules.hands import (
    discardable,
    finishing_cards,
    is_monster,
    must_start,
    to_shed,
    to_take,
    wild_may_cancel,
)
from games.tranquility.rules.sea import Gap, cost, layout, open_cells, prey, rows_open


def legal(state: State, seat: int) -> list[Command]:
    """List every command that the seat may send now, fully specified."""
    if state.result is not None or not 0 <= seat < state.players:
        return []
    commands = _decisions(state, seat)
    if state.storms or state.pending_storm is not None:
        commands += _compasses(state, seat)
    return commands


def _decisions(state: State, seat: int) -> list[Command]:
    match state.phase:
        case "start_pledge":
            return list(_pledges(state, seat))
        case "start_pay":
            offer = state.pledges[seat]
            if offer is None or state.paid[seat]:
                return []
            cards = discardable(state, seat)
            return [PayStart(chosen) for chosen in combinations(cards, offer.from_hand)]
        case "storm_window" | "rescue":
            waits = bool(state.compasses[seat]) and seat not in state.passed
            return [LetPass()] if waits else []
        case "storm_row" | "storm_discard":
            pending = state.pending_storm
            return [] if pending is None or pending.seat != seat else _landing(state, seat)
        case _:
            return _active(state, seat) if seat == state.active else []


def _landing(state: State, seat: int) -> list[Command]:
    if state.phase == "storm_row":
        return [PlaceStorm(row) for row in rows_open(state)]
    cards = discardable(state, seat)
    return [ShedToLimit(chosen) for chosen in combinations(cards, to_shed(state, seat))]


def _active(state: State, seat: int) -> list[Command]:
    cells = layout(state).cells
    match state.phase:
        case "action":
            return _actions(state, seat)
        case "rocks":
            keep = [KeepRocks(pair) for pair in combinations(discardable(state, seat), 2)]
            return [*(MoveRocks(row) for row in rows_open(state) if row != state.rocks_row), *keep]
        case "explore_monster":
            return [
                FeedMonster(cells[index])
                for index, laid in enumerate(state.grid)
                if laid is not None
            ]
        case "explore_rocks":
            return [SetRocks(row) for row in rows_open(state)]
        case "take":
            return [TakeCards(cards) for cards in combinations(state.row, to_take(state, seat))]
        case "confirm":
            return [EndTurn()]
        case _:
            return []


def _pledges(state: State, seat: int) -> Iterator[Command]:
    own = len(discardable(state, seat))
    for count in range(min(own, START_PRICE) + 1):
        yield Pledge(count)
    if seat in state.shares:
        for count in range(2, min(own + 2, START_PRICE) + 1):
            yield Pledge(count, from_deck=True)


def _compasses(state: State, seat: int) -> list[Command]:
    pending = state.pending_storm
    lying = [storm.card for storm in state.storms]
    storms = lying if pending is None else [*lying, pending.card]
    commands: list[Command] = [
        UseCompass(compass, storm) for compass in state.compasses[seat] for storm in storms
    ]
    wilds = [card for card in state.hands[seat] if card in IS_WILD]
    if wilds:
        commands += [
            UseCompass(wild, storm)
            for wild in wilds
            for storm in storms
            if wild_may_cancel(state, seat, storm)
        ]
    return commands


def _actions(state: State, seat: int) -> list[Command]:
    hand = state.hands[seat]
    if must_start(state, seat):
        return [PlayStart(card) for card in hand if card in IS_START]
    cards = discardable(state, seat)
    commands: list[Command] = []
    _layings(state, seat, cards, commands)
    pairs = list(combinations(cards, 2))
    commands += [DiscardTwo(pair) for pair in pairs]
    sides = state.options.variant == "day_night"
    if sides:
        commands += [DiscardTwo(pair, turn_hands=True) for pair in pairs]
    if state.options.storms and len(hand) >= HAND_MIN and IS_MONSTER.isdisjoint(hand):
        commands.append(DiscardHand())
    if state.start_placed is None:
        commands += [PlayStart(card) for card in hand if card in IS_WILD]
    commands += [PlayFinish(card) for card in finishing_cards(state, seat)]
    monsters = [card for card in hand if is_monster(state, card)]
    cells = layout(state).cells
    if monsters:
        targets = prey(state)
        commands += [PlayMonster(card, cells[index]) for card in monsters for index in targets]
    if sides:
        commands += [
            FlipCard(cells[index], card)
            for index, laid in enumerate(state.grid)
            if laid is not None
            for card in cards
        ]
    return commands


def _layings(state: State, seat: int, cards: list[str], commands: list[Command]) -> None:
    """Add every card, cell and payment, payments in card order (TRA-2 to TRA-6)."""
    variant = state.options.variant
    gaps = [(gap, indices) for gap, indices in open_cells(state, seat) if indices]
    for card in cards:
        number = NUMBER.get(card)
        if number is not None:
            laid = _unpaid(variant, card, 0)
            for gap, indices in gaps:
                if gap.low < number < gap.high:
                    commands += _in_gap(state, gap, indices, number, laid, cards)
        elif card in IS_WILD:
            for gap, indices in gaps:
                for value in range(gap.low + 1, gap.high):
                    laid = _unpaid(variant, card, value)
                    commands += _in_gap(state, gap, indices, value, laid, cards)


@cache
def _unpaid(variant: Variant, card: str, as_: int) -> tuple[PlayCard, ...]:
    """Return the commands that lay a card on each cell of a variant without a payment."""
    return tuple([PlayCard(card, cell, (), as_) for cell in LAYOUTS[variant].cells])


def _in_gap(
    state: State,
    gap: Gap,
    indices: range | list[int],
    number: int,
    unpaid: Sequence[PlayCard],
    cards: Sequence[str],
) -> Iterator[PlayCard]:
    """Yield the commands that lay a card as a number on the open cells of a gap.

    Only the first and the last cell of a gap have a price.
    """
    first, last = gap.first, gap.end - 1
    for index in indices:
        price = 0 if first < index < last else cost(gap, index, number, len(state.grid))
        if price == 0:
            yield unpaid[index]
        elif price <= COST_MAX:
            card, cell, as_ = unpaid[index].card, unpaid[index].cell, unpaid[index].as_
            others = [other for other in cards if other != card]
            for payment in combinations(others, price):
                yield PlayCard(card, cell, payment, as_)
