"""Tranquility (Poklidná plavba): a silent crew fills a sea with rising numbers."""

from games.game import Game
from games.tranquility.blueprint import BLUEPRINT
from games.tranquility.bot import heuristic
from games.tranquility.clocks import clock, default, leave
from games.tranquility.commands import Command
from games.tranquility.events import Event
from games.tranquility.fold import apply, initial
from games.tranquility.legal import legal
from games.tranquility.model import Options, State, View
from games.tranquility.rules import awaited, decide, pace, teams, waiting
from games.tranquility.sample import sample
from games.tranquility.setup import SEATS, setup
from games.tranquility.solver import winnable
from games.tranquility.undoing import undo
from games.tranquility.view import redact, view

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
    decide=decide,
    apply=apply,
    legal=legal,
    waiting=waiting,
    awaited=awaited,
    default=default,
    clock=clock,
    view=view,
    redact=redact,
    undo=undo,
    teams=teams,
    leave=leave,
    pace=pace,
    sample=sample,
    bots={"heuristic": heuristic},
    result=lambda state: state.result,
    blueprint=BLUEPRINT,
    advised=lambda options: options.hints != "off",
    winnable=winnable,
)
