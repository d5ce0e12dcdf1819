"""NAU-53 and an undo: what a seat has looked at it remembers, and the undo is marked."""

import pytest

from games.chance import Chance
from games.match.commands import Answer, CreateMatch, ProposeUndo
from games.match.events import Undone
from games.match.states import state_after
from games.nautilus import GAME
from games.nautilus.commands import PeekFinds, UseSonar
from games.playout import seed_of
from tests.recorder import Recorder

LOOKS = (UseSonar, PeekFinds)


def look(recorder, dice):
    """Play at random, looking as soon as a seat may; give who looked."""
    match = recorder.match
    while True:
        seat = dice.choice(sorted(GAME.waiting(match.state)))
        legal = GAME.legal(match.state, seat)
        looks = [command for command in legal if isinstance(command, LOOKS)]
        recorder.play(seat, dice.choice(looks or legal))
        if looks:
            return seat


@pytest.mark.rule("NAU-53")
@pytest.mark.parametrize("seed", range(3))
def test_an_undone_look_stays_known_and_is_marked(seed):
    recorder = Recorder(GAME, CreateMatch("nautilus", 2, {}), f"m_nautilus_memory_{seed}")
    recorder.sit("", "")
    match = recorder.match
    seat = look(recorder, Chance(seed_of(seed), 1))
    known, view = match.state.known[seat], GAME.view(match.state, seat)
    assert known
    recorder.play(seat, ProposeUndo(recorder.folded.number(seat) - 1))
    assert match.proposals[-1].made.undo == "all"
    other = 1 - seat
    events = recorder.play(other, Answer(recorder.folded.number(other), accept=True))
    assert isinstance(events[-1], Undone)
    assert events[-1].undo == "all"
    assert match.state.known[seat] == known
    assert GAME.view(match.state, seat).hidden == view.hidden
    assert GAME.view(match.state, seat).money[seat] >= view.money[seat]
    assert state_after(match, len(match.line)) == match.state, "also when it is folded again"
