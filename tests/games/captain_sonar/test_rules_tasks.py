"""Marks and breakdowns: SON-20 to SON-36."""

import pytest

from games.captain_sonar.commands import (
    CrossSymbol,
    DropMine,
    LaunchDrone,
    LaunchTorpedo,
    MarkGauge,
    OrderCourse,
    PingSonar,
    RunSilent,
    Surface,
    TriggerArcherMine,
)
from games.captain_sonar.events import (
    BreakdownsCleared,
    CircuitRepaired,
    DamageTaken,
    GaugeMarked,
    GaugeReady,
    SubmarineDestroyed,
    SymbolCrossed,
)
from games.captain_sonar.view import redact
from games.testing.given import Then
from tests.games.captain_sonar.table import Table, at

FREE = {"n": "E5", "e": "D5", "s": "E4", "w": "F5"}
"""A cell from which to move, by direction, without meeting an island of light Bravo."""


def after_course(direction="n", seats=8, **options) -> Table:
    """Return a match in which crew 0 owes the tasks of a course."""
    table = Table(seats, **{"map": "bravo", **options})
    table.put(0, FREE[direction])
    table.play(0, OrderCourse(direction))
    return table


def crossing(crossed: str, symbol: str, damage=0, **options) -> tuple[Table, Then]:
    """Cross a symbol after others, on its panel."""
    table = after_course(symbol[0], seats=2, **options)
    table.state.damage[0] = damage
    table.put(0, "E5", crossed=crossed)
    return table, table.when(0, CrossSymbol(symbol))


@pytest.mark.rule("SON-20")
def test_a_course_owes_one_mark_of_the_first_mates_choice():
    table = after_course()
    assert {command.gauge for command in table.legal(2)} == {
        "mine",
        "torpedo",
        "drone",
        "sonar",
        "silence",
    }
    table.when(2, MarkGauge("drone")).then(GaugeMarked(0, "drone", 1))
    table.when(2, MarkGauge("drone")).refused("nothing-to-mark")
    assert table.boat(0).gauges["drone"] == 1


@pytest.mark.rule("SON-21")
def test_a_full_gauge_takes_no_mark_until_it_is_activated():
    table = after_course()
    table.put(0, "E4", full="drone")
    table.when(2, MarkGauge("drone")).refused("gauge-full")
    assert MarkGauge("drone") not in table.legal(2)
    table.act()
    table.play(0, LaunchDrone(1))
    table.state.active_crew, table.state.phase = 0, "course"
    table.play(0, OrderCourse("n"))
    assert table.trial(2, MarkGauge("drone")).accepted


@pytest.mark.rule("SON-22")
def test_with_all_gauges_full_no_mark_is_owed():
    table = Table(8, map="bravo", starts="E5 J10")
    table.put(0, "E5", full="mine torpedo drone sonar silence")
    table.play(0, OrderCourse("n"))
    assert not table.boat(0).need_mark
    table.when(2, MarkGauge("mine")).refused("nothing-to-mark")
    table.play(4, CrossSymbol("n1"))
    assert table.state.phase == "system"


@pytest.mark.rule("SON-23")
def test_the_scenario_gauge_exists_on_echo_alone():
    for name in ("alpha", "bravo", "charlie", "delta"):
        table = Table(8, map=name, starts="A1 J10")
        table.play(0, OrderCourse("s"))
        table.when(2, MarkGauge("scenario")).refused("gauge-not-in-scenario")
    table = Table(8, map="echo", starts="A1 J10")
    table.play(0, OrderCourse("s"))
    table.boat(0).gauges["scenario"] = 3
    table.when(2, MarkGauge("scenario")).then(
        GaugeMarked(0, "scenario", 4), GaugeReady(0, "scenario")
    )


@pytest.mark.rule("SON-24")
@pytest.mark.parametrize(("hearers", "heard"), [("public", True), ("crew", False)])
def test_a_full_gauge_is_announced(hearers, heard):
    table = after_course(ready_announcements=hearers)
    table.boat(0).gauges["torpedo"] = 2
    marked, ready = table.when(2, MarkGauge("torpedo")).events
    assert (marked, ready) == (GaugeMarked(0, "torpedo", 3), GaugeReady(0, "torpedo"))
    for viewer in (1, 7, None):
        assert redact(ready, viewer, table.state) == (ready if heard else None)
    for viewer in (0, 2, 4, 6):
        assert redact(ready, viewer, table.state) == ready


@pytest.mark.rule("SON-25")
def test_damage_is_counted_box_by_box_and_never_beyond_four():
    table = Table()
    table.put(0, "A1", full="torpedo")
    table.put(1, "D2")
    table.state.damage[1] = 3
    table.act()
    damage = table.when(0, LaunchTorpedo(at("D2"))).of(DamageTaken)
    assert damage == [DamageTaken(1, 2, 4, "torpedo", "")]
    assert table.state.damage == [0, 4]


@pytest.mark.rule("SON-26", "SON-27")
@pytest.mark.parametrize("direction", ["n", "e", "s", "w"])
def test_a_course_owes_one_symbol_of_its_panel(direction):
    table = after_course(direction)
    table.put(0, "E5", crossed=f"{direction}2")
    panel = {f"{direction}{number}" for number in (1, 3, 4, 5, 6)}
    assert {command.symbol for command in table.legal(4)} == panel
    others = [other + "1" for other in "nesw" if other != direction]
    assert {table.trial(4, CrossSymbol(symbol)).code for symbol in others} == {"symbol-wrong-panel"}
    table.when(4, CrossSymbol(f"{direction}2")).refused("symbol-already-crossed")
    table.play(4, CrossSymbol(f"{direction}5"))
    assert table.boat(0).crossed == [f"{direction}2", f"{direction}5"]
    table.when(4, CrossSymbol(f"{direction}1")).refused("nothing-to-cross")


SYSTEMS = {
    "mine": DropMine(at("E4")),
    "torpedo": LaunchTorpedo(at("E3")),
    "drone": LaunchDrone(1),
    "sonar": PingSonar(),
    "silence": RunSilent("", 0),
    "scenario": TriggerArcherMine(at("E3")),
}
GROUPS = {
    "weapon": ("w1 n2 n5 s3 s4 e3", {"mine", "torpedo"}),
    "detection": ("w3 w4 n4 s1 e1 e5", {"drone", "sonar"}),
    "special": ("w2 n1 n3 s2 s6 e2", {"silence", "scenario"}),
    "radiation": ("w5 w6 n6 s5 e4 e6", set()),
}


@pytest.mark.rule("SON-28", "SON-29", "SON-30")
@pytest.mark.parametrize("group", GROUPS)
def test_each_symbol_disables_the_two_systems_of_its_group(group):
    symbols, disabled = GROUPS[group]
    for symbol in symbols.split():
        table = Table(map="echo")
        table.put(0, "E5", full=" ".join(SYSTEMS), crossed=symbol)
        table.act()
        broken = {
            system
            for system, command in SYSTEMS.items()
            if table.trial(0, command).code == "system-broken"
        }
        assert broken == disabled
        others = [command for name, command in SYSTEMS.items() if name not in disabled]
        assert all(table.trial(0, command).accepted for command in others)


@pytest.mark.rule("SON-31")
@pytest.mark.parametrize(
    ("circuit", "symbols"),
    [
        ("yellow", "w1 w2 w3 e3"),
        ("orange", "n1 n2 n3 e1"),
        ("gray", "s1 s2 s3 e2"),
    ],
)
def test_a_whole_circuit_repairs_itself(circuit, symbols):
    for last in symbols.split():
        rest = " ".join(symbol for symbol in symbols.split() if symbol != last)
        table, then = crossing(f"{rest} w4 s5", last)
        then.then(SymbolCrossed(0, last), CircuitRepaired(0, circuit))
        assert table.boat(0).crossed == ["w4", "s5"]
        assert table.state.damage == [0, 0]


@pytest.mark.rule("SON-31")
def test_reactor_symbols_do_not_repair_themselves():
    table, then = crossing("w4 w5 n4 n5 s4", "s6")
    assert then.names == ["symbol_crossed"]
    assert len(table.boat(0).crossed) == 6


@pytest.mark.rule("SON-32")
def test_all_radiation_costs_a_damage_and_clears_the_board():
    table, then = crossing("w5 w6 n6 s5 e4 n1", "e6")
    then.then(
        SymbolCrossed(0, "e6"),
        DamageTaken(0, 1, 1, "breakdown", "radiation"),
        BreakdownsCleared(0),
    )
    assert table.boat(0).crossed == []


@pytest.mark.rule("SON-33")
@pytest.mark.parametrize("panel", ["w", "n", "s", "e"])
def test_a_whole_panel_costs_a_damage_and_clears_every_panel(panel):
    crossed = " ".join(f"{panel}{number}" for number in (1, 2, 3, 4, 5))
    elsewhere = {"w": "n4", "n": "w4", "s": "n4", "e": "n4"}[panel]
    table, then = crossing(f"{crossed} {elsewhere}", f"{panel}6")
    assert then.names == ["symbol_crossed", "damage_taken", "breakdowns_cleared"]
    assert then.events[1].detail == "area"
    assert table.boat(0).crossed == []
    assert table.state.damage == [1, 0]


@pytest.mark.rule("SON-34")
def test_a_circuit_repairs_before_its_panel_breaks_down():
    table, then = crossing("w4 w5 w6 w1 w2 e3", "w3")
    assert then.names == ["symbol_crossed", "circuit_repaired"]
    assert table.boat(0).crossed == ["w4", "w5", "w6"]
    assert table.state.damage == [0, 0]


@pytest.mark.rule("SON-34")
def test_the_harder_variant_breaks_down_first():
    table, then = crossing("w4 w5 w6 w1 w2 e3", "w3", damage_first=True)
    assert then.names == ["symbol_crossed", "damage_taken", "breakdowns_cleared"]
    assert table.boat(0).crossed == []
    table, then = crossing("w1 w2 e3", "w3", damage_first=True)
    assert then.names == ["symbol_crossed", "circuit_repaired"]


@pytest.mark.rule("SON-35")
def test_panel_and_radiation_at_once_cost_one_damage():
    table, then = crossing("w1 w2 w3 w4 w5 n6 s5 e4 e6", "w6")
    assert then.events[1] == DamageTaken(0, 1, 1, "breakdown", "both")
    assert table.state.damage == [1, 0]
    assert table.boat(0).crossed == []


@pytest.mark.rule("SON-36")
def test_a_breakdown_is_heard_but_not_its_kind():
    table, then = crossing("w5 w6 n6 s5 e4", "e6")
    damage = then.events[1]
    assert redact(damage, 1, table.state) == DamageTaken(0, 1, 1, "breakdown", None)
    assert redact(damage, 0, table.state) == damage
    assert table.boat(1).heard[-1] == "damage:1"


@pytest.mark.rule("SON-103")
def test_the_fourth_damage_of_a_breakdown_sinks():
    table, then = crossing("w5 w6 n6 s5 e4", "e6", damage=3)
    assert then.events[2:] == [BreakdownsCleared(0), SubmarineDestroyed(0, False)]
    assert table.state.winner == 1


@pytest.mark.rule("SON-81")
def test_surfacing_in_turns_clears_the_board():
    table = Table()
    table.put(0, "A1", crossed="n1 w4 e6")
    assert BreakdownsCleared(0) in table.when(0, Surface()).events
    assert table.boat(0).crossed == []
