"""Captain S.O.N.A.R.: two crews hunt each other by what they hear."""

from games.captain_sonar.blueprint import BLUEPRINT
from games.captain_sonar.bot import BOTS
from games.captain_sonar.clocks import clock, default, pace, waiting
from games.captain_sonar.commands import Command
from games.captain_sonar.events import Event
from games.captain_sonar.fold import apply
from games.captain_sonar.legal import legal
from games.captain_sonar.model import State, View
from games.captain_sonar.options import Options
from games.captain_sonar.redaction import redact
from games.captain_sonar.rules import decide, leave, result, teams, undo
from games.captain_sonar.sample import sample
from games.captain_sonar.setup import initial, setup
from games.captain_sonar.view import awaited, view
from games.game import Game
from games.search import strong

GAME = strong(
    Game(
        slug="captain_sonar",
        version=1,
        titles={"cs": "Captain S.O.N.A.R.", "en": "Captain Sonar"},
        seats=range(2, 9),
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
        unhurried=frozenset(("idle",)),
        view=view,
        redact=redact,
        undo=undo,
        teams=teams,
        leave=leave,
        pace=pace,
        sample=sample,
        bots=BOTS,
        result=result,
        blueprint=BLUEPRINT,
        secret_clocks=True,
    )
)
