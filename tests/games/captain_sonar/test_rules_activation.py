"""Activations in general: SON-37 to SON-47."""

import pytest

from games.captain_sonar.commands import (
    AnswerSonar,
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
from games.captain_sonar.events import Resumed, StopCalled
from tests.games.captain_sonar.table import Table, at, live

EVERY = {
    "mine": DropMine(at("E4")),
    "torpedo": LaunchTorpedo(at("E3")),
    "drone": LaunchDrone(1),
    "sonar": PingSonar(),
    "silence": RunSilent("w", 1),
    "scenario": TriggerArcherMine(at("E3")),
}
ALL = "mine torpedo drone sonar silence scenario"


def armed(full=ALL, **options) -> Table:
    table = Table(8, map="echo", **options)
    table.put(0, "E5", full=full)
    table.act()
    return table


def armed_live(full=ALL) -> Table:
    table = live(map="echo", board_side="light")
    table.put(0, "E5", full=full)
    table.act()
    return table


def sail(table: Table) -> None:
    """Return a match after a move, with all tasks done and nothing broken."""
    table.play(0, OrderCourse("e"))
    table.act()


@pytest.mark.rule("SON-37")
@pytest.mark.parametrize("gauge", EVERY)
def test_a_system_needs_its_gauge_full_and_empties_it(gauge):
    table = armed()
    table.boat(0).gauges[gauge] -= 1
    table.when(0, EVERY[gauge]).refused("system-not-ready")
    assert EVERY[gauge] not in table.legal(0)
    table.boat(0).gauges[gauge] += 1
    before = dict(table.boat(0).gauges)
    table.play(0, EVERY[gauge])
    assert table.boat(0).gauges == before | {gauge: 0}


@pytest.mark.rule("SON-38")
def test_the_first_mate_activates_drone_and_sonar_only():
    table = armed()
    table.boat(0).mines = [at("H8")]
    allowed = {name for name, command in EVERY.items() if table.trial(2, command).accepted}
    assert allowed == {"drone", "sonar"}
    refused = [EVERY["mine"], EVERY["torpedo"], EVERY["silence"], TriggerMine(at("H8"))]
    assert {table.trial(2, command).code for command in refused} == {"not-your-role"}
    assert all(table.trial(0, command).accepted for command in EVERY.values())
    assert {table.trial(6, command).code for command in EVERY.values()} == {"not-your-role"}


@pytest.mark.rule("SON-39")
def test_in_turns_the_course_comes_first():
    table = Table(map="echo")
    table.put(0, "E5", full=ALL)
    assert {table.trial(0, command).code for command in EVERY.values()} == {"wrong-phase"}
    table.play(0, OrderCourse("n"))
    assert {table.trial(0, command).code for command in EVERY.values()} == {"wrong-phase"}
    table.when(0, EndTurn()).refused("wrong-phase")


@pytest.mark.rule("SON-39", "SON-46")
@pytest.mark.parametrize("gauge", ["mine", "torpedo", "drone", "scenario"])
def test_in_turns_one_activation_ends_the_turn(gauge):
    table = armed()
    then = table.when(0, EVERY[gauge])
    assert then.names[-2:] == ["turn_ended", "turn_started"]
    assert table.state.active_crew == 1
    table.when(0, EVERY["drone"]).refused("wrong-phase")


@pytest.mark.rule("SON-46")
def test_without_an_activation_the_turn_ends_by_command():
    """The turn goes on even if nothing is ready: an automatic end would tell so."""
    table = Table(8)
    table.play(0, OrderCourse("s"))
    table.play(2, MarkGauge("mine"))
    then = table.when(4, CrossSymbol("s1"))
    assert then.names == ["symbol_crossed"]
    assert table.state.phase == "system"
    assert table.legal(0) == [EndTurn()]
    assert table.when(0, EndTurn()).names == ["turn_ended", "turn_started"]


@pytest.mark.rule("SON-40")
@pytest.mark.parametrize("gauge", ["torpedo", "mine", "drone"])
def test_in_real_time_a_course_comes_between_two_activations(gauge):
    table = armed_live()
    table.play(0, EVERY[gauge])
    table.when(0, EVERY["sonar"]).refused("must-move-first")
    table.when(2, EVERY["sonar"]).refused("must-move-first")
    assert "PingSonar" not in table.kinds(0) | table.kinds(2)
    sail(table)
    assert table.trial(0, EVERY["sonar"]).accepted


@pytest.mark.rule("SON-41")
def test_in_real_time_the_game_starts_with_a_course():
    table = live(map="echo")
    table.put(0, "E5", full=ALL, mines="H9")
    for command in (*EVERY.values(), TriggerMine(at("H9"))):
        table.when(0, command).refused("must-move-first")
    sail(table)
    assert table.trial(0, EVERY["drone"]).accepted


@pytest.mark.rule("SON-42")
def test_a_trigger_is_an_activation_without_a_gauge():
    table = armed_live()
    table.put(0, "E5", mines="H8 H9")
    gauges = dict(table.boat(0).gauges)
    table.play(0, TriggerMine(at("H8")))
    assert table.boat(0).gauges == gauges
    table.when(0, TriggerMine(at("H9"))).refused("must-move-first")
    table.when(0, EVERY["drone"]).refused("must-move-first")
    turns = armed("")
    turns.put(0, "E5", mines="H8 H9")
    turns.play(0, TriggerMine(at("H8")))
    assert turns.state.active_crew == 1


@pytest.mark.rule("SON-43")
@pytest.mark.parametrize(
    ("seat", "gauge", "role", "system"),
    [
        (0, "torpedo", "captain", "torpedo"),
        (0, "drone", "captain", "drone"),
        (2, "drone", "first_mate", "drone"),
        (0, "mine", "captain", "mine"),
        (0, "scenario", "captain", "scenario"),
    ],
)
def test_an_activation_stops_and_resumes_within_one_command(seat, gauge, role, system):
    table = armed_live()
    events = table.when(seat, EVERY[gauge]).events
    assert events[0] == StopCalled(0, role, system)
    assert events[-1] == Resumed(0)
    assert table.state.stop is None


@pytest.mark.rule("SON-43")
def test_a_trigger_calls_its_own_stop():
    table = armed_live()
    table.put(0, "E5", mines="H8")
    assert table.when(0, TriggerMine(at("H8"))).events[0] == StopCalled(0, "captain", "trigger")


@pytest.mark.rule("SON-43")
def test_while_stopped_only_the_answer_is_taken():
    table = armed_live()
    table.play(1, OrderCourse("n"))
    table.play(2, PingSonar())
    refused = [
        (0, OrderCourse("n")),
        (0, AnswerSonar("row", 4, "column", 0)),
        (1, OrderCourse("n")),
        (1, Surface()),
        (3, MarkGauge("mine")),
        (5, CrossSymbol("n1")),
        (6, WipeOverlay()),
        (7, SetOverlay(at("A1"))),
    ]
    assert {table.trial(seat, command).code for seat, command in refused} == {"game-stopped"}
    assert {seat for seat in range(8) if table.legal(seat)} == {1}
    answer = table.legal(1)[0]
    assert table.when(1, answer).events[-1] == Resumed(0)
    assert table.trial(3, MarkGauge("mine")).accepted


@pytest.mark.rule("SON-43")
def test_while_a_silent_crew_works_only_its_tasks_are_taken():
    table = armed_live("silence")
    table.play(1, OrderCourse("n"))
    table.play(0, RunSilent("w", 1))
    table.when(3, MarkGauge("mine")).refused("game-stopped")
    table.when(5, CrossSymbol("n1")).refused("game-stopped")
    table.when(1, EVERY["drone"]).refused("game-stopped")
    table.when(0, OrderCourse("n")).refused("game-stopped")
    table.when(0, EVERY["drone"]).refused("game-stopped")
    assert {seat for seat in range(8) if table.legal(seat)} == {2, 4}


@pytest.mark.rule("SON-43")
def test_in_turns_nobody_calls_a_stop():
    table = armed()
    assert "stop_called" not in table.when(0, EVERY["torpedo"]).names
    assert not any(isinstance(event, Resumed) for event in table.events)
    assert table.state.stop is None


@pytest.mark.rule("SON-44")
def test_an_activation_waits_for_the_tasks():
    table = armed_live()
    table.play(0, OrderCourse("n"))
    for command in (*EVERY.values(), TriggerMine(at("A1"))):
        table.when(0, command).refused("crew-busy")
    table.when(2, EVERY["drone"]).refused("crew-busy")
    assert table.kinds(0) == set()


@pytest.mark.rule("SON-45", "SON-66")
def test_a_surfaced_crew_activates_nothing():
    table = armed_live()
    table.put(0, "E5", mines="H8")
    table.play(0, Surface())
    for command in (*EVERY.values(), TriggerMine(at("H8"))):
        table.when(0, command).refused("crew-surfaced")


@pytest.mark.rule("SON-47")
def test_a_silent_move_is_no_course():
    """The boat has moved, but no course was announced: the next activation has to wait for one."""
    table = armed_live()
    table.play(0, RunSilent("w", 1))
    assert table.state.courses_total == 0
    assert not table.boat(0).may_activate
