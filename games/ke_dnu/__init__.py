"""Ke dnu (To the Bottom): ships gather cards on a voyage, then sink; what lies on their boards counts."""

from pathlib import Path

from games.components import SEEDS
from games.draft import Draft
from games.game import Files, Game, Players, Timing
from games.ke_dnu.blueprint import BLUEPRINT
from games.ke_dnu.bot import heuristic
from games.ke_dnu.commands import Command
from games.ke_dnu.events import Event
from games.ke_dnu.fold import apply
from games.ke_dnu.legal import default, legal
from games.ke_dnu.model import Options, State, View
from games.ke_dnu.orders import ORDERS
from games.ke_dnu.rules import clock, decide, leave, result, teams
from games.ke_dnu.sample import sample
from games.ke_dnu.setup import initial, setup
from games.ke_dnu.undo import undo
from games.ke_dnu.view import redact, view
from games.ke_dnu.windows import waiting
from games.search import strong


def _decide_on(draft: Draft[State, Event], seat: int, command: Command) -> None:
    for event in decide(draft.state, seat, command, draft.chance):
        draft.add(event)


def _leave_on(draft: Draft[State, Event], seat: int) -> None:
    for event in leave(draft.state, seat, draft.chance if draft.has_dice else None):
        draft.add(event)


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
        decide_on=_decide_on,
        leave_on=_leave_on,
        timing=Timing(clock=clock),
        files=Files(rules=Path(__file__).with_name("RULES.md"), components=SEEDS / "ke_dnu.toml"),
        players=Players(sample=sample, bots={"heuristic": heuristic}, blueprint=BLUEPRINT),
        apply=apply,
        legal=legal,
        waiting=waiting,
        default=default,
        view=view,
        redact=redact,
        undo=undo,
        teams=teams,
        result=result,
        orders=ORDERS,
    )
)
