"""Decide: check what all commands share, and hand the command on to the rules."""

from typing import assert_never

from games.game import Illegal
from games.submarine.commands import (
    Command,
    EndTurn,
    MoveShip,
    MoveSub,
    PlaceSub,
    Salvage,
    SalvageWithJoker,
    SwapCard,
)
from games.submarine.events import Phase
from games.submarine.fold import Draft
from games.submarine.model import State
from games.submarine.rules.moving import move_ship, move_sub
from games.submarine.rules.passing import end_turn
from games.submarine.rules.placing import place_sub
from games.submarine.rules.salvage import salvage, salvage_with_joker
from games.submarine.rules.swapping import swap_card


def decide_on(draft: Draft, seat: int, command: Command) -> None:
    """Add the events of a command, or raise `Illegal`. No command draws chance."""
    state = draft.state
    if state.phase == "over":
        raise Illegal("game-over")
    if seat != state.active:
        raise Illegal("not-your-turn")
    match command:
        case MoveSub():
            _expect(state, "act")
            move_sub(draft, seat, command)
        case MoveShip():
            _expect(state, "ship")
            move_ship(draft, seat, command)
        case EndTurn():
            _expect(state, "act", "break")
            end_turn(draft, seat)
        case SalvageWithJoker():
            _expect(state, "act")
            salvage_with_joker(draft, seat, command)
        case Salvage():
            _expect(state, "act")
            salvage(draft, seat, command)
        case SwapCard():
            _expect(state, "break")
            swap_card(draft, seat, command)
        case PlaceSub():
            _expect(state, "placing")
            place_sub(draft, seat, command)
        case _:
            assert_never(command)


def _expect(state: State, *phases: Phase) -> None:
    if state.phase not in phases:
        raise Illegal("wrong-phase", phase=state.phase)
