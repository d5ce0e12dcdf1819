"""Submarine: salvage sunken treasure before your rivals."""

from pathlib import Path

from games.components import SEEDS, WORDS
from games.game import Files, Game, Players, Timing
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
        setup=setup,
        initial=initial,
        decide_on=decide_on,
        leave_on=leave_on,
        timing=Timing(clock=clock),
        files=Files(
            rules=Path(__file__).with_name("RULES.md"),
            components=SEEDS / "submarine.toml",
            tutorial=SEEDS / "tutorials" / "submarine.toml",
            coach=SEEDS / "coach" / "submarine.toml",
            puzzles=SEEDS / "puzzles" / "submarine.jsonl",
            words=WORDS / "submarine",
        ),
        players=Players(
            sample=sample,
            bots={"heuristic": heuristic, "strong": softened(BLUEPRINT, 0)},
            blueprint=BLUEPRINT,
        ),
        apply=apply,
        legal=legal,
        waiting=waiting,
        default=default,
        view=view,
        redact=redact,
        withheld=frozenset(),
        undo=undo,
        teams=teams,
        result=result,
    )
)
