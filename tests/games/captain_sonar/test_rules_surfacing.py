"""Surfacing, repairs and scenarios: SON-80 to SON-97."""

import pytest

from games.captain_sonar.commands import (
    AnswerSonar,
    CrossSymbol,
    Dive,
    EndTurn,
    LaunchDrone,
    LaunchTorpedo,
    MarkGauge,
    OrderCourse,
    PingSonar,
    SetOverlay,
    Surface,
    TraceSection,
    TriggerArcherMine,
    TriggerMine,
    WipeOverlay,
)
from games.captain_sonar.components import OUTLINES
from games.captain_sonar.events import (
    ArcherMineTriggered,
    BreakdownsCleared,
    DamageTaken,
    Dived,
    ReadyToDive,
    RepairsInspected,
    SubmarineDestroyed,
    Surfaced,
    TurnStarted,
)
from games.captain_sonar.rules.repairs import is_clean
from tests.games.captain_sonar.table import Table, at, cells, live


def trace(section: int, path=None) -> TraceSection:
    return TraceSection(section, OUTLINES[section] if path is None else path)


@pytest.mark.rule("SON-80")
@pytest.mark.parametrize("table", [Table(8), live()], ids=["turns", "real_time"])
def test_surfacing_tells_the_sector_and_forgets_the_route(table):
    table.put(0, "A6 A7 A8", mines="A1", crossed="n4")
    table.boat(0).gauges["drone"] = 2
    surfaced = table.when(0, Surface()).events[0]
    boat = table.boat(0)
    assert surfaced.sector == {10: 3, 15: 4}[table.state.size]
    assert (boat.route, boat.position) == (cells("A8"), at("A8"))
    assert (boat.mines, boat.gauges["drone"]) == (cells("A1"), 2)
    assert table.state.damage == [0, 0]


@pytest.mark.rule("SON-81")
def test_in_turns_surfacing_is_the_whole_turn():
    table = Table()
    table.put(0, "A1", crossed="n1 w4")
    assert table.when(0, Surface()).names == [
        "surfaced",
        "breakdowns_cleared",
        "turn_ended",
        "turn_started",
    ]
    assert table.boat(0).crossed == []


def turn(table: Table, seat: int, direction: str) -> TurnStarted:
    """Play a course without an activation; return the last event."""
    table.play(seat, OrderCourse(direction))
    table.play(seat, MarkGauge("silence"))
    table.play(seat, CrossSymbol(f"{direction}4"))
    table.boat(seat).crossed = []
    return table.when(seat, EndTurn()).events[-1]


@pytest.mark.rule("SON-82")
def test_in_turns_the_enemy_then_has_three_turns_in_a_row():
    table = Table()
    assert table.when(0, Surface()).events[-1] == TurnStarted(1, 3, True)
    assert turn(table, 1, "n") == TurnStarted(1, 2, True)
    assert turn(table, 1, "w") == TurnStarted(1, 1, True)
    assert turn(table, 1, "n") == TurnStarted(0, 1, False)
    assert turn(table, 0, "s") == TurnStarted(1, 1, False)


@pytest.mark.rule("SON-83")
@pytest.mark.parametrize(
    ("option", "answer"),
    [("alternate", TurnStarted(0, 1, False)), ("three", TurnStarted(0, 3, True))],
)
@pytest.mark.parametrize("before", [0, 1, 2])
def test_an_enemy_that_surfaces_in_its_three_turns_loses_the_rest(option, answer, before):
    table = Table(bonus_surface=option)
    table.play(0, Surface())
    for direction in "nw"[:before]:
        turn(table, 1, direction)
    assert table.when(1, Surface()).events[-1] == answer


@pytest.mark.rule("SON-84")
def test_in_real_time_tasks_come_before_surfacing():
    table = live()
    table.play(0, OrderCourse("s"))
    table.when(0, Surface()).refused("crew-busy")


def surfaced(seats=8, **options) -> Table:
    table = live(seats, **options)
    table.put(0, "E8", full="sonar torpedo", mines="A1", crossed="n4")
    table.act()
    table.play(0, Surface())
    return table


@pytest.mark.rule("SON-85")
def test_a_surfaced_crew_does_nothing_but_repair_and_answer():
    table = surfaced()
    refused = [
        (0, OrderCourse("n")),
        (0, Surface()),
        (0, PingSonar()),
        (0, LaunchTorpedo(at("E6"))),
        (0, TriggerMine(at("A1"))),
        (2, MarkGauge("mine")),
        (4, CrossSymbol("n1")),
        (6, SetOverlay(at("A1"))),
        (6, WipeOverlay()),
    ]
    assert {table.trial(seat, command).code for seat, command in refused} == {"crew-surfaced"}
    assert table.kinds(4) == {"TraceSection"}
    assert [table.legal(seat) for seat in (0, 2, 6)] == [[], [], []]


@pytest.mark.rule("SON-85")
def test_the_enemy_plays_on_hits_and_asks_a_surfaced_boat():
    table = surfaced()
    table.put(1, "E11", full="sonar torpedo")
    table.act(1)
    table.play(1, PingSonar())
    assert table.trial(0, AnswerSonar("column", 4, "row", 1)).accepted
    table.play(0, AnswerSonar("column", 4, "row", 1))
    table.act(1)
    table.play(1, LaunchTorpedo(at("E8")))
    assert table.state.damage == [2, 0]
    assert table.boat(0).station == "surfaced"


@pytest.mark.rule("SON-86")
def test_four_sections_are_traced_once_each_with_initials():
    table = surfaced()
    for seat, section in ((4, 3), (0, 1), (6, 2)):
        table.play(seat, trace(section))
        table.when(2, trace(section)).refused("section-already-traced")
    assert table.boat(0).traces == [(3, 4, True), (1, 0, True), (2, 6, True)]
    table.when(2, trace(5, ())).refused("section-unknown")
    table.when(2, trace(0, ())).refused("section-unknown")
    assert table.boat(0).station == "surfaced"
    table.play(2, trace(4))
    assert table.boat(0).station == "dive_ready"


@pytest.mark.rule("SON-87")
@pytest.mark.parametrize("section", OUTLINES)
def test_a_clean_trace_goes_once_around_from_anywhere_either_way(section):
    outline = OUTLINES[section]
    size = len(outline)
    for start in range(size):
        turned = (*outline[start:], *outline[:start])
        assert is_clean(turned, outline)
        assert is_clean(turned[::-1], outline)
    assert not is_clean(outline[1:], outline)
    assert not is_clean((*outline, outline[0]), outline)
    assert not is_clean((*outline[:3], (1, 1), *outline[4:]), outline)
    assert not is_clean((outline[1], outline[0], *outline[2:]), outline)
    assert not is_clean(((1, 1), *outline[1:]), outline)


def test_outlines_have_the_sections_sizes():
    assert [len(outline) for outline in OUTLINES.values()] == [14, 14, 16, 16]
    tower = OUTLINES[2]
    assert tower[:7] == ((0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (5, 1))
    assert tower[-2:] == ((0, 2), (0, 1))


@pytest.mark.rule("SON-87")
def test_a_path_must_be_a_drawing():
    table = surfaced()
    for path in [(), ((0, 0),) * 65, ((7, 0),), ((-3, 0),), ((0, 6),), ((0, -3),)]:
        table.when(4, trace(1, path)).refused("trace-malformed")
    for path in [((0, 0),) * 64, ((6, 0),), ((-2, 0),), ((0, 5),), ((0, -2),)]:
        assert table.trial(4, trace(1, path)).accepted


@pytest.mark.rule("SON-87")
def test_simple_traces_have_no_path_and_are_clean():
    table = surfaced(trace_mode="simple")
    table.when(4, trace(1)).refused("trace-malformed")
    assert table.when(4, trace(1, ())).events[0].clean
    assert surfaced().when(4, trace(1, ((0, 0),))).events[0].clean is False


@pytest.mark.rule("SON-88")
def test_the_engineer_begins_and_all_take_part_before_anyone_repeats():
    table = surfaced(6)
    table.when(0, trace(1)).refused("engineer-traces-first")
    table.when(4, trace(1)).refused("engineer-traces-first")
    table.play(2, trace(1))
    table.when(2, trace(2)).refused("already-initialled")
    table.play(0, trace(2))
    assert {table.trial(seat, trace(3)).code for seat in (0, 2)} == {"already-initialled"}
    table.play(4, trace(3))
    assert all(table.trial(seat, trace(4)).accepted for seat in (0, 2, 4))


@pytest.mark.rule("SON-88")
def test_in_a_crew_of_two_both_take_part():
    table = surfaced(4)
    table.play(0, trace(1))
    table.when(0, trace(2)).refused("already-initialled")
    table.play(2, trace(2))
    table.play(2, trace(3))
    assert table.when(2, trace(4)).names[1] == "repairs_inspected"


@pytest.mark.rule("SON-89")
def test_clean_traces_repair_the_boat():
    table = surfaced()
    for seat, section in ((4, 1), (0, 2), (2, 3)):
        table.play(seat, trace(section))
    assert table.when(6, trace(4)).events[1:] == [
        RepairsInspected(0, True),
        BreakdownsCleared(0),
        ReadyToDive(0),
    ]
    assert (table.boat(0).crossed, table.boat(0).traces) == ([], [])


@pytest.mark.rule("SON-89")
@pytest.mark.parametrize("spoiled", range(4))
def test_one_unclean_trace_wipes_all(spoiled):
    table = surfaced()
    for number, seat in enumerate((4, 0, 2, 6)):
        path = ((0, 0),) if number == spoiled else None
        events = table.when(seat, trace(number + 1, path)).events
    assert events[1:] == [RepairsInspected(0, False)]
    boat = table.boat(0)
    assert (boat.crossed, boat.traces, boat.station) == (["n4"], [], "surfaced")
    table.when(0, trace(1)).refused("engineer-traces-first")


@pytest.mark.rule("SON-90")
def test_the_captain_dives_and_a_course_comes_first():
    table = surfaced()
    table.when(0, Dive()).refused("not-ready-to-dive")
    for seat, section in ((4, 1), (0, 2), (2, 3), (6, 4)):
        table.play(seat, trace(section))
    table.when(0, OrderCourse("n")).refused("crew-surfaced")
    table.when(4, trace(1)).refused("not-surfaced")
    table.when(2, Dive()).refused("not-your-role")
    table.when(0, Dive()).then(Dived(0))
    table.when(0, PingSonar()).refused("must-move-first")
    assert table.trial(0, OrderCourse("n")).accepted


@pytest.mark.rule("SON-41", "SON-90")
def test_a_dive_takes_back_the_right_to_activate():
    table = surfaced()
    table.boat(0).may_activate = True
    for seat, section in ((4, 1), (0, 2), (2, 3), (6, 4)):
        table.play(seat, trace(section))
    table.play(0, Dive())
    assert not table.boat(0).may_activate


@pytest.mark.rule("SON-91")
def test_after_surfacing_the_way_back_is_open():
    table = Table()
    table.put(0, "C2 B2 A2 A1 B1", mines="C1")
    assert table.kinds(0) & {"OrderCourse"} == set()
    table.play(0, Surface())
    assert table.boat(0).mines == cells("C1")
    table.state.active_crew = 0
    assert OrderCourse("w") in table.legal(0)


@pytest.mark.rule("SON-92", "SON-97")
@pytest.mark.parametrize("name", ["alpha", "bravo", "charlie"])
def test_the_first_three_maps_have_no_special_rules(name):
    table = Table(map=name)
    assert "scenario" not in table.boat(0).gauges
    assert table.state.archer_mines == []
    table.play(0, Surface())
    assert table.state.damage == [0, 0]


@pytest.mark.rule("SON-93")
@pytest.mark.parametrize(
    ("cell", "damage"),
    [("E8", 1), ("E7", 0), ("D6", 0), ("M4", 0), ("J13", 0), ("L4", 1), ("A1", 1)],
)
def test_on_delta_surfacing_off_a_hole_costs_a_damage(cell, damage):
    table = live(map="delta")
    table.put(0, cell)
    events = table.when(0, Surface()).events
    if damage:
        assert events[0] == DamageTaken(0, 1, 1, "ice", "")
    assert isinstance(events[damage], Surfaced)
    assert table.state.damage == [damage, 0]


@pytest.mark.rule("SON-93", "SON-103")
def test_a_boat_sunk_by_the_ice_tells_no_sector():
    table = Table(map="delta")
    table.state.damage[0] = 3
    table.when(0, Surface()).then(DamageTaken(0, 1, 4, "ice", ""), SubmarineDestroyed(0, False))
    assert table.state.winner == 1


def test_light_delta_has_two_holes_of_four_cells():
    table = Table(map="delta")
    for cell in cells("D4 E4 D5 E5 F8 G8 F9 G9"):
        table.boat(0).position = cell
        table.boat(0).route = [cell]
        table.state.phase, table.state.active_crew = "course", 0
        assert table.trial(0, Surface()).accepted
        assert table.when(0, Surface()).names[0] == "surfaced"


def echo(**options) -> Table:
    table = Table(map="echo", **options)
    table.put(0, "A1", full="scenario")
    table.act()
    return table


@pytest.mark.rule("SON-94")
def test_archers_mines_are_triggered_by_the_scenario_system():
    table = echo()
    table.put(1, "I10")
    assert table.trial(0, TriggerArcherMine(at("I9"))).accepted
    table.put(0, "A1", crossed="s6")
    table.when(0, TriggerArcherMine(at("I9"))).refused("system-broken")
    table.put(0, "A1", crossed="n4 w1")
    table.boat(0).gauges["scenario"] = 3
    table.when(0, TriggerArcherMine(at("I9"))).refused("system-not-ready")
    table.boat(0).gauges["scenario"] = 4
    events = table.when(0, TriggerArcherMine(at("I9"))).events
    assert events[0] == ArcherMineTriggered(0, at("I9"))
    assert table.state.damage == [0, 1]
    assert at("I9") not in table.state.archer_mines
    assert table.boat(0).gauges["scenario"] == 0


@pytest.mark.rule("SON-94")
def test_either_side_of_echo_has_its_mines():
    assert echo().state.archer_mines == cells("H2 E3 B4 H5 B7 G8 D9 I9")
    dark = cells("L2 G3 C4 F6 J6 B9 N9 F10 J10 L12 D14 H14")
    assert echo(board_side="dark").state.archer_mines == dark


@pytest.mark.rule("SON-95")
def test_a_spent_or_torpedoed_mine_is_spent_for_both():
    table = echo()
    table.play(0, TriggerArcherMine(at("I9")))
    table.put(1, "H4", full="scenario torpedo")
    table.act(1)
    table.when(1, TriggerArcherMine(at("I9"))).refused("archer-mine-spent")
    table.when(1, TriggerArcherMine(at("I10"))).refused("archer-mine-not-found")
    table.play(1, LaunchTorpedo(at("H2")))
    table.act(1)
    table.when(1, TriggerArcherMine(at("H2"))).refused("archer-mine-spent")
    assert TriggerArcherMine(at("H2")) not in table.legal(1)


@pytest.mark.rule("SON-96")
def test_archers_mines_may_be_started_on_and_sailed_over():
    table = Table(map="echo", starts="E3 H2")
    assert table.boat(0).route == cells("E3")
    table.put(0, "D3")
    assert table.when(0, OrderCourse("e")).names == ["course_ordered"]


@pytest.mark.rule("SON-97")
@pytest.mark.parametrize("name", ["alpha", "bravo", "charlie", "delta", "echo"])
def test_on_every_map_the_fourth_damage_decides(name):
    table = Table(map=name)
    table.put(0, "A1", full="torpedo drone")
    table.put(1, "A4")
    table.state.damage[1] = 2
    table.act()
    table.play(0, LaunchTorpedo(at("A4")))
    assert (table.state.phase, table.state.winner) == ("over", 0)
    table.when(0, LaunchDrone(1)).refused("game-over")
