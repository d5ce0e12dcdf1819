"""Swapping a card while the ship is off the board."""

from games.game import Illegal
from games.submarine.commands import SwapCard
from games.submarine.events import CardSwapped
from games.submarine.fold import Draft
from games.submarine.rules.passing import finish_turn


def swap_card(draft: Draft, seat: int, command: SwapCard) -> None:
    """Swap a hand card for the top card of the pile, and end the turn (SUB-51, SUB-52)."""
    state = draft.state
    if not state.pile[seat]:
        raise Illegal("pile-empty")
    if command.card not in state.hand[seat]:
        raise Illegal("card-not-in-hand", card=command.card)
    draft.add(CardSwapped(seat, command.card, state.pile[seat][0]))
    finish_turn(draft, seat)
