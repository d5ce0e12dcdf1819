"""A patch between two versions makes the later of the earlier, and says nothing that is hidden."""

import jsonpatch
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.diff import Difference, diff
from replay.history import History
from replay.travel import NoSuchVersion
from tests.games.match.toy import Count, Note
from tests.replay.logs import ALL, SIGHTS, TOYS, a_match, noted, toy

LINES = a_match()
HISTORY = History(ALL, LINES)


@settings(max_examples=40)
@given(data=st.data())
def test_a_patch_leads_from_one_version_to_the_other(data):
    """In any sight, forwards and backwards."""
    sight = data.draw(st.sampled_from(SIGHTS))
    start, end = (data.draw(st.integers(1, len(LINES))) for _ in range(2))
    before, after = (HISTORY.plain(sight, number) for number in (start, end))
    operations = diff(HISTORY, sight, start, end).patch
    assert jsonpatch.apply_patch(before, operations) == after


def test_what_a_move_did():
    recorder = toy(seats=2)
    recorder.play(0, Count(2))
    last = recorder.folded.version
    operations = diff(History(TOYS, recorder.lines), "full", last - 1, last).patch
    assert {"op": "replace", "path": "/state/total", "value": 2} in operations
    assert {"op": "replace", "path": "/state/turn", "value": 1} in operations


def test_a_rivals_note_is_in_no_patch():
    recorder = toy()
    start = recorder.folded.number(1)
    recorder.play(0, Note(12345))
    recorder.play(0, Count(1))
    for sight, there in ((1, False), (None, False), ("full", True)):
        before = recorder.folded.version - 2 if sight == "full" else start
        operations = diff(History(TOYS, recorder.lines), sight, before, before + 1)
        assert ("12345" in str(operations)) == there


def test_the_same_version_differs_in_nothing():
    assert diff(HISTORY, 0, 5, 5) == Difference(5, 5, [], [])


def test_a_version_that_never_was_is_refused():
    recorder = noted(toy())
    beyond = History(TOYS, recorder.lines).last(0) + 1
    with pytest.raises(NoSuchVersion):
        diff(History(TOYS, recorder.lines), 0, 1, beyond)
