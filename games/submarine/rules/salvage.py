"""Lifting tokens with cards or with jokers."""

from games.game import Illegal
from games.submarine.commands import Salvage, SalvageWithJoker
from games.submarine.components import COLOUR_OF, MOTIF_OF, TOP, Cards, Cell, Colour, Token, without
from games.submarine.ending import end, reason_after_lift
from games.submarine.events import CardDiscarded, JokerPlaced, TreasureSalvaged
from games.submarine.fold import Draft
from games.submarine.model import State
from games.submarine.rules.compensation import compensate, owed


def rows_in_reach(state: State, seat: int) -> list[int]:
    """Return the rows of own submarines in the ship's column, from the top (SUB-30)."""
    ship = state.ships[seat]
    return sorted({cell[1] for cell in state.subs[seat] if cell is not None and cell[0] == ship})


def salvage(draft: Draft, seat: int, command: Salvage) -> None:
    """Lift with a card of the token's colour, and pay compensation (SUB-31 to SUB-38)."""
    state, token, card = draft.state, command.token, command.card
    cell = _reached_cell(state, seat, token)
    if card not in state.hand[seat]:
        raise Illegal("card-not-in-hand", card=card)
    if card != COLOUR_OF[token]:
        raise Illegal("wrong-colour", card=card, token=token)
    owing = owed(state, seat, cell)
    _check_payment(state, seat, card, sum(count for _, count in owing), command.pay)
    draft.add(CardDiscarded(seat, card))
    compensate(draft, seat, owing, command.pay)
    _lift(draft, seat, token, cell, by_card=True)
    _end_after_lift(draft, seat, token)


def salvage_with_joker(draft: Draft, seat: int, command: SalvageWithJoker) -> None:
    """Lay a joker in the treasure's place, without compensation (SUB-42 to SUB-50)."""
    state, token, joker = draft.state, command.token, command.joker
    cell = _reached_cell(state, seat, token)
    if token not in MOTIF_OF:
        raise Illegal("joker-on-shell", token=token)
    if joker not in state.jokers[seat]:
        raise Illegal("joker-not-owned", joker=joker)
    if joker in state.fresh and not state.options.joker_same_turn:
        raise Illegal("joker-too-fresh", joker=joker)
    _lift(draft, seat, token, cell, by_card=False)
    draft.add(JokerPlaced(seat, joker, cell))
    _end_after_lift(draft, seat, token)


def _reached_cell(state: State, seat: int, token: Token) -> Cell:
    """Return the cell of a token that the seat may lift (SUB-30, SUB-44, SUB-46)."""
    if state.mode == "move":
        raise Illegal("move-turn")
    cell = _cell_of(state, token)
    if cell is None:
        raise Illegal("token-not-on-board", token=token)
    if cell[0] != state.ships[seat]:
        raise Illegal("token-not-under-ship", token=token, cell=cell)
    if cell not in state.subs[seat]:
        raise Illegal("no-own-sub-in-cell", token=token, cell=cell)
    if token in state.locked:
        raise Illegal("token-locked", token=token)
    return cell


def _cell_of(state: State, token: Token) -> Cell | None:
    for column, cells in enumerate(state.cells, 1):
        for row, tokens in enumerate(cells, TOP):
            if token in tokens:
                return column, row
    return None


def _check_payment(state: State, seat: int, card: Colour, total: int, pay: Cards) -> None:
    """Refuse unless `pay` is exactly what the pile lacks, from the other cards (SUB-35, SUB-36)."""
    missing = max(0, total - len(state.pile[seat]))
    if missing >= len(state.hand[seat]):
        raise Illegal("cannot-pay-compensation", owed=total, missing=missing)
    if len(pay) != missing:
        raise Illegal("wrong-payment-count", owed=total, missing=missing)
    rest = without(state.hand[seat], card)
    for paid in pay:
        if paid not in rest:
            raise Illegal("payment-not-in-hand", card=paid)
        rest = without(rest, paid)


def _lift(draft: Draft, seat: int, token: Token, cell: Cell, *, by_card: bool) -> None:
    """Lift into the empty slot of the motif, else beside the transport card (SUB-39, SUB-47)."""
    fills = token in MOTIF_OF and MOTIF_OF[token] not in draft.state.slots[seat]
    means, into = "card" if by_card else "joker", "slot" if fills else "joker"
    draft.add(TreasureSalvaged(seat, token, cell, means, into))


def _end_after_lift(draft: Draft, seat: int, token: Token) -> None:
    reason = reason_after_lift(draft.state, seat, token)
    if reason is not None:
        end(draft, reason)
