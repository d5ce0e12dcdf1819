"""Tranquility (Poklidná plavba): a silent crew fills a sea with rising numbers."""

from games.components import files_of
from games.game import Game, Players, Timing
from games.search import with_levels
from games.tranquility.commands import Command
from games.tranquility.components import VALUES
from games.tranquility.decide import decide_on
from games.tranquility.ending import result
from games.tranquility.events import Event
from games.tranquility.fold import apply
from games.tranquility.legal import legal
from games.tranquility.model import Options, State, View
from games.tranquility.players.blueprint import BLUEPRINT
from games.tranquility.players.bot import heuristic
from games.tranquility.players.sample import sample
from games.tranquility.setup import initial, setup
from games.tranquility.solver.winnable import coming, winnable
from games.tranquility.turns import clock, default, leave_on, teams, waiting
from games.tranquility.undo import undo
from games.tranquility.view import redact, view

GAME = with_levels(
    Game(
        slug="tranquility",
        version=1,
        titles={"cs": "Poklidná plavba", "en": "Tranquility"},
        seats=range(1, 6),
        minutes=20,
        weight="light",
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
        view=view,
        redact=redact,
        withheld=frozenset(),
        undo=undo,
        result=result,
        players=Players(
            sample=sample,
            bots={"heuristic": heuristic},
            blueprint=BLUEPRINT,
            advised=lambda options: options.hints != "off",
            winnable=winnable,
            coming=coming,
        ),
        files=files_of("tranquility"),
    )
)
