"""A record that a viewer is not shown changes nothing of the viewer's view, proposals included."""

from random import Random

import msgspec
import pytest

from games import GAMES
from games.game import Illegal
from games.match.commands import ProposeUndo, WithdrawProposal
from projections.views import match_view
from tests.games.match.table import Table

COMMANDS = 120
PROPOSED = 0.15
"""Part of the commands that propose an undo, or withdraw the proposal."""


def views(table: Table) -> dict[int | None, tuple[int, bytes]]:
    """Return by viewer the number of its last record, and its view."""
    shown = table.match.shown
    return {
        viewer: (len(shown[viewer]), msgspec.json.encode(match_view(table.match, viewer, "", {})))
        for viewer in shown
    }


@pytest.mark.parametrize("seed", range(12))
def test_a_hidden_record_changes_no_view(seed: int):
    game, random, hidden = GAMES["captain_sonar"], Random(seed), 0
    table = Table(2, game=game)
    for _ in range(COMMANDS):
        if table.match.status != "running":
            break
        before = views(table)
        if random.random() < PROPOSED:
            seat = random.randrange(2)
            back = ProposeUndo(max(0, table.number(seat) - random.randrange(1, 7)))
            command = back if not table.match.proposals else WithdrawProposal()
        else:
            seat = random.choice(sorted(game.waiting(table.match.state)))
            command = random.choice(game.legal(table.match.state, seat))
        try:
            table.send(seat, command)
        except Illegal:
            continue
        for viewer, (number, view) in views(table).items():
            if number == before[viewer][0]:
                hidden += 1
                assert view == before[viewer][1], (viewer, command)
    assert hidden, "some records were hidden"
