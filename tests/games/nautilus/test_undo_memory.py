"""NAU-53 and undo: a seat remembers everything it has looked at, and the undo is marked."""

import pytest

from games.chance import Chance
from games.match.commands import Answer, CreateMatch, ProposeUndo
from games.match.events import Undone
from games.match.states import state_after
from games.nautilus import GAME
from games.nautilus.commands import MoveSubmarine, PeekFinds, UseSonar
from games.nautilus.components import PLACE_OF
from games.playout import seed_of
from tests.recorder import Recorder

LOOKS = (UseSonar, PeekFinds)


def seated(name):
    """Return a match between two people."""
    recorder = Recorder(GAME, CreateMatch("nautilus", 2, {}), f"m_nautilus_{name}")
    recorder.sit("", "")
    return recorder


def take_back(recorder, seat, to):
    """Undo by consent of all."""
    recorder.play(seat, ProposeUndo(to))
    assert recorder.match.proposals[-1].made.undo == "all"
    return recorder.play(1 - seat, Answer(recorder.folded.number(1 - seat), accept=True))


def fetch(recorder, dice):
    """Play at random until a seat can collect a find that it has looked at, and collect it.

    Return the seat and the cell.
    """
    match = recorder.match
    while True:
        seat = dice.choice(sorted(GAME.waiting(match.state)))
        legal = GAME.legal(match.state, seat)
        seen = GAME.view(match.state, seat).known[seat]
        goals = [c for c in legal if isinstance(c, MoveSubmarine) and c.to in seen]
        looks = [command for command in legal if isinstance(command, LOOKS)]
        command = dice.choice(goals or looks or legal)
        recorder.play(seat, command)
        if goals:
            return seat, command.to


def look(recorder, dice):
    """Play at random until a seat can look at a find, and look. Return the seat."""
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
    recorder = seated(f"memory_{seed}")
    match = recorder.match
    seat = look(recorder, Chance(seed_of(seed), 1))
    known, view = match.state.known[seat], GAME.view(match.state, seat)
    assert known
    events = take_back(recorder, seat, recorder.folded.number(seat) - 1)
    assert isinstance(events[-1], Undone)
    assert events[-1].undo == "all"
    assert match.state.known[seat] == known
    assert GAME.view(match.state, seat).hidden == view.hidden
    assert GAME.view(match.state, seat).money[seat] >= view.money[seat]
    assert state_after(match, len(match.line)) == match.state, "a new fold gives the same"


@pytest.mark.rule("NAU-53")
@pytest.mark.parametrize("seed", range(3))
def test_what_was_looked_at_and_then_taken_stays_known_when_both_are_undone(seed):
    recorder = seated(f"fetched_{seed}")
    match, start = recorder.match, recorder.folded.number(0)
    seat, cell = fetch(recorder, Chance(seed_of(seed), 1))
    assert cell not in GAME.view(match.state, seat).known[seat], "it left the sea"
    take_back(recorder, seat, start)
    view = GAME.view(match.state, seat)
    assert cell in view.known[seat]
    assert view.hidden[PLACE_OF[cell]][3] == match.state.hidden[PLACE_OF[cell]]
    assert state_after(match, len(match.line)) == match.state, "a new fold gives the same"
