"""Decide commands: refuse them, or draft what follows."""

from games.draft import Draft
from games.game import Illegal
from games.template.commands import Command
from games.template.events import Event, GameEnded, StonesTaken
from games.template.legal import most
from games.template.model import State


def decide_on(draft: Draft[State, Event], seat: int, command: Command) -> None:
    """Draft the events of a command (R-3, R-4), or raise `Illegal`."""
    state = draft.state
    if state.result is not None:
        raise Illegal("game-over")
    if seat != state.turn:
        raise Illegal("not-your-turn", turn=state.turn)
    if not 1 <= command.count <= most(state):
        raise Illegal("bad-count", least=1, most=most(state))
    draft.add(StonesTaken(seat, command.count))
    if state.stones == 0:
        draft.add(GameEnded(seat))
