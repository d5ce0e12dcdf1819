"""Nautilus: an undersea station, its researchers and submarines, for 2 to 4 seats."""

from dataclasses import replace

from games.components import files_of
from games.game import Game, Players, Timing
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
from games.nautilus.setup import initial, setup, setup_1
from games.nautilus.turns import clock, default, teams, waiting
from games.nautilus.undo import recall, undo
from games.nautilus.view import redact, view
from games.search import softened, with_levels

RULES_2 = with_levels(
    Game(
        slug="nautilus",
        version=2,
        titles={"cs": "Nautilus", "en": "Nautilus"},
        seats=range(2, 5),
        minutes=90,
        weight="heavy",
        recommended={"house": "balanced"},
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
        view=view,
        redact=redact,
        withheld=frozenset(),
        undo=undo,
        recall=recall,
        result=result,
        players=Players(
            sample=sample,
            bots={"heuristic": heuristic, "strong": softened(BLUEPRINT, 0)},
            blueprint=BLUEPRINT,
        ),
        files=files_of("nautilus"),
    )
)
RULES_1 = replace(RULES_2, version=1, setup=setup_1)
GAME = replace(RULES_2, earlier=(RULES_1,))
