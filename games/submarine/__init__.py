"""Submarine: salvage sunken treasure before your rivals."""

from games.components import files_of
from games.game import Game, Players, Timing
from games.search import softened, with_levels
from games.submarine.commands import Command
from games.submarine.components import VALUES
from games.submarine.decide import decide_on
from games.submarine.ending import result
from games.submarine.events import Event
from games.submarine.fold import apply
from games.submarine.legal import legal
from games.submarine.model import Options, State, View
from games.submarine.players.blueprint import BLUEPRINT
from games.submarine.players.bot import heuristic
from games.submarine.players.sample import sample
from games.submarine.setup import initial, setup
from games.submarine.turns import clock, default, leave_on, teams, waiting
from games.submarine.undo import undo
from games.submarine.view import redact, view

GAME = with_levels(
    Game(
        slug="submarine",
        version=1,
        titles={"cs": "Submarine \N{EN DASH} potopený poklad", "en": "Submarine"},
        seats=range(2, 6),
        minutes=45,
        weight="medium",
        Options=Options,
        Command=Command,
        values=VALUES,
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
        leave_on=leave_on,
        view=view,
        redact=redact,
        withheld=frozenset(),
        undo=undo,
        result=result,
        players=Players(
            sample=sample,
            bots={"heuristic": heuristic, "strong": softened(BLUEPRINT, 0)},
            blueprint=BLUEPRINT,
        ),
        files=files_of("submarine"),
    )
)
