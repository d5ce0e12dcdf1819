"""Bisect: when a condition held, for which viewer; bad expressions are refused or stopped."""

import re

import pytest

from games import GAMES
from games.match.commands import Undo_
from replay.bisect import bisect
from replay.condition import BadCondition, Condition, TooCostly, evaluate, evaluate_apart
from replay.history import History
from tests.corpus import load, recorded_of
from tests.games.match.toy import Count, Note
from tests.replay.logs import TOYS, toy


def when(recorder, condition, sight="full", **chosen):
    found = bisect(TOYS, recorder.lines, sight, condition, **chosen)
    return [
        (turning.record.v, turning.holds) for turning in found.changes or [found.first] if turning
    ]


def test_the_first_version_where_it_holds():
    recorder = toy(seats=2)
    recorder.play(0, Count(2))
    recorder.play(1, Count(2))
    assert when(recorder, "total > `1`") == [(4, True)]
    assert when(recorder, "total > `2`") == [(5, True)]
    assert when(recorder, "total > `9`") == []


def test_every_version_where_it_changes():
    """An undo makes it false again; what happened on the abandoned line is told and marked."""
    recorder = toy(seats=2)
    recorder.play(0, Count(2))
    recorder.play(0, Undo_(3))
    recorder.play(0, Count(1))
    recorder.play(1, Count(1))
    found = bisect(TOYS, recorder.lines, "full", "total == `2`", every=True)
    assert [(t.record.v, t.holds) for t in found.changes] == [(4, True), (5, False), (7, True)]
    assert (found.first.record.v, found.first.record.undone_by, found.versions) == (4, 5, 7)


def test_nothing_holds_before_the_game_begins():
    """Not even what errs on nothing."""
    assert when(toy(seats=2), "length(notes) == `0`") == [(3, True)]
    assert when(toy(seats=2, seated=False), "!total") == []


def test_a_viewer_looks_at_its_view_and_counts_its_numbers():
    recorder = toy()
    recorder.play(0, Note(5))
    recorder.play(0, Count(2))
    assert when(recorder, "notes[0] == `5`") == [(6, True)]
    assert when(recorder, "notes[0] == `5`", 1) == []
    assert when(recorder, "total == `2`") == [(7, True)]
    assert when(recorder, "total == `2`", 1) == [(6, True)]


def test_what_is_beside_the_game_can_be_asked_of_the_match():
    recorder = toy(seats=2, goal=1)
    recorder.play(0, Count(1))
    assert when(recorder, "status == 'finished'", subject="match") == [(4, True)]


@pytest.mark.parametrize("slug", GAMES)
def test_a_recorded_match_ends_once(slug):
    """What bisect finds is what every version says."""
    lines = load(min(recorded_of(slug)))
    history = History(GAMES, lines)
    found = bisect(GAMES, lines, 0, "status != 'running'", subject="match", every=True)
    held = [turning.record.v for turning in found.changes]
    numbers = range(1, history.last(0) + 1)
    statuses = [history.plain(0, number)["status"] == "running" for number in numbers]
    changes = [n for n in numbers if statuses[n - 1] != (n == 1 or statuses[n - 2])]
    assert held == [n for n in numbers if n == 1 or n in changes]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("a", True), ("a[0]", True), ("b", False), ("c", False), ("d", False),
        ("a[?@ > `1`]", True), ("`0`", True), ("''", False), ("n == `0`", True),
    ],
)  # fmt: skip
def test_truth_is_jmespaths(condition, holds):
    assert Condition(condition).holds(b'{"a":[1,2],"b":[],"c":{},"d":null,"n":0}') is holds


BAD = [
    "",
    "][",
    "foo(",
    "nope(@)",
    "abs(a)",
    "length(n)",
    "(" * 999,
    "a" * 1_001,
    "sort_by(a, &b)",
    "sum(`[1]`",
    "'a\nb",
]


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
@pytest.mark.parametrize("evaluator", [evaluate, evaluate_apart])
def test_a_wrong_expression_is_refused_by_name(text, evaluator):
    with pytest.raises(BadCondition) as refusal:
        list(evaluator(text, [b'{"a":["x"],"n":0}']))
    assert str(refusal.value)
    assert "\n" not in str(refusal.value)


WORDS = {
    "": "The expression is empty.",
    "turn > 3": "Unexpected '3' at character 8 of 'turn > 3'. Write a number as `0`, in backticks.",
    "a = `1`": "Unexpected '=' at character 3 of 'a = `1`'.",
    "a ||": "The expression 'a ||' is incomplete.",
    "nope(@)": "Unknown function: nope(), in 'nope(@)'.",
    "length()": "Expected 1 argument for function length(), received 0, in 'length()'.",
    "length(n)": "length() takes string or array or object, got number, in 'length(n)'.",
}


@pytest.mark.parametrize(("text", "words"), WORDS.items(), ids=range(len(WORDS)))
def test_a_refusal_says_what_is_wrong_and_where(text, words):
    with pytest.raises(BadCondition, match=f"^{re.escape(words)}$"):
        Condition(text).holds(b'{"n":0}')


def nested(inner: str, times: int) -> str:
    for _ in range(times):
        inner = f"map(&{inner}, `[0,0,0,0,0,0,0,0,0,0]`)"
    return inner


HOSTILE = {
    "ten to the twentieth steps": nested("@", 20),
    "a word of two to the fortieth letters": "|".join(["[@,@]"] * 40) + "|to_string(@)",
    "a list of two to the sixtieth elements": "|".join(["[@,@][]"] * 60),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_expression_ends(text):
    with pytest.raises(TooCostly):
        evaluate_apart(text, [b'{"a":1}'] * 3, seconds=1)


def test_apart_the_judgement_is_the_same():
    documents = [b"null", b'{"a":1}', b'{"a":1}', b'{"a":2}', b'{"a":1}', b"null"]
    assert evaluate_apart("a == `1`", documents) == list(evaluate("a == `1`", documents))
    assert evaluate_apart("a", []) == []
