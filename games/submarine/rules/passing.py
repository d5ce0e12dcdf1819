"""The end of a turn: who is next, and when a voyage ends."""

from collections.abc import Iterator

from games.game import Illegal
from games.submarine.components import GONE, HAND, OFF_BOARD
from games.submarine.ending import end
from games.submarine.events import CardsDrawn, TurnEnded, TurnSkipped, TurnStarted, VoyageEnded
from games.submarine.fold import Draft
from games.submarine.model import State


def clockwise(state: State, seat: int) -> Iterator[int]:
    """Yield the seats in play, those after `seat` first and `seat` itself last."""
    for step in range(1, state.players + 1):
        other = (seat + step) % state.players
        if state.ships[other] != GONE:
            yield other


def can_swap(state: State, seat: int) -> bool:
    """Return whether the seat has a hand card and a pile card to swap (SUB-52)."""
    return bool(state.hand[seat] and state.pile[seat])


def must_act(state: State) -> bool:
    """Return whether the ship has stopped in a column and no submarine has acted there (SUB-24)."""
    return state.phase == "act" and state.acts == 0 and state.options.must_act


def end_turn(draft: Draft, seat: int) -> None:
    """End the turn on command (SUB-24, SUB-51)."""
    if must_act(draft.state):
        raise Illegal("action-required")
    finish_turn(draft, seat)


def finish_turn(draft: Draft, seat: int) -> None:
    """Refill the hand and pass the turn on (SUB-41, SUB-15)."""
    pile = draft.state.pile[seat]
    missing = HAND - len(draft.state.hand[seat])
    if missing > 0 and pile:
        draft.add(CardsDrawn(seat, pile[:missing], "refill"))
    pass_turn(draft, seat)


def pass_turn(draft: Draft, seat: int) -> None:
    """End the turn, and the voyage once all ships are off the board (SUB-21, SUB-53)."""
    draft.add(TurnEnded(seat))
    state = draft.state
    following = list(clockwise(state, seat))
    if all(state.ships[other] == OFF_BOARD for other in following):
        _end_voyage(draft, following[0])
        return
    for other in following:
        if state.ships[other] != OFF_BOARD:
            draft.add(TurnStarted(other, "ship"))
            return
        if can_swap(state, other):
            draft.add(TurnStarted(other, "break"))
            return
        draft.add(TurnSkipped(other))


def _end_voyage(draft: Draft, following: int) -> None:
    """Open the next voyage, unless too many passed without progress (SUB-21, SUB-60)."""
    state = draft.state
    quiet = 0 if state.progress else state.quiet + 1
    draft.add(VoyageEnded(state.voyage, quiet))
    if quiet >= state.options.stalemate_voyages:
        end(draft, "stalemate")
    else:
        draft.add(TurnStarted(following, "ship"))
