"""Template: take stones from a pile; who takes the last one wins."""

from pathlib import Path

from games.game import Files, Game, Players, Timing
from games.template.commands import Command
from games.template.decide import decide_on
from games.template.ending import result
from games.template.events import Event
from games.template.fold import apply
from games.template.legal import legal
from games.template.model import Options, State, View
from games.template.players.bot import heuristic
from games.template.players.sample import sample
from games.template.setup import initial, setup
from games.template.turns import clock, default, teams, waiting
from games.template.undo import undo
from games.template.view import redact, view

GAME = Game(
    slug="template",
    version=1,
    titles={"en": "Template", "cs": "Template"},
    seats=range(2, 5),
    Options=Options,
    Command=Command,
    Event=Event,
    State=State,
    View=View,
    initial=initial,
    setup=setup,
    decide_on=decide_on,
    apply=apply,
    legal=legal,
    waiting=waiting,
    teams=teams,
    timing=Timing(clock=clock),
    default=default,
    view=view,
    redact=redact,
    undo=undo,
    result=result,
    players=Players(sample=sample, bots={"heuristic": heuristic}),
    files=Files(
        rules=Path(__file__).with_name("RULES.md"),
        words=Path(__file__).with_name("words"),
        board=Path(__file__).with_name("board.js"),
    ),
)
