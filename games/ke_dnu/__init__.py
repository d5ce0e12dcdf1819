"""Ke dnu (To the Bottom): ships gather cards on a voyage and then sink; their boards are scored."""

from games.components import files_of
from games.game import Game, Players, Timing
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
        orders=ORDERS,
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
        files=files_of("ke_dnu"),
    )
)
