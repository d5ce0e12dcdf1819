"""The order of refusals. Every code is reached by some command."""

import json

import msgspec
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
    SetOverlay,
    Surface,
    TraceSection,
    TriggerArcherMine,
    TriggerMine,
    WipeOverlay,
)
from games.captain_sonar.events import SubmarineDestroyed
from tests.games.captain_sonar.table import Table, at, deploying, live

ONE_OF_EACH = [
    ChooseStart(at("A1")),
    OrderCourse("n"),
    MarkGauge("mine"),
    CrossSymbol("n1"),
    LaunchTorpedo(at("A2")),
    DropMine(at("A2")),
    TriggerMine(at("A2")),
    TriggerArcherMine(at("A2")),
    LaunchDrone(1),
    PingSonar(),
    AnswerSonar("row", 0, "column", 1),
    RunSilent("", 0),
    ConfirmSilence(),
    Surface(),
    TraceSection(1, ()),
    Dive(),
    EndTurn(),
    SetOverlay(at("A1")),
    WipeOverlay(),
]


def codes(table: Table, seat: int, commands=ONE_OF_EACH) -> dict[str, str]:
    return {type(command).__name__: table.trial(seat, command).code for command in commands}


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "warp"}',
        '{"type": "order_course"}',
        '{"type": "order_course", "direction": "up"}',
        '{"type": "order_course", "direction": ""}',
        '{"type": "run_silent", "direction": "x", "distance": 1}',
        '{"type": "launch_torpedo", "target": [1]}',
        '{"type": "launch_torpedo", "target": "C3"}',
        '{"type": "launch_drone", "sector": "1"}',
        '{"type": "mark_gauge", "gauge": 1}',
        '{"type": "ping_sonar", "sector": 1}',
        '{"type": "trace_section", "section": 1, "path": [[0]]}',
        '{"type": "end_turn", "now": true}',
    ],
)
def test_a_malformed_command_is_no_command(text):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=GAME.Command)


@pytest.mark.parametrize(
    "command",
    [
        {"type": "mark_gauge", "gauge": "warp"},
        {"type": "cross_symbol", "symbol": "x9"},
        {"type": "launch_drone", "sector": -7},
        {"type": "set_overlay", "origin": [-100, 1000]},
        {"type": "answer_sonar", "kind_a": "a", "value_a": 1, "kind_b": "b", "value_b": 2},
    ],
)
def test_other_strings_and_numbers_are_left_to_the_rules(command):
    assert msgspec.json.decode(json.dumps(command), type=GAME.Command)


@pytest.mark.parametrize("table", [Table(8), live()], ids=["turns", "real_time"])
def test_the_end_comes_before_all(table):
    table.fold(SubmarineDestroyed(0, False))
    for seat in range(8):
        assert set(codes(table, seat).values()) == {"game-over"}
        assert table.legal(seat) == []


ROLES = {
    "captain": {
        "ChooseStart",
        "OrderCourse",
        "LaunchTorpedo",
        "DropMine",
        "TriggerMine",
        "TriggerArcherMine",
        "LaunchDrone",
        "PingSonar",
        "AnswerSonar",
        "RunSilent",
        "ConfirmSilence",
        "Surface",
        "Dive",
        "EndTurn",
    },
    "first_mate": {"MarkGauge", "LaunchDrone", "PingSonar"},
    "engineer": {"CrossSymbol"},
    "radio_operator": {"SetOverlay", "WipeOverlay"},
}


@pytest.mark.rule("SON-38")
@pytest.mark.parametrize("table", [Table(8), live()], ids=["turns", "real_time"])
@pytest.mark.parametrize(
    ("seat", "role"), [(0, "captain"), (2, "first_mate"), (4, "engineer"), (6, "radio_operator")]
)
def test_the_role_comes_before_phase_and_turn(table, seat, role):
    refused = {name for name, code in codes(table, seat).items() if code == "not-your-role"}
    assert refused == {type(c).__name__ for c in ONE_OF_EACH} - ROLES[role] - {"TraceSection"}


PHASES = {
    "course": {"OrderCourse", "Surface"},
    "tasks": {"MarkGauge", "CrossSymbol"},
    "system": {
        "LaunchTorpedo",
        "DropMine",
        "TriggerMine",
        "TriggerArcherMine",
        "LaunchDrone",
        "PingSonar",
        "RunSilent",
        "EndTurn",
    },
    "sonar": {"AnswerSonar"},
    "silence": {"ConfirmSilence", "MarkGauge", "CrossSymbol"},
}


@pytest.mark.parametrize("phase", PHASES)
def test_in_turns_the_phase_comes_before_the_turn(phase):
    table = Table()
    table.state.phase = phase
    if phase == "sonar":
        table.state.sonar_asker = 0
    told = {seat: codes(table, seat) for seat in (0, 1)}
    idle = 0 if phase == "sonar" else 1
    for name, code in told[idle].items():
        expected = "not-your-turn" if name in PHASES[phase] else "wrong-phase"
        if name in ("SetOverlay", "WipeOverlay"):
            expected = ""
        assert code == expected, name
    for name, code in told[1 - idle].items():
        assert (code == "wrong-phase") == (
            name not in PHASES[phase] | {"SetOverlay", "WipeOverlay"}
        ), name


def test_in_deploy_only_starts_are_chosen():
    table = deploying()
    told = codes(table, 0)
    assert told.pop("ChooseStart") == ""
    assert set(told.values()) == {"wrong-phase"}
    table.state.mode = "real_time"
    told = codes(table, 0)
    assert told.pop("ChooseStart") == ""
    assert set(told.values()) == {"wrong-phase"}


def test_in_real_time_starts_and_turn_ends_belong_to_no_phase_before_any_stop():
    table = live(4)
    table.put(0, "A1", full="sonar")
    table.act()
    table.play(0, PingSonar())
    wrong = {name for name, code in codes(table, 0).items() if code == "wrong-phase"}
    assert wrong == {"ChooseStart", "EndTurn"}
    others = set(codes(table, 0).values()) - {"wrong-phase"}
    assert others == {"not-your-role", "game-stopped"}


def test_the_stop_comes_before_the_surface_and_the_surface_before_the_tasks():
    table = live(4)
    table.play(1, Surface())
    table.put(0, "A1", full="sonar")
    table.act()
    table.when(1, OrderCourse("n")).refused("crew-surfaced")
    table.play(0, PingSonar())
    table.when(1, OrderCourse("n")).refused("game-stopped")
    table.when(1, Dive()).refused("game-stopped")
    table.when(1, TraceSection(1, ())).refused("game-stopped")


def test_a_surfaced_or_busy_crew_is_told_what_its_own_commands_lack():
    table = live(4)
    table.play(1, Surface())
    told = codes(table, 1)
    assert {told[name] for name in ("Dive", "AnswerSonar", "TraceSection")} == {
        "not-ready-to-dive",
        "sonar-not-pending",
        "trace-malformed",
    }
    table.play(0, OrderCourse("s"))
    told = codes(table, 0)
    busy = {name for name, code in told.items() if code == "crew-busy"}
    assert busy == {"OrderCourse", "Surface"} | PHASES["system"] - {"EndTurn"}
    assert told["ConfirmSilence"] == "not-silent"
    assert told["TraceSection"] == "not-surfaced"


def test_with_nothing_owed_the_tasks_say_so():
    told = codes(live(4), 0)
    assert (told["MarkGauge"], told["CrossSymbol"]) == ("nothing-to-mark", "nothing-to-cross")
    assert (told["ConfirmSilence"], told["Dive"]) == ("not-silent", "not-ready-to-dive")
    assert (told["AnswerSonar"], told["TraceSection"]) == ("sonar-not-pending", "not-surfaced")


def test_a_silent_crew_with_nothing_owed_may_only_confirm():
    table = live(4)
    table.put(0, "E5", full="silence")
    table.act()
    table.play(0, RunSilent("", 0))
    told = codes(table, 0)
    assert (told["MarkGauge"], told["CrossSymbol"]) == ("game-stopped", "game-stopped")
    assert told["ConfirmSilence"] == ""


@pytest.mark.rule("SON-43")
def test_a_silent_crew_s_stop_lets_only_owed_tasks_and_the_confirmation_through():
    table = live(4)
    table.put(0, "E5", full="silence")
    table.act()
    table.play(0, RunSilent("n", 1))
    table.when(0, ConfirmSilence()).refused("tasks-pending")
    table.when(0, MarkGauge("silence")).refused("gauge-excluded")
    table.play(0, MarkGauge("mine"))
    table.when(0, MarkGauge("mine")).refused("game-stopped")
    table.when(0, CrossSymbol("w1")).refused("symbol-wrong-panel")
    table.play(0, CrossSymbol("n1"))
    table.when(0, CrossSymbol("n2")).refused("game-stopped")


BROKEN = "w1 w2 w3"


@pytest.mark.parametrize(
    ("full", "broken", "moved", "code"),
    [
        ("", "", True, "system-not-ready"),
        ("", BROKEN, True, "system-not-ready"),
        ("all", BROKEN, True, "system-broken"),
        ("", BROKEN, False, "must-move-first"),
        ("all", "", False, "must-move-first"),
    ],
)
def test_activations_ask_for_a_course_then_the_gauge_then_the_board(full, broken, moved, code):
    """The cell is checked last: every cell here is off the map."""
    table = live(4, map="echo")
    gauges = "mine torpedo drone sonar silence scenario" if full else ""
    table.put(0, "E5", full=gauges, crossed=broken)
    table.act()
    table.boat(0).may_activate = moved
    off = (-1, 99)
    for command in (
        LaunchTorpedo(off),
        DropMine(off),
        TriggerArcherMine(off),
        LaunchDrone(99),
        PingSonar(),
        RunSilent("n", 99),
    ):
        table.when(0, command).refused(code)
    trigger = table.trial(0, TriggerMine(off)).code
    broken_only = {"system-not-ready": "system-broken" if broken else "mine-not-found"}
    assert trigger == broken_only.get(code, code)


def at_sea(**sheets) -> Table:
    table = Table(map="echo")
    table.put(0, "H3", full="mine torpedo drone sonar silence scenario", **sheets)
    table.act()
    return table


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (LaunchTorpedo((10, 2)), "cell-off-map"),
        (LaunchTorpedo(at("H3")), "target-is-own-cell"),
        (LaunchTorpedo(at("G3")), "target-is-island"),
        (LaunchTorpedo(at("B2")), "target-is-island"),
        (LaunchTorpedo(at("A1")), "target-out-of-range"),
        (DropMine((7, -1)), "cell-off-map"),
        (DropMine(at("B2")), "mine-not-adjacent"),
        (DropMine(at("G3")), "cell-is-island"),
        (DropMine(at("H2")), "cell-has-own-mine"),
        (TriggerMine(at("A1")), "mine-not-found"),
        (TriggerArcherMine(at("A1")), "archer-mine-not-found"),
        (LaunchDrone(0), "sector-unknown"),
        (LaunchDrone(5), "sector-unknown"),
        (RunSilent("", 5), "silence-distance"),
        (RunSilent("n", 0), "silence-direction"),
        (RunSilent("w", 1), "silence-blocked"),
        (RunSilent("n", 1), "silence-blocked"),
    ],
)
def test_what_fits_no_cell_is_refused_in_the_order_of_its_row(command, code):
    at_sea(mines="H2").when(0, command).refused(code)


def test_a_cell_on_the_route_comes_before_a_mine_on_it():
    table = at_sea()
    table.put(0, "H4 H3", mines="H4")
    table.when(0, DropMine(at("H4"))).refused("cell-on-route")


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (("depth", 1, "depth", 1), "sonar-kind-unknown"),
        (("row", 99, "depth", 1), "sonar-kind-unknown"),
        (("row", 99, "row", 99), "sonar-kinds-equal"),
        (("row", 2, "column", 99), "sonar-value-range"),
        (("row", 2, "column", 7), "sonar-both-true"),
        (("row", 3, "column", 8), "sonar-both-false"),
        (("row", 2, "column", 8), ""),
    ],
)
def test_sonar_answers_are_checked_in_their_order(answer, code):
    table = at_sea()
    table.put(1, "H3")
    table.play(0, PingSonar())
    table.when(1, AnswerSonar(*answer)).refused(code)


@pytest.mark.parametrize(
    ("gauge", "code"),
    [
        ("warp", "gauge-unknown"),
        ("scenario", "gauge-not-in-scenario"),
        ("silence", "gauge-excluded"),
        ("mine", "gauge-full"),
        ("drone", ""),
    ],
)
def test_marks_are_checked_in_their_order(gauge, code):
    table = Table(map="bravo")
    table.put(0, "E5", full="silence mine")
    table.act()
    table.play(0, RunSilent("n", 1))
    table.put(0, "E5 E4", full="silence mine")
    table.when(0, MarkGauge(gauge)).refused(code)


@pytest.mark.parametrize(
    ("symbol", "code"),
    [
        ("x1", "symbol-unknown"),
        ("w1", "symbol-wrong-panel"),
        ("n1", "symbol-already-crossed"),
        ("n2", ""),
    ],
)
def test_symbols_are_checked_in_their_order(symbol, code):
    table = Table(starts="E5 J10", map="bravo")
    table.play(0, OrderCourse("n"))
    table.put(0, "E5 E4", crossed="w1 n1")
    table.when(0, CrossSymbol(symbol)).refused(code)


def test_traces_are_checked_in_their_order():
    table = live(6)
    table.play(0, Surface())
    table.play(2, TraceSection(1, ((0, 0),)))
    table.when(2, TraceSection(9, ())).refused("section-unknown")
    table.when(2, TraceSection(1, ())).refused("section-already-traced")
    table.when(2, TraceSection(2, ())).refused("already-initialled")
    table.when(0, TraceSection(2, ())).refused("trace-malformed")


def test_a_disabled_overlay_comes_before_its_cell():
    Table(radio_assist="none").when(0, SetOverlay((99, 99))).refused("overlay-disabled")
    Table().when(0, SetOverlay((99, 99))).refused("overlay-off-map")
