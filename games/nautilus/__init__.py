"""Nautilus: an undersea station, its researchers and submarines, for 2 to 4 seats."""

from games.game import Game
from games.nautilus.blueprint import BLUEPRINT
from games.nautilus.bot import heuristic
from games.nautilus.commands import Command
from games.nautilus.events import Event
from games.nautilus.fold import apply, initial, recall
from games.nautilus.model import Options, State, View
from games.nautilus.rules import (
    clock,
    decide,
    default,
    leave,
    legal,
    pace,
    result,
    teams,
    undo,
    waiting,
)
from games.nautilus.sample import sample
from games.nautilus.setup import setup
from games.nautilus.view import awaited, redact, view
from games.search import strong

GAME = strong(
    Game(
        slug="nautilus",
        version=1,
        titles={"cs": "Nautilus", "en": "Nautilus"},
        seats=range(2, 5),
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
        result=result,
        blueprint=BLUEPRINT,
        recall=recall,
    )
)
