"""Questions about one ship, its board, prices, draws and sight; and the order of the seats."""

from collections.abc import Sequence

from games.ke_dnu.components import (
    ANCHOR,
    ASSISTANT,
    BAND,
    CARDS,
    KINDS,
    NAVIGATOR,
    SEAL,
    STEERSMAN,
    TYCOON,
    TYPE,
    VALUE,
    WORTH,
)
from games.ke_dnu.model import Berth, State, assistant_of, has

BOARD_STEP = 5
"""Cards on a board per step of the price multiplier (KED-31).

With fewer cards a Band cannot be discarded (KED-41).
"""
HAND_LIMIT = 5
REARRANGE_LIMIT = 10
SLOW_DRAWS = {"voyage": (3, 4, 5), "sinking": (0, 1, 2, 3)}
"""Base draws of the first turns of a phase. The last number stays (KED-10, KED-11)."""

SEAL_WORTH = KINDS[SEAL].jettison_points


def others(state: State, seat: int) -> list[int]:
    """Return the opponents of a seat: the other seats afloat, clockwise (KED-7, KED-53)."""
    status, seats = state.status, len(state.status)
    return [other for step in range(1, seats) if status[other := (seat + step) % seats] == "afloat"]


def everyone(state: State, seat: int) -> list[int]:
    """Return the seats afloat clockwise, beginning with the acting seat."""
    return ([seat] if state.status[seat] == "afloat" else []) + others(state, seat)


def struck(board: Sequence[Berth], card: str) -> str:
    """Return what a hit on a card removes: its Assistant if it has one (KED-52, KED-72)."""
    return assistant_of(board, card) or card


def hosts(board: Sequence[Berth]) -> list[str]:
    """List the cards that an Assistant may join (KED-38)."""
    taken = [place.host for place in board if place.host]
    return [
        place.card for place in board if TYPE[place.card] != ASSISTANT and place.card not in taken
    ]


def tariff(board: Sequence[Berth], more: int = 0) -> tuple[int, int]:
    """Return the multiplier and discount of a board with `more` extra cards (KED-31, KED-85)."""
    counted, discount = more, 0
    for place in board:
        if less := CARDS[place.card].discount:
            discount += 2 * less if assistant_of(board, place.card) else less
        else:
            counted += 1
    return 1 + counted // BOARD_STEP, discount


def price(board: Sequence[Berth], card: str, more: int = 0) -> int:
    """Return the price of laying a card on a board with `more` extra cards (KED-31)."""
    times, discount = tariff(board, more)
    return max(0, VALUE[card] * times - discount)


def best_worth(cards: Sequence[str]) -> int:
    """Return the most that cards are worth as a payment; Seals double others (KED-86)."""
    seals = sum(TYPE[card] == SEAL for card in cards)
    worths = [WORTH[card] for card in cards if TYPE[card] != SEAL]
    gains = sorted((worth - SEAL_WORTH for worth in worths), reverse=True)[:seals]
    return sum(worths) + SEAL_WORTH * seals + sum(gain for gain in gains if gain > 0)


def band_held(board: Sequence[Berth], card: str) -> bool:
    """Return whether a card is a Band that its holder's board protects from discards (KED-41)."""
    return len(board) < BOARD_STEP and TYPE[card] == BAND


def _may_discard(state: State, seat: int, card: str) -> bool:
    """Return whether a seat may choose to discard a card (KED-41, KED-46)."""
    return card not in state.locked and not band_held(state.board[seat], card)


def free_cards(state: State, seat: int) -> list[str]:
    """List the hand cards that a seat may discard."""
    locked, short = state.locked, len(state.board[seat]) < BOARD_STEP
    return [
        card
        for card in state.hand[seat]
        if card not in locked and not (short and TYPE[card] == BAND)
    ]


def over_limit(state: State) -> bool:
    """Return whether the active seat must discard down (KED-18, KED-19)."""
    hand = state.hand[state.active]
    return (
        state.phase == "voyage"
        and len(hand) > HAND_LIMIT
        and any(_may_discard(state, state.active, card) for card in hand)
    )


def own_draw(state: State, seat: int) -> int:
    """Return the number of cards that a seat draws in its draw step (KED-10 to KED-12)."""
    bases = SLOW_DRAWS[state.phase]
    draw = bases[min(state.turn_index, len(bases) - 1)]
    board = state.board[seat]
    for place in board:
        if bonus := CARDS[place.card].own_draw:
            draw += 2 * bonus if assistant_of(board, place.card) else bonus
    return max(0, draw)


def anchored(board: Sequence[Berth]) -> bool:
    """Return whether an Anchor stops the draw (KED-13)."""
    return has(board, ANCHOR)


def reserve(state: State, seat: int, *, refills: bool = True) -> int:
    """Count the cards that others may draw from a seat's deck (KED-16, KED-17)."""
    cards = len(state.deck[seat])
    if refills and state.phase == "voyage":
        cards += len(state.water[seat])
    return cards


def tycoon_targets(state: State) -> list[int]:
    """List the seats from which the active seat's Tycoon may draw (KED-96)."""
    if not state.tycoon_left or not has(state.board[state.active], TYCOON):
        return []
    return [other for other in others(state, state.active) if reserve(state, other)]


def sight(board: Sequence[Berth]) -> int:
    """Return how many top cards of its deck a seat sees by its board (KED-60)."""
    navigators = steersmen = 0
    navigator = steersman = 0
    for place in board:
        kind = TYPE[place.card]
        if kind == NAVIGATOR:
            seen = 4 if assistant_of(board, place.card) else 2
            navigators += seen
            navigator = max(navigator, seen)
        elif kind == STEERSMAN:
            steersmen += 1
            steersman = max(steersman, 6 if assistant_of(board, place.card) else 3)
    return steersman + navigators if steersmen else navigator


def rearranges(board: Sequence[Berth]) -> bool:
    """Return whether a board allows its seat to reorder the cards in sight (KED-60)."""
    return has(board, NAVIGATOR) and has(board, STEERSMAN)


def times(board: Sequence[Berth], card: str) -> int:
    """Return 2 for a doubled effect, else 1. Arbiter and Tycoon have no number (KED-70)."""
    kind = CARDS[card]
    numbered = kind.acts or (kind.reach is not None and kind.reach.whom == "fullest")
    return 2 if numbered and assistant_of(board, card) else 1
