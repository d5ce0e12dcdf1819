"""The undo class of each command."""

import msgspec
import pytest

from games.captain_sonar import GAME
from games.captain_sonar.commands import (
    ChooseStart,
    ConfirmSilence,
    CrossSymbol,
    DropMine,
    EndTurn,
    LaunchDrone,
    LaunchTorpedo,
    MarkGauge,
    OrderCourse,
    PingSonar,
    RunSilent,
    SetOverlay,
    Surface,
    TriggerArcherMine,
    TriggerMine,
    WipeOverlay,
)
from tests.games.captain_sonar.table import Table, at, deploying, live


def test_a_start_is_free_until_the_other_captain_has_chosen():
    table = deploying()
    assert table.trial(0, ChooseStart(at("A1"))).undo == "free"
    table.play(0, ChooseStart(at("A1")))
    assert table.trial(1, ChooseStart(at("A1"))).undo == "all"


def armed() -> Table:
    table = Table(map="echo")
    table.put(0, "E5", full="mine torpedo drone sonar silence scenario", mines="A9")
    table.act()
    return table


@pytest.mark.parametrize(
    "command",
    [
        LaunchTorpedo(at("E3")),
        DropMine(at("E4")),
        TriggerMine(at("A9")),
        TriggerArcherMine(at("E3")),
        LaunchDrone(1),
        PingSonar(),
        RunSilent("", 0),
    ],
)
def test_what_was_heard_is_everyones(command):
    assert armed().trial(0, command).undo == "all"


def test_courses_surfacing_and_answers_are_everyones():
    assert Table().trial(0, OrderCourse("s")).undo == "all"
    assert Table().trial(0, Surface()).undo == "all"
    table = armed()
    table.play(0, PingSonar())
    assert table.trial(1, table.legal(1)[0]).undo == "all"


@pytest.mark.parametrize(
    ("marks", "hearers", "expected"),
    [(1, "public", "free"), (2, "public", "all"), (2, "crew", "free")],
)
def test_a_mark_is_free_unless_everybody_heard_of_it(marks, hearers, expected):
    table = Table(ready_announcements=hearers)
    table.play(0, OrderCourse("s"))
    table.boat(0).gauges["mine"] = marks
    assert table.trial(0, MarkGauge("mine")).undo == expected


@pytest.mark.parametrize(
    ("crossed", "expected"), [("", "free"), ("s2 s3 e2", "free"), ("w5 w6 n6 e4 e6", "all")]
)
def test_a_symbol_is_free_unless_it_breaks_down(crossed, expected):
    table = Table()
    table.play(0, OrderCourse("s"))
    table.put(0, "A1 A2", crossed=crossed)
    symbol = "s5" if expected == "all" else "s1"
    assert table.trial(0, CrossSymbol(symbol)).undo == expected


def test_passing_the_turn_asks_the_others():
    assert armed().trial(0, EndTurn()).undo == "consent"
    table = armed()
    table.play(0, RunSilent("", 0))
    assert table.trial(0, ConfirmSilence()).undo == "consent"


@pytest.mark.parametrize("table", [Table(4), live(4)], ids=["turns", "real_time"])
def test_notes_are_free(table):
    assert table.trial(2, SetOverlay(at("A1"))).undo == "free"
    assert table.trial(2, WipeOverlay()).undo == "free"


def test_in_real_time_all_else_is_final():
    table = live(4)
    table.put(0, "E5", full="torpedo drone")
    assert table.trial(0, OrderCourse("n")).undo is None
    assert table.trial(0, Surface()).undo is None
    table.act()
    assert table.trial(0, LaunchDrone(1)).undo is None
    table.play(0, OrderCourse("n"))
    assert table.trial(0, MarkGauge("mine")).undo is None
    assert table.trial(0, CrossSymbol("n1")).undo is None


def test_an_undone_command_leaves_no_trace():
    """Folding the events before an undone command leads to the same bytes."""
    table = Table(radio_assist="inference")
    table.play(0, OrderCourse("s"))
    before = msgspec.json.encode(table.state)
    events = list(table.events)
    table.play(0, MarkGauge("mine"))
    again = GAME.initial(2, table.options)
    for event in events:
        GAME.apply(again, event)
    assert msgspec.json.encode(again) == before
