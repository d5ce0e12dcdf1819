"""Taking cards in the race of two (TRA-81)."""

from games.game import Illegal
from games.tranquility.commands import TakeCards
from games.tranquility.components import ROW_SIZE
from games.tranquility.events import RowRefilled, RowTaken
from games.tranquility.fold import Draft
from games.tranquility.rules.hands import to_take
from games.tranquility.rules.turn import begin_turn


def take_cards(draft: Draft, command: TakeCards) -> None:
    """Take cards from the face-up row, refill it and pass the turn."""
    state = draft.state
    for card in command.cards:
        if card not in state.row:
            raise Illegal("not-in-row", card=card)
    expected = to_take(state, state.active)
    if len(command.cards) != expected:
        raise Illegal("wrong-take-count", expected=expected)
    draft.add(RowTaken(state.active, command.cards))
    if refill := state.deck[: ROW_SIZE - len(state.row)]:
        draft.add(RowRefilled(tuple(refill)))
    begin_turn(draft, 1 - state.active)
