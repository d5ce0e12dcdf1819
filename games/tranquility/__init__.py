"""Tranquility (Poklidná plavba): a silent crew fills a sea with rising numbers."""

from pathlib import Path

from games.components import SEEDS
from games.draft import Draft
from games.game import Files, Game, Players, Timing
from games.tranquility.blueprint import BLUEPRINT
from games.tranquility.bot import heuristic
from games.tranquility.clocks import clock, default, leave
from games.tranquility.commands import Command
from games.tranquility.events import Event
from games.tranquility.fold import apply, initial
from games.tranquility.legal import legal
from games.tranquility.model import Options, State, View
from games.tranquility.rules import decide, teams, waiting
from games.tranquility.sample import sample
from games.tranquility.setup import SEATS, setup
from games.tranquility.solver import winnable
from games.tranquility.undoing import undo
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
    files=Files(rules=Path(__file__).with_name("RULES.md"), components=SEEDS / "tranquility.toml"),
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
