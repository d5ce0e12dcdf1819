"""Blame: which event and rule set a value; what was taken back; what a viewer may not know."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import GAMES
from games.match.commands import Answer, Pause, ProposeUndo, Undo_
from games.match.events import Undone
from replay.blame import BadPath, blame, found, parsed, rules_of
from replay.history import History
from replay.subject import NOTHING
from replay.timeline import timeline
from tests.corpus import load, recorded_of
from tests.games.laws import kinds, rule_ids
from tests.games.match.toy import Count, Counted, Note, Noted, Peek
from tests.replay.logs import ALL, TOYS, a_match, toy


def blamed(recorder, path, sight="full", **chosen):
    return blame(TOYS, recorder.lines, sight, path, **chosen)


def test_the_last_record_that_set_a_place_is_to_blame():
    recorder = toy(seats=2)
    recorder.play(0, Count(2))
    recorder.play(1, Count(1))
    recorder.play(0, Peek())
    told = blamed(recorder, "/total")
    assert (told.value, told.set_by.record.v) == (3, 5)
    assert (told.set_by.record.command, told.set_by.event) == (Count(1), Counted(1, 3))
    assert [(change.record.v, change.value) for change in told.history] == [(3, 0), (4, 2), (5, 3)]


def test_a_place_that_vanished_keeps_its_history():
    """The second note is gone once it was taken back."""
    recorder = toy(seats=2)
    recorder.play(0, Note(7))
    recorder.play(0, Note(8))
    recorder.play(0, Undo_(recorder.folded.number(0) - 1))
    told = blamed(recorder, "/notes/1")
    assert (told.there, told.value, told.set_by) == (False, None, None)
    appeared, vanished = told.history
    assert (appeared.record.v, appeared.value, appeared.record.undone_by) == (5, 8, 6)
    assert (vanished.record.v, vanished.there) == (6, False)


def test_a_bounded_history_lists_the_latest_changes_and_counts_the_others():
    recorder = toy(seats=2)
    for seat in (0, 1, 0, 1):
        recorder.play(seat, Count(1))
    whole, part = blamed(recorder, "/total"), blamed(recorder, "/total", limit=2)
    assert part.history == whole.history[-2:]
    assert (part.earlier, part.set_by) == (3, whole.set_by)
    assert blamed(recorder, "/total", limit=99) == whole


def test_a_bounded_history_still_names_who_set_the_value_before_what_was_taken_back():
    recorder = toy(seats=2)
    recorder.play(0, Count(1))
    recorder.play(1, Count(2))
    recorder.play(1, Undo_(recorder.folded.number(1) - 1))
    told = blamed(recorder, "/total", limit=1)
    assert (told.set_by.record.v, [change.record.v for change in told.history]) == (4, [6])


def test_what_was_taken_back_is_not_to_blame():
    recorder = toy(seats=2)
    recorder.play(0, Count(1))
    recorder.play(1, Count(2))
    recorder.play(1, Undo_(recorder.folded.number(1) - 1))
    told = blamed(recorder, "/total")
    assert (told.value, told.set_by.record.v) == (1, 4)
    assert [(c.record.v, c.record.undone_by) for c in told.history] == [
        (3, None),
        (4, None),
        (5, 6),
        (6, None),
    ]
    assert isinstance(told.history[-1].event, Undone)


def test_what_was_set_and_reset_on_an_abandoned_line_is_not_to_blame_either():
    """The turn is seat 0's again after two moves that were taken back: it was so from the start."""
    recorder = toy(seats=2)
    recorder.play(0, Count(1))
    recorder.play(1, Count(1))
    recorder.play(0, ProposeUndo(3))
    recorder.play(1, Answer(recorder.folded.number(1), accept=True))
    told = blamed(recorder, "/turn")
    assert (told.value, told.set_by.record.v) == (0, 3)


def test_what_is_beside_the_game_is_not_taken_back():
    recorder = toy(seats=2)
    recorder.play(0, Count(1))
    recorder.play(0, Undo_(3))
    told = blamed(recorder, "/chairs/0/undos", subject="match")
    assert (told.value, told.set_by.record.v) == (1, 5)
    recorder.play(1, Pause())
    paused = blamed(recorder, "/proposals/0", subject="match")
    assert paused.set_by.record.command == Pause()
    assert blamed(recorder, "/state/total", subject="match").set_by.record.v == 3


def test_a_rivals_hidden_record_is_neither_named_nor_counted():
    """Seat 1 is not told of the note; it reads its own numbers, and no command of seat 0."""
    quiet, busy = toy(), toy()
    busy.play(0, Note(12345), after=0)
    for recorder in (quiet, busy):
        recorder.play(0, Count(1))
    for path in ("/total", "/turn", "/notes", "/notes/0"):
        mine, others = (blamed(recorder, path, 1) for recorder in (quiet, busy))
        assert msgspec.to_builtins(mine) == msgspec.to_builtins(others)
    assert blamed(busy, "/total", 1).set_by.record.command is None
    assert blamed(busy, "/notes/0").set_by.event == Noted(0, 12345)


def test_a_record_after_hidden_ones_is_played_out_on_what_they_made():
    recorder = toy()
    recorder.play(0, Count(1))
    recorder.play(2, Note(3))
    recorder.play(1, Count(2))
    assert blamed(recorder, "/total", 1).set_by.event == Counted(1, 3)


@pytest.mark.parametrize("path", ["total", "hand/0", "/~2", "/" + "a" * 1_000])
def test_what_is_no_pointer_is_refused(path):
    with pytest.raises(BadPath):
        blamed(toy(), path)


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("", {"a": [1, "xy"], "": 2, "~/": 3}), ("/a/1", "xy"), ("/", 2), ("/~0~1", 3),
        ("/a/1/0", NOTHING), ("/a/2", NOTHING), ("/a/-", NOTHING), ("/a/01", NOTHING),
        ("/a/x", NOTHING), ("/b/c", NOTHING),
    ],
)  # fmt: skip
def test_a_pointer_leads_to_what_rfc_6901_says(path, there):
    document = b'{"a":[1,"xy"],"":2,"~/":3}'
    assert found(parsed(path), document) == there


def leaves(value, path=""):
    yield path
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from leaves(inner, f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}")


def check(games, lines, sight, path):
    """Check that the value is there, every change has a cause, and the timeline shows it."""
    told = blame(games, lines, sight, path)
    assert told.set_by is None or (told.set_by.there, told.set_by.value) == (told.there, told.value)
    assert told.set_by is not None or not told.there
    assert all(
        c.value != d.value or c.there != d.there
        for c, d in zip(told.history, told.history[1:], strict=False)
    )
    moments = {moment.v: moment for moment in timeline(games, lines, sight)}
    for change in told.history:
        assert change.record == moments[change.record.v]
        assert change.event is None or change.event in change.record.events


@settings(max_examples=60)
@given(data=st.data())
def test_any_place_of_a_match_with_undos(data):
    """In any sight, at any time of the match."""
    lines = a_match()[: data.draw(st.integers(6, len(a_match())))]
    sight = data.draw(st.sampled_from(["full", 0, 1, None]))
    history = History(ALL, lines)
    number = data.draw(st.integers(1, history.last(sight)))
    shown = history.plain(sight, number)
    paths = list(leaves(shown["state" if sight == "full" else "view"]))
    check(ALL, lines, sight, data.draw(st.sampled_from(paths)))


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("sight", ["full", 0, None])
def test_places_of_recorded_matches(slug, sight):
    for path in recorded_of(slug)[:4]:
        lines = load(path)
        shown = History(ALL, lines).plain(sight, 1 + History(ALL, lines).last(sight) // 2)
        places = list(leaves(shown["state" if sight == "full" else "view"]))
        for place in places[:: max(1, len(places) // 8)]:
            check(ALL, lines, sight, place)


@pytest.mark.parametrize("slug", GAMES)
def test_every_event_and_command_names_its_rules(slug):
    """Docstrings name them; every id is in the rules file that the game declares."""
    ids, game = rule_ids(slug), GAMES[slug]
    for kind in (*kinds(game.Event), *kinds(game.Command)):
        rules = rules_of(kind)
        assert rules, kind
        assert set(rules) <= ids, kind


def test_a_range_of_rules_is_written_out():
    class Moved:
        """Went on (SUB-9 to SUB-11, SUB-3)."""

    assert rules_of(Moved()) == ["SUB-9", "SUB-10", "SUB-11", "SUB-3"]
