"""Questions about what lies before the seats: which cards may be discarded or played (TRA-18)."""

from games.tranquility.components import (
    HAND_LIMIT,
    IS_FINISH,
    IS_MONSTER,
    IS_START,
    IS_WILD,
    NUMBER,
    YELLOW_LIMIT,
)
from games.tranquility.model import State, Storm
from games.tranquility.rules.sea import cheapest, prey, sea_full


def discardable(state: State, seat: int) -> list[str]:
    """List the cards of a hand that may be discarded, in card order (TRA-18, TRA-43)."""
    hand = state.hands[seat]
    if state.start_placed is None:
        return [card for card in hand if card not in IS_MONSTER and card not in IS_START]
    return [card for card in hand if card not in IS_MONSTER]


def limit(state: State, seat: int) -> int:
    """Return the hand limit, which a yellow storm lowers (TRA-49)."""
    return YELLOW_LIMIT if state.under_yellow(seat) else HAND_LIMIT


def to_shed(state: State, seat: int) -> int:
    """Count the cards that a seat discards when a yellow storm lands (TRA-50)."""
    return max(0, min(len(state.hands[seat]) - YELLOW_LIMIT, len(discardable(state, seat))))


def to_take(state: State, seat: int) -> int:
    """Count the cards that a seat has to take from the row (TRA-81)."""
    return min(HAND_LIMIT - len(state.hands[seat]), len(state.row))


def must_start(state: State, seat: int) -> bool:
    """Return whether the seat has to lay its Start card (TRA-22)."""
    return state.start_placed is None and not IS_START.isdisjoint(state.hands[seat])


def finishing_cards(state: State, seat: int) -> list[str]:
    """List the cards that the seat may try as a Finish now (TRA-31, TRA-44, TRA-45)."""
    hand = state.hands[seat]
    if state.start_placed is None or state.finish_tried or not sea_full(state):
        return []
    if not IS_MONSTER.isdisjoint(hand):
        return []
    return [card for card in hand if card in IS_FINISH or card in IS_WILD]


def is_monster(state: State, card: str) -> bool:
    """Return whether a card may be played as a monster (TRA-61)."""
    return card in IS_MONSTER or (card in IS_WILD and state.options.monsters > 0)


def has_action(state: State) -> bool:
    """Return whether the active seat has an action; using a compass is none (TRA-33)."""
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
    """Return whether a card can be laid without a payment."""
    if card in IS_WILD:
        return any(cheapest(state, seat, number) == 0 for number in NUMBER.values())
    number = NUMBER.get(card)
    return number is not None and cheapest(state, seat, number) == 0


def undecided_holders(state: State) -> list[int]:
    """List the seats that hold a compass and have not passed."""
    return [
        seat
        for seat, compasses in enumerate(state.compasses)
        if compasses and seat not in state.passed
    ]


def rescuing_storms(state: State) -> list[Storm]:
    """List the storms that a compass may cancel to give the active seat an action (TRA-35)."""
    return [
        storm
        for storm in state.storms
        if storm.colour == "purple" or (storm.colour == "orange" and storm.seat == state.active)
    ]


def wild_may_cancel(state: State, seat: int, storm: str) -> bool:
    """Return whether a wild of the seat may cancel a storm as a compass now (TRA-64)."""
    if state.phase == "action":
        return seat == state.active
    pending = state.pending_storm
    return (
        state.phase in ("storm_row", "storm_discard")
        and pending is not None
        and pending.seat == seat
        and pending.card == storm
    )
