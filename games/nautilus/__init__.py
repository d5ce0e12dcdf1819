"""Nautilus: an undersea station, its researchers and submarines, for 2 to 4 seats."""

from pathlib import Path

from games.components import SEEDS, WORDS
from games.game import Files, Game, Players, Timing
from games.nautilus.commands import Command
from games.nautilus.components import VALUES
from games.nautilus.decide import decide_on
from games.nautilus.ending import result
from games.nautilus.events import Event
from games.nautilus.fold import apply
from games.nautilus.legal import legal
from games.nautilus.model import Options, State, View
from games.nautilus.players.blueprint import BLUEPRINT
from games.nautilus.players.bot import heuristic
from games.nautilus.players.sample import sample
from games.nautilus.setup import initial, setup
from games.nautilus.turns import clock, default, teams, waiting
from games.nautilus.undo import recall, undo
from games.nautilus.view import redact, view
from games.search import softened, with_levels

GAME = with_levels(
    Game(
        slug="nautilus",
        version=1,
        titles={"cs": "Nautilus", "en": "Nautilus"},
        seats=range(2, 5),
        minutes=90,
        weight="heavy",
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
        default=default,
        teams=teams,
        view=view,
        result=result,
        timing=Timing(clock=clock),
        files=Files(
            rules=Path(__file__).with_name("RULES.md"),
            components=SEEDS / "nautilus.toml",
            tutorial=SEEDS / "tutorials" / "nautilus.toml",
            coach=SEEDS / "coach" / "nautilus.toml",
            puzzles=SEEDS / "puzzles" / "nautilus.jsonl",
            words=WORDS / "nautilus",
        ),
        players=Players(
            sample=sample,
            bots={"heuristic": heuristic, "strong": softened(BLUEPRINT, 0)},
            blueprint=BLUEPRINT,
        ),
        redact=redact,
        withheld=frozenset(),
        undo=undo,
        recall=recall,
    )
)
