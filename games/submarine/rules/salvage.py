"""Lifting tokens: who is owed what, the refusals, and what follows a lift (SUB-30 to SUB-50)."""

from games.game import Illegal
from games.submarine.commands import Salvage, SalvageWithJoker
from games.submarine.components import COLOUR_OF, HAND, MOTIF_OF, TOP, Cell, Token, without
from games.submarine.ending import game_ended, is_barren, is_complete, is_spent
from games.submarine.events import (
    CardDiscarded,
    CardsDrawn,
    CompensationPaid,
    Event,
    JokerPlaced,
    TreasureSalvaged,
)
from games.submarine.fold import folded
from games.submarine.model import State
from games.submarine.turns import clockwise


def own_rows(state: State, seat: int) -> list[int]:
    """SUB-30: the rows of the ship's column in which the seat has a submarine, from the top."""
    ship = state.ships[seat]
    return sorted({cell[1] for cell in state.subs[seat] if cell is not None and cell[0] == ship})


def owed(state: State, seat: int, cell: Cell) -> list[tuple[int, int]]:
    """SUB-32, SUB-33: (payee, cards) clockwise for one token of a cell."""
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


def _reached_cell(state: State, seat: int, token: Token) -> Cell:
    """SUB-30, SUB-44, SUB-46: the cell of a token that the seat may lift."""
    if state.mode == "move":
        raise Illegal("move-turn")
    ship = state.ships[seat]
    for cell in _whereabouts(state, token):
        if cell[0] != ship:
            raise Illegal("token-not-under-ship", token=token, cell=cell)
        if cell not in state.subs[seat]:
            raise Illegal("no-own-sub-in-cell", token=token, cell=cell)
        if token in state.locked:
            raise Illegal("token-locked", token=token)
        return cell
    raise Illegal("token-not-on-board", token=token)


def _whereabouts(state: State, token: Token) -> list[Cell]:
    """Give the cell of a token, if it lies in one."""
    for column, cells in enumerate(state.cells, 1):
        for row, tokens in enumerate(cells, TOP):
            if token in tokens:
                return [(column, row)]
    return []


def salvage(state: State, seat: int, command: Salvage) -> list[Event]:
    """SUB-31 to SUB-38: a matching card, and compensation from the pile, then from the hand."""
    token, card, pay = command.token, command.card, command.pay
    cell = _reached_cell(state, seat, token)
    hand = state.hand[seat]
    if card not in hand:
        raise Illegal("card-not-in-hand", card=card)
    if card != COLOUR_OF[token]:
        raise Illegal("wrong-colour", card=card, token=token)
    owing = owed(state, seat, cell)
    total = sum(count for _, count in owing)
    missing = max(0, total - len(state.pile[seat]))
    if missing >= len(hand):
        raise Illegal("cannot-pay-compensation", owed=total, missing=missing)
    if len(pay) != missing:
        raise Illegal("wrong-payment-count", owed=total, missing=missing)
    rest = list(without(hand, card))
    for paid in pay:
        if paid not in rest:
            raise Illegal("payment-not-in-hand", card=paid)
        rest.remove(paid)
    paid = _compensation(state, seat, owing, pay)
    lifted = _lifted(state, seat, token, cell, by_card=True)
    return _with_end(state, seat, [CardDiscarded(seat, card), *paid, lifted], token)


def salvage_with_joker(state: State, seat: int, command: SalvageWithJoker) -> list[Event]:
    """SUB-42 to SUB-50: a joker in the treasure's place, and no compensation."""
    token, joker = command.token, command.joker
    cell = _reached_cell(state, seat, token)
    if token not in MOTIF_OF:
        raise Illegal("joker-on-shell", token=token)
    if joker not in state.jokers[seat]:
        raise Illegal("joker-not-owned", joker=joker)
    if joker in state.fresh and not state.options.joker_same_turn:
        raise Illegal("joker-too-fresh", joker=joker)
    lifted = _lifted(state, seat, token, cell, by_card=False)
    return _with_end(state, seat, [lifted, JokerPlaced(seat, joker, cell)], token)


def _compensation(
    state: State, seat: int, owing: list[tuple[int, int]], pay: tuple[str, ...]
) -> list[Event]:
    """SUB-34 to SUB-38: payees are served clockwise, pile cards before hand cards; each draws at once."""
    events: list[Event] = []
    purse = state.pile[seat]
    for payee, count in owing:
        from_pile = min(count, len(purse))
        from_hand = count - from_pile
        cards = purse[:from_pile] + pay[:from_hand]
        purse, pay = purse[from_pile:], pay[from_hand:]
        events.append(CompensationPaid(seat, payee, from_pile, from_hand, cards))
        lacking = HAND - len(state.hand[payee])
        if lacking > 0:
            drawn = (cards[::-1] + state.pile[payee])[:lacking]
            events.append(CardsDrawn(payee, drawn, "compensation"))
    return events


def _lifted(
    state: State, seat: int, token: Token, cell: Cell, *, by_card: bool
) -> TreasureSalvaged:
    """SUB-39, SUB-47: into the empty slot of its motif, else beside the card."""
    fills = token in MOTIF_OF and MOTIF_OF[token] not in state.slots[seat]
    return TreasureSalvaged(
        seat, token, cell, "card" if by_card else "joker", "slot" if fills else "joker"
    )


def _with_end(state: State, seat: int, events: list[Event], token: Token) -> list[Event]:
    """SUB-58: a full card, then an emptied column, then spent cards end the game."""
    after = folded(state, events)
    if is_complete(after, seat):
        return [*events, game_ended(after, "complete")]
    if token in MOTIF_OF and is_barren(after.cells[after.ships[seat] - 1]):
        return [*events, game_ended(after, "column_empty")]
    if is_spent(after):
        return [*events, game_ended(after, "cards_spent")]
    return events
