"""How a game ends and who wins (SUB-54 to SUB-62)."""

from games.submarine.components import MOTIF_OF, MOTIFS, Column
from games.submarine.events import GameEnded, Reason
from games.submarine.model import Result, State


def result(state: State) -> Result | None:
    """Give the result once the game is over."""
    return state.result


def game_ended(state: State, reason: Reason) -> GameEnded:
    """SUB-59: rank the seats as the state stands; withdrawn ones come last, the first to leave at the end."""
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
    return GameEnded(reason, winners, motifs, jokers, cards, ranks)


def is_barren(column: Column) -> bool:
    """SUB-56: a column without treasures; shells don't count."""
    return not any(token in MOTIF_OF for cell in column for token in cell)


def is_spent(state: State) -> bool:
    """SUB-57: no seat has a card in hand or pile."""
    return not any(state.hand) and not any(state.pile)


def is_complete(state: State, seat: int) -> bool:
    """SUB-54: all slots are filled."""
    return len(state.slots[seat]) == len(MOTIFS)
