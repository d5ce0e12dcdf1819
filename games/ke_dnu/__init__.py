"""Ke dnu (To the Bottom): ships gather cards on a voyage and then sink; their boards are scored."""

from pathlib import Path

from games.components import SEEDS, WORDS
from games.game import Files, Game, Players, Timing
from games.ke_dnu.commands import Command
from games.ke_dnu.components import VALUES
from games.ke_dnu.decide import decide_on
from games.ke_dnu.ending import result
from games.ke_dnu.events import Event
from games.ke_dnu.fold import apply
from games.ke_dnu.legal import legal
from games.ke_dnu.model import Options, State, View
from games.ke_dnu.players.blueprint import BLUEPRINT
from games.ke_dnu.players.bot import heuristic
from games.ke_dnu.players.sample import sample
from games.ke_dnu.setup import initial, setup
from games.ke_dnu.turns import ORDERS, clock, default, leave_on, teams, waiting
from games.ke_dnu.undo import undo
from games.ke_dnu.view import redact, view
from games.search import softened, with_levels

GAME = with_levels(
    Game(
        slug="ke_dnu",
        version=1,
        titles={"cs": "Ke dnu", "en": "To the Bottom"},
        seats=range(2, 5),
        minutes=45,
        weight="medium",
        recommended={"house": "balanced"},
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
            components=SEEDS / "ke_dnu.toml",
            tutorial=SEEDS / "tutorials" / "ke_dnu.toml",
            coach=SEEDS / "coach" / "ke_dnu.toml",
            puzzles=SEEDS / "puzzles" / "ke_dnu.jsonl",
            words=WORDS / "ke_dnu",
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
        orders=ORDERS,
    )
)
