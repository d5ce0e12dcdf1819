"""Compensation: the cards that a lift owes to rivals above the token."""

from games.submarine.components import HAND, Cards, Cell
from games.submarine.events import CardsDrawn, CompensationPaid
from games.submarine.fold import Draft
from games.submarine.model import State
from games.submarine.rules.passing import clockwise


def owed(state: State, seat: int, cell: Cell) -> list[tuple[int, int]]:
    """Return (payee, cards) clockwise for one token of a cell (SUB-32, SUB-33)."""
    column, row = cell
    owing: list[tuple[int, int]] = []
    for payee in clockwise(state, seat):
        count = 0
        for place in state.subs[payee]:
            if place is not None and place[0] == column and place[1] <= row:
                count += 1
        if count and payee != seat:
            owing.append((payee, count))
    return owing


def compensate(draft: Draft, seat: int, owing: list[tuple[int, int]], pay: Cards) -> None:
    """Pay from the pile, then from the hand; each payee draws at once (SUB-34 to SUB-38)."""
    state = draft.state
    for payee, count in owing:
        from_pile = min(count, len(state.pile[seat]))
        from_hand = count - from_pile
        cards = state.pile[seat][:from_pile] + pay[:from_hand]
        pay = pay[from_hand:]
        draft.add(CompensationPaid(seat, payee, from_pile, from_hand, cards))
        missing = HAND - len(state.hand[payee])
        if missing > 0:
            draft.add(CardsDrawn(payee, state.pile[payee][:missing], "compensation"))
