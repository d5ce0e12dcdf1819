"""Every legal command of a seat (section 6), and whether the active seat has an action at all (TRA-33)."""

from collections.abc import Iterator
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
    HAND_LIMIT,
    IS_MONSTER,
    IS_START,
    IS_WILD,
    NUMBER,
    START_PRICE,
)
from games.tranquility.fold import hand_share
from games.tranquility.model import State
from games.tranquility.rules.sea import (
    cheapest,
    cost,
    discardable,
    finishing_cards,
    is_monster,
    layout,
    must_start,
    open_cells,
    prey,
    rows_open,
    to_shed,
)

HAND_MIN = 3
"""Cards that `discard_hand` needs (TRA-57)."""


def legal(state: State, seat: int) -> list[Command]:
    """List what the seat may send now, fully specified."""
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
            return [PayStart(chosen) for chosen in combinations(cards, hand_share(offer))]
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


def to_take(state: State, seat: int) -> int:
    """Count the cards that a seat has to take from the row (TRA-81)."""
    return min(HAND_LIMIT - len(state.hands[seat]), len(state.row))


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


def wild_may_cancel(state: State, seat: int, storm: str) -> bool:
    """Tell whether a seat's wild may act as a compass on a storm now (TRA-64)."""
    if state.phase == "action":
        return seat == state.active
    pending = state.pending_storm
    return (
        state.phase in ("storm_row", "storm_discard")
        and pending is not None
        and pending.seat == seat
        and pending.card == storm
    )


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
    """Add every laying with every payment, payments in card order (TRA-2 to TRA-6)."""
    cells = layout(state).cells
    end = len(cells)
    gaps = [(gap, indices) for gap, indices in open_cells(state, seat) if indices]
    for card in cards:
        number = NUMBER.get(card)
        wild = card in IS_WILD
        if number is None and not wild:
            continue
        others = [other for other in cards if other != card]
        payable = min(len(others), COST_MAX)
        payments = [list(combinations(others, price)) for price in range(payable + 1)]
        for gap, indices in gaps:
            numbers = range(gap.low + 1, gap.high) if number is None else (number,)
            for value in numbers:
                if not gap.low < value < gap.high:
                    continue
                as_ = value if wild else 0
                for index in indices:
                    price = cost(gap, index, value, end)
                    if price <= payable:
                        cell = cells[index]
                        for payment in payments[price]:
                            commands.append(PlayCard(card, cell, payment, as_))  # noqa: PERF401  a comprehension per cell is slower


def has_action(state: State) -> bool:
    """Tell whether the active seat has an action; a compass is none (TRA-33)."""
    seat = state.active
    cards = discardable(state, seat)
    if len(cards) >= 2 or must_start(state, seat) or finishing_cards(state, seat):
        return True
    hand = state.hands[seat]
    if state.start_placed is None and not IS_WILD.isdisjoint(hand):
        return True
    if any(is_monster(state, card) for card in hand) and prey(state):
        return True
    if not cards:
        return False
    if state.options.variant == "day_night" and any(state.grid):
        return True
    return any(_fits_free(state, seat, card) for card in cards)


def _fits_free(state: State, seat: int, card: str) -> bool:
    """Tell whether a card can be laid without a payment."""
    if card in IS_WILD:
        return any(cheapest(state, seat, number) == 0 for number in NUMBER.values())
    number = NUMBER.get(card)
    return number is not None and cheapest(state, seat, number) == 0
