"""Captain S.O.N.A.R.: two crews hunt each other by what they hear."""

from pathlib import Path

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
from games.components import SEEDS
from games.draft import Draft
from games.game import Files, Game, Players, Timing
from games.search import strong


def _decide_on(draft: Draft[State, Event], seat: int, command: Command) -> None:
    for event in decide(draft.state, seat, command, draft.chance):
        draft.add(event)


def _leave_on(draft: Draft[State, Event], seat: int) -> None:
    for event in leave(draft.state, seat):
        draft.add(event)


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
        awaited_by=awaited,
        decide_on=_decide_on,
        leave_on=_leave_on,
        timing=Timing(clock=clock, pace=pace, unhurried=frozenset(("idle",)), secret=True),
        files=Files(
            rules=Path(__file__).with_name("RULES.md"), components=SEEDS / "captain_sonar.toml"
        ),
        players=Players(sample=sample, bots=BOTS, blueprint=BLUEPRINT),
        apply=apply,
        legal=legal,
        waiting=waiting,
        default=default,
        view=view,
        redact=redact,
        undo=undo,
        teams=teams,
        result=result,
    )
)
