"""Ke dnu (To the Bottom): ships gather cards on a voyage, then sink; what lies on their boards counts."""

from games.game import Game
from games.ke_dnu.blueprint import BLUEPRINT
from games.ke_dnu.bot import heuristic
from games.ke_dnu.commands import Command
from games.ke_dnu.events import Event
from games.ke_dnu.fold import apply
from games.ke_dnu.legal import default, legal
from games.ke_dnu.model import Options, State, View
from games.ke_dnu.orders import ORDERS
from games.ke_dnu.rules import clock, decide, leave, pace, result, teams
from games.ke_dnu.sample import sample
from games.ke_dnu.setup import initial, setup
from games.ke_dnu.undo import undo
from games.ke_dnu.view import awaited, redact, view
from games.ke_dnu.windows import waiting
from games.search import strong

GAME = strong(
    Game(
        slug="ke_dnu",
        version=1,
        titles={"cs": "Ke dnu", "en": "To the Bottom"},
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
        leave_by_dice=leave,
        pace=pace,
        sample=sample,
        bots={"heuristic": heuristic},
        result=result,
        blueprint=BLUEPRINT,
        orders=ORDERS,
    )
)
