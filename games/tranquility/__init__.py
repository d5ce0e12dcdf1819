"""Tranquility (Poklidná plavba): a silent crew fills a sea with rising numbers."""

from games.draft import Draft
from games.game import Game, Players, Timing
from games.tranquility.commands import Command
from games.tranquility.decide import decide, teams, waiting
from games.tranquility.events import Event
from games.tranquility.fold import apply, initial
from games.tranquility.legal import legal
from games.tranquility.model import Options, State, View
from games.tranquility.players.blueprint import BLUEPRINT
from games.tranquility.players.bot import heuristic
from games.tranquility.players.sample import sample
from games.tranquility.setup import SEATS, setup
from games.tranquility.solver.winnable import winnable
from games.tranquility.turns import clock, default, leave
from games.tranquility.undo import undo
from games.tranquility.view import redact, view


def _decide_on(draft: Draft[State, Event], seat: int, command: Command) -> None:
    for event in decide(draft.state, seat, command, draft.chance):
        draft.add(event)


def _leave_on(draft: Draft[State, Event], seat: int) -> None:
    for event in leave(draft.state, seat):
        draft.add(event)


GAME = Game(
    slug="tranquility",
    version=1,
    titles={"cs": "Poklidná plavba", "en": "Tranquility"},
    seats=SEATS,
    Options=Options,
    Command=Command,
    Event=Event,
    State=State,
    View=View,
    setup=setup,
    initial=initial,
    decide_on=_decide_on,
    leave_on=_leave_on,
    timing=Timing(clock=clock),
    players=Players(
        sample=sample,
        bots={"heuristic": heuristic},
        blueprint=BLUEPRINT,
        advised=lambda options: options.hints != "off",
        winnable=winnable,
    ),
    apply=apply,
    legal=legal,
    waiting=waiting,
    default=default,
    view=view,
    redact=redact,
    undo=undo,
    teams=teams,
    result=lambda state: state.result,
)
