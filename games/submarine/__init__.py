"""Submarine: salvage sunken treasure before the others do."""

from games.game import Game
from games.search import strong
from games.submarine.blueprint import BLUEPRINT
from games.submarine.bot import heuristic
from games.submarine.ending import result
from games.submarine.fold import apply
from games.submarine.legal import legal
from games.submarine.model import Command, Event, Options, State, View
from games.submarine.rules import decide, pace, undo
from games.submarine.sample import sample
from games.submarine.setup import initial, setup
from games.submarine.turn import clock, default, leave, teams, waiting
from games.submarine.view import awaited, redact, view

GAME = strong(
    Game(
        slug="submarine",
        version=1,
        titles={"cs": "Submarine \N{EN DASH} potopený poklad", "en": "Submarine"},
        seats=range(2, 6),
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
    )
)
