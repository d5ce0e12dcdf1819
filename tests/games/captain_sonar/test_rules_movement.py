"""Courses and silent runs: SON-10 to SON-19, SON-73 to SON-79."""

import pytest

from games.captain_sonar.commands import (
    ConfirmSilence,
    CrossSymbol,
    DropMine,
    EndTurn,
    MarkGauge,
    OrderCourse,
    PingSonar,
    RunSilent,
    Surface,
)
from games.captain_sonar.events import CourseOrdered, SilenceRun
from games.captain_sonar.view import redact
from tests.games.captain_sonar.table import Table, at, cells, live


@pytest.mark.rule("SON-10")
@pytest.mark.parametrize(
    ("direction", "cell"), [("n", "E4"), ("e", "F5"), ("s", "E6"), ("w", "D5")]
)
def test_a_course_moves_one_cell(direction, cell):
    table = Table(map="bravo")
    table.put(0, "E5")
    table.when(0, OrderCourse(direction)).then(CourseOrdered(0, direction, at(cell)))
    assert table.boat(0).position == at(cell)


@pytest.mark.rule("SON-11")
def test_the_direction_is_public_and_the_cell_the_crews():
    table = Table()
    (event,) = table.when(0, OrderCourse("s")).events
    assert redact(event, 1, table.state) == CourseOrdered(0, "s", None)
    assert redact(event, None, table.state) == CourseOrdered(0, "s", None)
    assert redact(event, 0, table.state) == event


@pytest.mark.rule("SON-12")
def test_a_boat_stays_on_the_map():
    table = Table()
    assert [table.trial(0, OrderCourse(d)).code for d in "nw"] == ["course-off-map"] * 2
    table.put(0, "J10")
    assert [table.trial(0, OrderCourse(d)).code for d in "se"] == ["course-off-map"] * 2


@pytest.mark.rule("SON-13")
def test_a_boat_keeps_off_islands():
    table = Table()
    table.put(0, "C3")
    table.when(0, OrderCourse("s")).refused("course-island")


@pytest.mark.rule("SON-14")
def test_a_boat_keeps_off_its_route():
    table = Table()
    table.put(0, "A2 A1 B1 B2")
    table.when(0, OrderCourse("w")).refused("course-own-route")
    table.when(0, OrderCourse("n")).refused("course-own-route")
    assert table.trial(0, OrderCourse("e")).accepted


@pytest.mark.rule("SON-15")
def test_a_boat_keeps_off_its_mines():
    table = Table()
    table.put(0, "B2", mines="C2")
    table.when(0, OrderCourse("e")).refused("course-own-mine")


@pytest.mark.rule("SON-16")
def test_enemy_mines_archers_mines_and_the_enemy_boat_are_sailed_over():
    table = Table(map="echo")
    table.put(1, "C2", mines="C3")
    table.put(0, "B3")
    assert table.when(0, OrderCourse("e")).names == ["course_ordered"]
    assert table.state.damage == [0, 0]
    table.act()
    table.state.phase = "course"
    assert table.trial(0, OrderCourse("n")).accepted
    table.put(0, "E4")
    assert at("E3") in table.state.archer_mines
    assert table.when(0, OrderCourse("n")).names == ["course_ordered"]
    assert table.state.archer_mines.count(at("E3")) == 1


@pytest.mark.rule("SON-17")
def test_the_next_course_waits_for_both_tasks():
    table = live()
    table.put(0, "E5")
    table.play(0, OrderCourse("n"))
    table.when(0, OrderCourse("n")).refused("crew-busy")
    table.play(2, MarkGauge("mine"))
    table.when(0, OrderCourse("n")).refused("crew-busy")
    table.play(4, CrossSymbol("n1"))
    assert table.trial(0, OrderCourse("n")).accepted


@pytest.mark.rule("SON-17")
def test_in_turns_the_tasks_come_in_either_order():
    for first, second in ((0, 1), (1, 0)):
        table = Table(8, starts="E4 J10")
        table.play(0, OrderCourse("n"))
        tasks = [(2, MarkGauge("mine")), (4, CrossSymbol("n1"))]
        table.play(*tasks[first])
        assert table.state.phase == "tasks"
        table.play(*tasks[second])
        assert table.state.phase == "system"


@pytest.mark.rule("SON-18")
def test_a_boxed_in_captain_surfaces():
    table = Table()
    table.put(0, "C2 B2 A2 A1 B1", mines="C1")
    assert table.kinds(0) == {"Surface", "SetOverlay", "WipeOverlay"}
    assert table.when(0, Surface()).events[0].forced


@pytest.mark.rule("SON-18")
def test_in_real_time_a_boxed_in_crew_may_still_act():
    table = live()
    table.put(0, "C2 B2 A2 A1 B1", mines="C1")
    table.act()
    assert {"Surface", "TriggerMine"} <= table.kinds(0)
    assert "OrderCourse" not in table.kinds(0)


@pytest.mark.rule("SON-19")
def test_only_surfacing_erases_the_route():
    table = Table()
    table.put(0, "A1 B1 B2", full="mine")
    table.act()
    table.play(0, DropMine(at("C3")))
    assert table.boat(0).route == cells("A1 B1 B2")
    table.state.active_crew, table.state.phase = 0, "course"
    table.play(0, Surface())
    assert table.boat(0).route == cells("B2")


def silent(seats=2, **options) -> Table:
    table = Table(seats, **options)
    table.put(0, "F5", full="silence")
    table.act()
    return table


@pytest.mark.rule("SON-73")
@pytest.mark.parametrize("distance", range(5))
def test_a_silent_run_goes_up_to_four_cells_straight(distance):
    table = silent()
    direction = "w" if distance else ""
    (run,) = table.when(0, RunSilent(direction, distance)).events
    assert run.cells == tuple(cells("E5 D5 C5 B5")[:distance])
    table.when(0, RunSilent("w", 5)).refused("wrong-phase")
    assert redact(run, 1, table.state) == SilenceRun(0, None, None, None)


@pytest.mark.rule("SON-73")
def test_five_cells_are_too_far():
    table = silent()
    table.when(0, RunSilent("w", 5)).refused("silence-distance")
    table.when(0, RunSilent("w", -1)).refused("silence-distance")


@pytest.mark.rule("SON-74")
@pytest.mark.parametrize(
    ("route", "mines", "direction", "distance"),
    [
        ("E5", "", "s", 1),
        ("A5", "", "w", 1),
        ("D5 D4 E4 F4 F5", "", "n", 1),
        ("F5", "F6", "s", 1),
        ("D5 D6 C6 B6 B5 B4 C5", "", "e", 1),
        ("F5", "D5", "w", 3),
    ],
)
def test_every_cell_entered_must_be_free(route, mines, direction, distance):
    table = silent()
    table.put(0, route, mines=mines)
    table.when(0, RunSilent(direction, distance)).refused("silence-blocked")


@pytest.mark.rule("SON-75")
def test_a_silent_move_owes_one_mark_and_one_symbol_of_its_panel():
    table = silent(8)
    table.play(0, RunSilent("w", 3))
    boat = table.boat(0)
    assert (boat.need_mark, boat.need_symbol) == (True, "w")
    table.when(4, CrossSymbol("n1")).refused("symbol-wrong-panel")
    table.play(4, CrossSymbol("w4"))
    table.play(2, MarkGauge("mine"))
    assert (boat.crossed, boat.gauges["mine"]) == (["w4"], 1)
    table.when(2, MarkGauge("mine")).refused("nothing-to-mark")
    table.when(4, CrossSymbol("w5")).refused("nothing-to-cross")


@pytest.mark.rule("SON-76")
def test_the_mark_of_a_silent_move_does_not_go_to_silence():
    table = silent()
    table.play(0, RunSilent("w", 1))
    table.when(0, MarkGauge("silence")).refused("gauge-excluded")
    assert MarkGauge("silence") not in table.legal(0)
    table.play(0, MarkGauge("drone"))
    assert table.boat(0).mark_excluded == ""


@pytest.mark.rule("SON-76", "SON-22")
def test_with_all_other_gauges_full_a_silent_move_owes_no_mark():
    table = silent()
    table.put(0, "F5", full="mine torpedo drone sonar silence")
    table.play(0, RunSilent("w", 1))
    assert not table.boat(0).need_mark
    assert table.boat(0).mark_excluded == ""


@pytest.mark.rule("SON-77")
def test_staying_owes_nothing_and_empties_the_gauge():
    table = silent()
    table.play(0, RunSilent("", 0))
    boat = table.boat(0)
    assert (boat.need_mark, boat.need_symbol, boat.gauges["silence"]) == (False, "", 0)
    assert boat.position == at("F5")


@pytest.mark.rule("SON-77")
def test_staying_has_no_direction_and_moving_has_one():
    table = silent()
    table.when(0, RunSilent("n", 0)).refused("silence-direction")
    table.when(0, RunSilent("", 2)).refused("silence-direction")


@pytest.mark.rule("SON-78")
def test_all_cells_passed_are_route():
    table = silent()
    table.play(0, RunSilent("w", 3))
    assert table.boat(0).route == cells("F5 E5 D5 C5")


@pytest.mark.rule("SON-79")
@pytest.mark.parametrize(
    "tasks", [(), (MarkGauge("mine"), CrossSymbol("w1")), (CrossSymbol("w1"), MarkGauge("mine"))]
)
def test_the_captain_ends_every_silent_run(tasks):
    table = silent()
    table.play(0, RunSilent("w", 2) if tasks else RunSilent("", 0))
    for task in tasks:
        assert table.state.phase == "silence"
        table.when(0, ConfirmSilence()).refused("tasks-pending")
        table.play(0, task)
    assert table.state.phase == "silence"
    then = table.when(0, ConfirmSilence())
    assert then.names == ["silence_over", "turn_ended", "turn_started"]


@pytest.mark.rule("SON-47", "SON-79")
def test_in_real_time_a_silent_run_stops_both_crews_until_confirmed():
    table = live()
    table.put(0, "F5", full="silence sonar")
    table.act()
    assert table.when(0, RunSilent("w", 1)).names == ["stop_called", "silence_run"]
    table.when(1, OrderCourse("n")).refused("game-stopped")
    table.play(2, MarkGauge("mine"))
    table.play(4, CrossSymbol("w1"))
    assert table.when(0, ConfirmSilence()).names == ["silence_over", "resumed"]
    table.when(0, PingSonar()).refused("must-move-first")
    assert table.state.stop is None


def test_a_turn_can_hold_a_course_and_a_silent_run():
    """Both moves belong to one turn, as the rulebook explains."""
    table = Table(starts="F6 J10")
    table.put(0, "F6", full="silence")
    table.play(0, OrderCourse("n"))
    table.play(0, MarkGauge("mine"))
    table.play(0, CrossSymbol("n1"))
    table.boat(0).crossed = []
    table.play(0, RunSilent("w", 2))
    assert table.boat(0).route == cells("F6 F5 E5 D5")
    table.when(0, EndTurn()).refused("wrong-phase")
