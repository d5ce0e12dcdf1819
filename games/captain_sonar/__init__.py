"""Captain S.O.N.A.R.: two crews hunt each other by what they hear."""

from games.captain_sonar.commands import Command
from games.captain_sonar.components import VALUES
from games.captain_sonar.decide import decide_on
from games.captain_sonar.ending import result
from games.captain_sonar.events import Event
from games.captain_sonar.fold import apply
from games.captain_sonar.legal import legal
from games.captain_sonar.model import Options, State, View
from games.captain_sonar.players.blueprint import BLUEPRINT
from games.captain_sonar.players.bot import heuristic
from games.captain_sonar.players.sample import sample
from games.captain_sonar.setup import initial, setup
from games.captain_sonar.turns import awaited_by, clock, default, pace, teams, waiting
from games.captain_sonar.undo import undo
from games.captain_sonar.view import WITHHELD, redact, view, view_key
from games.components import files_of
from games.game import Game, Players, Timing
from games.search import softened, with_levels

GAME = with_levels(
    Game(
        slug="captain_sonar",
        version=1,
        titles={"cs": "Captain S.O.N.A.R.", "en": "Captain Sonar"},
        seats=range(2, 9),
        minutes=45,
        weight="medium",
        recommended_with_bots={"radio_assist": "inference"},
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
        awaited_by=awaited_by,
        teams=teams,
        timing=Timing(clock=clock, pace=pace, unhurried=frozenset(("idle",)), secret=True),
        default=default,
        view=view,
        view_key=view_key,
        redact=redact,
        withheld=WITHHELD,
        undo=undo,
        result=result,
        players=Players(
            sample=sample,
            bots={"heuristic": heuristic, "strong": softened(BLUEPRINT, 0)},
            blueprint=BLUEPRINT,
        ),
        files=files_of("captain_sonar"),
    )
)
