"""Whose turn it is: turn ends, voyages, clocks, and seats that leave (specification §5, §10)."""

from collections.abc import Iterator

from games.game import Illegal
from games.submarine.commands import Command, EndTurn, MoveShip, MoveSub, PlaceSub
from games.submarine.components import COLUMNS, GONE, HAND, OFF_BOARD
from games.submarine.ending import game_ended, is_spent
from games.submarine.events import (
    CardsDrawn,
    Event,
    SeatWithdrawn,
    TurnEnded,
    TurnSkipped,
    TurnStarted,
    VoyageEnded,
)
from games.submarine.fold import folded
from games.submarine.model import State


def waiting(state: State) -> frozenset[int]:
    """SUB-15: only the seat on turn."""
    return frozenset() if state.active < 0 else frozenset((state.active,))


def teams(state: State) -> list[frozenset[int]]:
    """Every seat plays for itself."""
    return [frozenset((seat,)) for seat in range(state.players)]


def clock(state: State, seat: int) -> tuple[str, int] | None:
    """One clock per turn."""
    if seat != state.active:
        return None
    return f"turn_{state.turn}", state.options.turn_seconds


def default(state: State, seat: int) -> Command:
    """Play for the clock: it never lifts, pays, swaps or lays jokers (specification §10)."""
    if state.phase == "placing":
        columns = [cell[0] for cell in state.subs[seat] if cell is not None]
        return PlaceSub(min(COLUMNS, key=columns.count))
    if state.phase == "ship":
        return MoveShip(OFF_BOARD)
    if must_act(state):
        return _drift(state, seat)
    return EndTurn()


def must_act(state: State) -> bool:
    """SUB-24: the ship has stopped in a column, and nothing was done there yet."""
    return state.phase == "act" and state.acts == 0 and state.options.must_act


def _drift(state: State, seat: int) -> MoveSub:
    """Move the lowest-numbered submarine under the ship one column to the right, or left from the last."""
    for sub, cell in enumerate(state.subs[seat]):
        if cell is not None and cell[0] == state.ships[seat]:
            column, row = cell
            return MoveSub(sub, (column + 1 if column + 1 in COLUMNS else column - 1, row))
    raise AssertionError("a ship stops only above an own submarine")


def can_swap(state: State, seat: int) -> bool:
    """SUB-52: a swap takes a hand card and a pile card."""
    return bool(state.hand[seat] and state.pile[seat])


def clockwise(state: State, seat: int) -> Iterator[int]:
    """Give the seats in play after `seat`, itself last."""
    for step in range(1, state.players + 1):
        other = (seat + step) % state.players
        if state.ships[other] != GONE:
            yield other


def end_turn(state: State, seat: int) -> list[Event]:
    """SUB-41, SUB-15: refill the hand, end the turn, and see who is next."""
    events: list[Event] = []
    missing = HAND - len(state.hand[seat])
    if missing > 0 and state.pile[seat]:
        events.append(CardsDrawn(seat, state.pile[seat][:missing], "refill"))
        state = folded(state, events)
    return [*events, TurnEnded(seat), *_pass_on(state, seat)]


def _pass_on(state: State, seat: int) -> list[Event]:
    """SUB-21, SUB-53, SUB-60: end the voyage once all ships are off the board; skip who can't swap."""
    following = list(clockwise(state, seat))
    if all(state.ships[other] == OFF_BOARD for other in following):
        quiet = 0 if state.progress else state.quiet + 1
        ended = VoyageEnded(state.voyage, quiet)
        if quiet >= state.options.stalemate_voyages:
            return [ended, game_ended(state, "stalemate")]
        return [ended, TurnStarted(following[0], "ship")]
    events: list[Event] = []
    for other in following:
        if state.ships[other] != OFF_BOARD:
            events.append(TurnStarted(other, "ship"))
            break
        if can_swap(state, other):
            events.append(TurnStarted(other, "break"))
            break
        events.append(TurnSkipped(other))
    return events


def place_next(state: State, seat: int) -> TurnStarted:
    """SUB-13: the next seat places a submarine, or opens the first voyage."""
    other = next(clockwise(state, seat))
    return TurnStarted(other, "placing" if None in state.subs[other] else "ship")


def leave(state: State, seat: int) -> list[Event]:
    """SUB-61, SUB-62: a seat withdraws for good."""
    if state.phase == "over":
        raise Illegal("game-over")
    if seat not in range(state.players):
        raise Illegal("no-such-seat", seat=seat)
    if seat in state.withdrawn:
        raise Illegal("already-withdrawn", seat=seat)
    left = SeatWithdrawn(seat, len(state.hand[seat]), len(state.pile[seat]))
    after = folded(state, (left,))
    if len(after.withdrawn) == state.players - 1:
        return [left, game_ended(after, "last_seat")]
    if is_spent(after):
        return [left, game_ended(after, "cards_spent")]
    if seat != state.active:
        return [left]
    if state.phase == "placing":
        return [left, place_next(after, seat)]
    return [left, TurnEnded(seat), *_pass_on(after, seat)]
