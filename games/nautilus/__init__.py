"""Nautilus: an undersea station, its researchers and submarines, for 2 to 4 seats."""

from pathlib import Path

from games.components import SEEDS
from games.draft import Draft
from games.game import Files, Game, Players, Timing
from games.nautilus.blueprint import BLUEPRINT
from games.nautilus.bot import heuristic
from games.nautilus.commands import Command
from games.nautilus.events import Event
from games.nautilus.fold import apply, initial, recall
from games.nautilus.model import Options, State, View
from games.nautilus.rules import (
    clock,
    decide,
    default,
    leave,
    legal,
    result,
    teams,
    undo,
    waiting,
)
from games.nautilus.sample import sample
from games.nautilus.setup import setup
from games.nautilus.view import redact, view
from games.search import strong


def _decide_on(draft: Draft[State, Event], seat: int, command: Command) -> None:
    for event in decide(draft.state, seat, command, draft.chance):
        draft.add(event)


def _leave_on(draft: Draft[State, Event], seat: int) -> None:
    for event in leave(draft.state, seat):
        draft.add(event)


GAME = strong(
    Game(
        slug="nautilus",
        version=1,
        titles={"cs": "Nautilus", "en": "Nautilus"},
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
        files=Files(rules=Path(__file__).with_name("RULES.md"), components=SEEDS / "nautilus.toml"),
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
        recall=recall,
    )
)
