"""What a seat knew when it chose is what it was told then, and nothing that came later."""

from operator import attrgetter

import pytest

from games import GAMES
from games.game import Seen
from games.match import states
from projections.folded import Folded
from projections.seen import seen
from replay.decisions import decisions
from tests.corpus import load, recorded
from tests.games.match.toy import Count, Note
from tests.replay.logs import noted, toy


@pytest.mark.parametrize(
    "path",
    [path for slug in GAMES for path in recorded(slug)[:3]],
    ids=attrgetter("parent.name", "stem"),
)
def test_knowledge_is_that_of_the_log_as_it_was(path):
    match = Folded.of(GAMES, load(path)).match
    found = list(decisions(match))
    line = match.line.copy()
    for decision in found[:: max(1, len(found) // 6)]:
        entry = line[decision.place]
        assert (entry.version, entry.seat, entry.command) == (
            decision.v,
            decision.seat,
            decision.command,
        )
        for place, knowledge in (
            (decision.place, decision.before),
            (decision.place + 1, decision.after),
        ):
            match.line = line.copy()
            match.line.cut(place)
            assert knowledge.seen == seen(match, decision.seat)
            state = states.state_after(match, place)
            assert knowledge.view == match.game.view(state, decision.seat)
        match.line = line
    assert all(len(decision.legal) > 1 for decision in found)


def test_what_the_clock_plays_is_no_decision():
    recorder = toy(goal=30)
    recorder.play(0, Count(1))
    assert [decision.seat for decision in decisions(recorder.match)] == [0]


def test_others_notes_are_not_known():
    recorder = noted(toy())
    for decision in decisions(recorder.match):
        assert isinstance(decision.before.seen, Seen)
        told = [event for record in decision.before.seen.records for event in record.events]
        crew = {decision.seat % 2, decision.seat % 2 + 2}
        assert all(event.seat in crew for event in told if type(event).__name__ == "Noted")
    assert any(isinstance(decision.command, Note) for decision in decisions(recorder.match))
