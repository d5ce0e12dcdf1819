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

PHASES: dict[type[Command], tuple[Phase, ...]] = {
    PlaceSub: ("placing",),
    MoveShip: ("ship",),
    MoveSub: ("act",),
    Salvage: ("act",),
    SalvageWithJoker: ("act",),
    SwapCard: ("break",),
    EndTurn: ("act", "break"),
}
"""The phases in which each command may be sent."""


def decide_on(draft: Draft, seat: int, command: Command) -> None:
    """Add the events of a command, or raise `Illegal`. No command draws chance."""
    _refuse_untimely(draft.state, seat, command)
    match command:
        case MoveSub():
            move_sub(draft, seat, command)
        case MoveShip():
            move_ship(draft, seat, command)
        case EndTurn():
            end_turn(draft, seat)
        case SalvageWithJoker():
            salvage_with_joker(draft, seat, command)
        case Salvage():
            salvage(draft, seat, command)
        case SwapCard():
            swap_card(draft, seat, command)
        case PlaceSub():
            place_sub(draft, seat, command)
        case _:
            assert_never(command)


def _refuse_untimely(state: State, seat: int, command: Command) -> None:
    """Refuse a command that the seat may not send now."""
    if state.phase == "over":
        raise Illegal("game-over")
    if seat != state.active:
        raise Illegal("not-your-turn")
    if state.phase not in PHASES[type(command)]:
        raise Illegal("wrong-phase", phase=state.phase)
