"""Worked examples, number by number."""

import pytest

from games.captain_sonar import GAME
from games.captain_sonar.commands import (
    AnswerSonar,
    ChooseStart,
    ConfirmSilence,
    CrossSymbol,
    Dive,
    DropMine,
    EndTurn,
    LaunchDrone,
    LaunchTorpedo,
    MarkGauge,
    OrderCourse,
    PingSonar,
    RunSilent,
    Surface,
    TraceSection,
    TriggerArcherMine,
    TriggerMine,
)
from games.captain_sonar.events import (
    Blast,
    CircuitRepaired,
    CourseOrdered,
    DamageTaken,
    Resumed,
    SilenceRun,
    SonarAnswered,
    StopCalled,
    Surfaced,
    TurnEnded,
    TurnStarted,
)
from games.captain_sonar.model import Result
from games.captain_sonar.rules.repairs import canonical
from games.captain_sonar.view import redact
from tests.games.captain_sonar.table import Table, at, cells, deploying, live


def test_example_2_deploying():
    """Example 1, the set-up by number of players, is in `test_rules_setup.py`."""
    table = deploying()
    table.when(0, ChooseStart(at("D1"))).refused("cell-is-island")
    table.when(0, ChooseStart((10, 0))).refused("cell-off-map")
    (chosen,) = table.when(0, ChooseStart((0, 0))).events
    assert redact(chosen, 1, table.state).cell is None
    table.when(0, ChooseStart((5, 5))).refused("start-already-chosen")
    then = table.when(1, ChooseStart((9, 9)))
    assert then.names == ["start_chosen", "dived", "dived", "turn_started"]
    assert then.events[-1] == TurnStarted(table.state.first_crew, 1, False)
    assert [table.boat(crew).route for crew in (0, 1)] == [[(0, 0)], [(9, 9)]]


def test_example_3_an_ordinary_turn():
    table = Table(8, starts="C3 J10")
    table.when(0, OrderCourse("s")).refused("course-island")
    table.when(0, OrderCourse("e")).then(CourseOrdered(0, "e", at("D3")))
    table.when(0, OrderCourse("e")).refused("wrong-phase")
    table.play(2, MarkGauge("torpedo"))
    table.when(4, CrossSymbol("n1")).refused("symbol-wrong-panel")
    table.play(4, CrossSymbol("e2"))
    assert (table.boat(0).crossed, table.boat(0).gauges["torpedo"]) == (["e2"], 1)
    assert table.state.phase == "system"
    table.when(2, EndTurn()).refused("not-your-role")
    table.when(0, EndTurn()).then(TurnEnded(0), TurnStarted(1, 1, False))


def test_example_3_in_real_time_the_crew_is_busy():
    table = live(starts="B3 O15")
    table.play(0, OrderCourse("n"))
    table.when(0, OrderCourse("n")).refused("crew-busy")


def test_example_4_route_mine_and_edge():
    table = Table()
    table.put(0, "A2 A1 B1", mines="C1")
    assert {d: table.trial(0, OrderCourse(d)).code for d in "nesw"} == {
        "n": "course-off-map",
        "w": "course-own-route",
        "e": "course-own-mine",
        "s": "",
    }
    table.put(0, "B2 A2 A1 B1")
    assert table.kinds(0) == {"Surface", "SetOverlay", "WipeOverlay"}


def crossed(symbols: str, direction: str, **options) -> Table:
    """Return a match in which a symbol of a panel is owed, with others crossed."""
    table = Table(map="bravo", **options)
    table.put(0, "E5")
    table.play(0, OrderCourse(direction))
    table.put(0, "E5", crossed=symbols)
    return table


def test_example_5_self_repair():
    table = crossed("w1 w2 w3", "e")
    assert table.when(0, CrossSymbol("e3")).events[1:] == [CircuitRepaired(0, "yellow")]
    assert table.boat(0).crossed == []
    table = crossed("w4 w5 w6 w1 w2 e3", "w")
    table.play(0, CrossSymbol("w3"))
    assert (table.boat(0).crossed, table.state.damage) == (["w4", "w5", "w6"], [0, 0])
    table = crossed("w4 w5 w6 w1 w2 e3", "w", damage_first=True)
    table.play(0, CrossSymbol("w3"))
    assert (table.boat(0).crossed, table.state.damage) == ([], [1, 0])


@pytest.mark.parametrize(
    ("before", "symbol", "detail"),
    [
        ("w5 w6 n6 s5 e4", "e6", "radiation"),
        ("s1 s2 s3 s4 s5", "s6", "area"),
        ("w1 w2 w3 w4 w5 n6 s5 e4 e6", "w6", "both"),
    ],
)
def test_example_6_radiation_and_area(before, symbol, detail):
    table = crossed(before, symbol[0])
    damage = table.when(0, CrossSymbol(symbol)).events[1]
    assert damage == DamageTaken(0, 1, 1, "breakdown", detail)
    assert redact(damage, 1, table.state).detail is None
    assert table.boat(0).crossed == []


def test_example_7_a_direct_hit():
    table = Table(8)
    table.put(0, "D3", full="torpedo")
    table.put(1, "G2")
    table.act()
    table.when(0, LaunchTorpedo(at("H2"))).refused("target-is-island")
    table.when(0, LaunchTorpedo(at("E6"))).refused("target-is-island")
    table.when(2, LaunchTorpedo(at("G2"))).refused("not-your-role")
    table.put(0, "D3", crossed="w1")
    table.when(0, LaunchTorpedo(at("G2"))).refused("system-broken")
    table.put(0, "D3", crossed="")
    table.boat(0).gauges["torpedo"] = 2
    table.when(0, LaunchTorpedo(at("G2"))).refused("system-not-ready")
    table.boat(0).gauges["torpedo"] = 3
    then = table.when(0, LaunchTorpedo(at("G2")))
    assert then.names == [
        "torpedo_launched",
        "blast",
        "damage_taken",
        "turn_ended",
        "turn_started",
    ]
    assert then.events[1] == Blast(at("G2"), "torpedo", ("clear", "direct"))
    assert then.events[2] == DamageTaken(1, 2, 2, "torpedo", "")
    assert table.boat(0).gauges["torpedo"] == 0


def test_example_8_torpedo_and_islands():
    table = Table()
    table.put(0, "G6", full="torpedo")
    table.act()
    assert table.trial(0, LaunchTorpedo(at("G8"))).accepted
    table.when(0, LaunchTorpedo(at("G9"))).refused("target-out-of-range")
    table.when(0, LaunchTorpedo(at("G6"))).refused("target-is-own-cell")
    over = Table(torpedo_over_islands=True)
    over.put(0, "G6", full="torpedo")
    over.act()
    assert over.trial(0, LaunchTorpedo(at("G9"))).accepted
    assert table.when(0, LaunchTorpedo(at("H6"))).events[1].results == ("indirect", "clear")
    assert table.state.damage == [1, 0]


def test_example_9_a_mine():
    table = Table()
    table.put(0, "C8 C7", full="mine")
    table.act()
    table.when(0, DropMine(at("C8"))).refused("cell-on-route")
    table.when(0, DropMine((4, 6))).refused("mine-not-adjacent")
    dropped = table.when(0, DropMine(at("B7"))).events[0]
    assert redact(dropped, 1, table.state).cell is None
    assert table.boat(0).gauges["mine"] == 0
    assert table.state.active_crew == 1
    table.put(1, "C6")
    table.put(0, "C8 C7 D7", crossed="s4")
    table.act()
    table.when(0, TriggerMine(at("B7"))).refused("system-broken")
    table.put(0, "C8 C7 D7", crossed="")
    assert table.when(0, TriggerMine(at("B7"))).events[1].results == ("clear", "indirect")
    assert table.state.damage == [0, 1]
    table.act()
    table.when(0, TriggerMine(at("B7"))).refused("mine-not-found")


def test_example_10_drone_and_sonar():
    table = Table(map="charlie", board_side="dark")
    table.put(0, "A1", full="drone sonar")
    table.put(1, "L14")
    table.act()
    table.when(0, LaunchDrone(10)).refused("sector-unknown")
    assert table.when(0, LaunchDrone(4)).events[0].answer is False
    table.act()
    table.play(0, PingSonar())
    refusals = {
        ("column", 11, "row", 13): "sonar-both-true",
        ("column", 2, "sector", 6): "sonar-both-false",
        ("column", 11, "column", 3): "sonar-kinds-equal",
        ("row", 15, "sector", 9): "sonar-value-range",
    }
    for answer, code in refusals.items():
        table.when(1, AnswerSonar(*answer)).refused(code)
    assert len([c for c in table.legal(1) if isinstance(c, AnswerSonar)]) == 72
    answered = table.when(1, AnswerSonar("column", 11, "sector", 6)).events[0]
    assert redact(answered, 0, table.state) == SonarAnswered(1, ("column", "sector"), (11, 6), None)


def test_example_10_the_light_side_has_42_answers():
    table = Table()
    table.put(0, "A1", full="sonar")
    table.act()
    table.play(0, PingSonar())
    assert len([c for c in table.legal(1) if isinstance(c, AnswerSonar)]) == 42


def silent() -> Table:
    table = Table()
    table.put(0, "F5", full="silence")
    table.act()
    return table


def test_example_11_silence():
    table = silent()
    (run,) = table.when(0, RunSilent("w", 3)).events
    assert table.boat(0).route == cells("F5 E5 D5 C5")
    assert table.boat(0).position == (2, 4)
    assert redact(run, 1, table.state) == SilenceRun(0, None, None, None)
    table.when(0, MarkGauge("silence")).refused("gauge-excluded")
    table.when(0, ConfirmSilence()).refused("tasks-pending")
    table.play(0, MarkGauge("torpedo"))
    table.play(0, CrossSymbol("w1"))
    assert table.when(0, ConfirmSilence()).names[-2:] == ["turn_ended", "turn_started"]


def test_example_11_distance_zero_and_refusals():
    table = silent()
    table.play(0, RunSilent("", 0))
    assert table.trial(0, ConfirmSilence()).accepted
    assert table.boat(0).gauges["silence"] == 0
    table = silent()
    table.put(0, "F5", mines="F6")
    table.when(0, RunSilent("s", 1)).refused("silence-blocked")
    table.when(0, RunSilent("", 2)).refused("silence-direction")
    table.put(0, "E5")
    table.when(0, RunSilent("s", 1)).refused("silence-blocked")


@pytest.mark.parametrize(
    ("option", "turns_left", "bonus"), [("alternate", 1, False), ("three", 3, True)]
)
def test_example_12_surfacing_in_turns(option, turns_left, bonus):
    table = Table(bonus_surface=option)
    route = "B2 C2 C3 D3 D4 E4 F4 F5 E5 D5"
    table.put(0, route, crossed="n1 w4", mines="A9")
    events = table.when(0, Surface()).events
    assert events[0] == Surfaced(0, 1, False)
    assert events[-1] == TurnStarted(1, 3, True)
    boat = table.boat(0)
    assert (boat.crossed, boat.route, boat.mines) == ([], cells("D5"), cells("A9"))
    table.play(1, OrderCourse("n"))
    table.play(1, MarkGauge("mine"))
    table.play(1, CrossSymbol("n1"))
    assert table.when(1, EndTurn()).events[-1] == TurnStarted(1, 2, True)
    assert table.when(1, Surface()).events[-1] == TurnStarted(0, turns_left, bonus)


def test_example_13_gate_stop_and_must_move():
    table = live(8)
    table.put(0, "A5", full="drone torpedo")
    table.put(1, "A10", full="sonar")
    table.play(0, OrderCourse("n"))
    table.play(2, MarkGauge("mine"))
    table.when(2, LaunchDrone(5)).refused("crew-busy")
    table.play(1, OrderCourse("e"))
    table.play(3, MarkGauge("mine"))
    table.play(5, CrossSymbol("e4"))
    table.play(4, CrossSymbol("n6"))
    then = table.when(2, LaunchDrone(5))
    assert (then.events[0], then.events[-1]) == (StopCalled(0, "first_mate", "drone"), Resumed(0))
    assert then.names[1] == "drone_launched"
    table.when(0, LaunchTorpedo(at("A3"))).refused("must-move-first")
    table.play(0, OrderCourse("n"))
    table.play(3, PingSonar())
    table.when(4, CrossSymbol("n1")).refused("game-stopped")
    table.play(0, table.legal(0)[0])
    assert table.trial(4, CrossSymbol("n1")).accepted


def surfaced_on_delta(cell: str) -> Table:
    table = live(6, map="delta")
    table.put(0, cell, crossed="n4")
    table.play(0, Surface())
    return table


def test_example_14_repairs_and_delta():
    table = surfaced_on_delta("E8")
    assert table.events[-2:] == [DamageTaken(0, 1, 1, "ice", ""), Surfaced(0, 4, False)]
    assert surfaced_on_delta("E7").state.damage == [0, 0]
    table.when(0, canonical(table.state, 1)).refused("engineer-traces-first")
    table.play(2, canonical(table.state, 1))
    table.when(2, canonical(table.state, 2)).refused("already-initialled")
    table.play(0, TraceSection(2, ((0, 0), (1, 1))))
    table.play(4, canonical(table.state, 3))
    assert table.when(4, canonical(table.state, 4)).events[1].ok is False
    table.when(0, canonical(table.state, 1)).refused("engineer-traces-first")
    for seat, section in ((2, 1), (0, 2), (4, 3)):
        table.play(seat, canonical(table.state, section))
    then = table.when(4, canonical(table.state, 4))
    assert then.names[1:] == ["repairs_inspected", "breakdowns_cleared", "ready_to_dive"]
    table.when(0, OrderCourse("n")).refused("crew-surfaced")
    table.play(0, Dive())
    table.when(0, PingSonar()).refused("must-move-first")
    assert len(canonical(table.state, 2).path) == 14


@pytest.mark.parametrize("own", ["D5", "E5"])
def test_example_15_both_sunk_or_one(own):
    table = Table(map="echo", board_side="dark")
    table.put(0, own, full="scenario")
    table.put(1, "C4")
    table.state.damage = [3, 3]
    table.act()
    table.when(0, TriggerArcherMine(at("C5"))).refused("archer-mine-not-found")
    blast = table.when(0, TriggerArcherMine(at("C4"))).events[1]
    result = GAME.result(table.state)
    if own == "D5":
        assert blast.results == ("indirect", "direct")
        assert result == Result("draw", None, (), (), (4, 4), "both_sunk", 1, 0)
    else:
        assert blast.results == ("clear", "direct")
        assert result == Result("win", 0, (0,), (1,), (3, 4), "sunk", 1, 0)


def test_example_15_refusals():
    table = Table(map="echo", board_side="dark")
    table.put(0, "O1", full="scenario")
    table.act()
    table.play(0, TriggerArcherMine(at("C4")))
    table.put(1, "O1", full="scenario")
    table.act(1)
    table.when(1, TriggerArcherMine(at("C4"))).refused("archer-mine-spent")
    alpha = Table()
    alpha.act()
    alpha.when(0, TriggerArcherMine(at("C4"))).refused("gauge-not-in-scenario")


@pytest.mark.parametrize(("damage", "winner"), [([1, 2], 0), ([2, 2], None)])
def test_example_15_the_limit(damage, winner):
    table = Table(max_turns=120)
    table.state.turn_no, table.state.damage = 120, damage
    table.act()
    assert table.when(0, EndTurn()).names == ["turn_ended", "limit_reached"]
    result = GAME.result(table.state)
    assert (result.winner_crew, result.reason) == (winner, "limit")
