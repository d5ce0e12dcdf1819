"""How a game ends, and who wins."""

from games.submarine.components import MOTIF_OF, MOTIFS, Column, Token
from games.submarine.events import GameEnded, Reason
from games.submarine.fold import Draft
from games.submarine.model import Result, State


def result(state: State) -> Result | None:
    """Return the result once the game is over."""
    return state.result


def end(draft: Draft, reason: Reason) -> None:
    """Rank the seats as the state stands. Withdrawn seats rank last (SUB-59, SUB-61)."""
    state = draft.state
    seats = range(state.players)
    motifs = tuple(len(slots) for slots in state.slots)
    jokers = tuple(len(tokens) for tokens in state.jokers)
    cards = tuple(len(state.hand[seat]) + len(state.pile[seat]) for seat in seats)
    keys = [
        (0, state.withdrawn.index(seat), 0, 0)
        if seat in state.withdrawn
        else (1, motifs[seat], jokers[seat], cards[seat])
        for seat in seats
    ]
    ranks = tuple(1 + sum(other > key for other in keys) for key in keys)
    winners = tuple(seat for seat in seats if ranks[seat] == 1)
    draft.add(GameEnded(reason, winners, motifs, jokers, cards, ranks))


def reason_after_lift(state: State, seat: int, token: Token) -> Reason | None:
    """Return why a lift ends the game: a full card, else an emptied column, else spent cards.

    None if the game goes on (SUB-58).
    """
    if len(state.slots[seat]) == len(MOTIFS):
        return "complete"
    if token in MOTIF_OF and _is_barren(state.cells[state.ships[seat] - 1]):
        return "column_empty"
    return "cards_spent" if _is_spent(state) else None


def reason_after_leaving(state: State) -> Reason | None:
    """Return why the game ends when a seat leaves; None if it goes on (SUB-61, SUB-62)."""
    if len(state.withdrawn) == state.players - 1:
        return "last_seat"
    return "cards_spent" if _is_spent(state) else None


def _is_barren(column: Column) -> bool:
    """Return whether a column is without treasures; shells do not count (SUB-56)."""
    return not any(token in MOTIF_OF for cell in column for token in cell)


def _is_spent(state: State) -> bool:
    """Return whether no seat has a card in hand or pile (SUB-57)."""
    return not any(state.hand) and not any(state.pile)
