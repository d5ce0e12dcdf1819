"""Clocks, defaults and pace."""

import pytest

from games.captain_sonar import GAME
from games.captain_sonar.commands import (
    AnswerSonar,
    ChooseStart,
    ConfirmSilence,
    CrossSymbol,
    Dive,
    EndTurn,
    LaunchDrone,
    MarkGauge,
    OrderCourse,
    PingSonar,
    RunSilent,
    Surface,
    TraceSection,
)
from games.captain_sonar.rules.repairs import canonical
from games.match.clocks import deadlines
from games.match.commands import Actor, Phases, Resign, TimeOut
from tests.games.captain_sonar.table import Table, deploying, live
from tests.games.match import table as matches


def clocks(table: Table) -> dict:
    return {seat: GAME.timing.clock(table.state, seat) for seat in sorted(table.waiting)}


def test_deploying_captains_are_on_the_clock():
    table = deploying()
    assert clocks(table) == {0: ("deploy", 120), 1: ("deploy", 120)}
    assert GAME.default(table.state, 1) == ChooseStart(table.state.default_starts[1])
    table.play(1, GAME.default(table.state, 1))
    assert clocks(table) == {0: ("deploy", 120)}


def test_a_turn_passes_from_clock_to_clock():
    table = Table(8)
    assert clocks(table) == {0: ("course", 120)}
    table.play(0, OrderCourse("s"))
    assert clocks(table) == {2: ("task", 60), 4: ("task", 60)}
    table.play(4, CrossSymbol("s1"))
    assert clocks(table) == {2: ("task", 60)}
    table.play(2, MarkGauge("mine"))
    assert clocks(table) == {0: ("system", 120)}
    assert GAME.default(table.state, 0) == EndTurn()


def test_sonar_and_silence_have_clocks_of_their_own():
    table = Table(8)
    table.put(0, "F5", full="sonar silence")
    table.act()
    table.play(0, PingSonar())
    assert clocks(table) == {1: ("answer", 60)}
    table.play(1, GAME.default(table.state, 1))
    table.act()
    table.play(0, RunSilent("w", 1))
    assert clocks(table) == {2: ("task", 60), 4: ("task", 60)}
    table.play(2, GAME.default(table.state, 2))
    table.play(4, GAME.default(table.state, 4))
    assert clocks(table) == {0: ("confirm", 60)}
    assert GAME.default(table.state, 0) == ConfirmSilence()


def test_real_time_has_its_own_seconds():
    table = live()
    assert clocks(table) == {0: ("idle", 60), 1: ("idle", 60)}
    table.play(0, OrderCourse("s"))
    assert clocks(table) == {1: ("idle", 60), 2: ("task", 20), 4: ("task", 20)}
    table.play(1, Surface())
    assert clocks(table)[5] == ("trace:0", 30)
    table.play(5, GAME.default(table.state, 5))
    assert {seat: clocks(table)[seat] for seat in (1, 3, 7)} == dict.fromkeys(
        (1, 3, 7), ("trace:1", 30)
    )
    for seat in (1, 3, 7):
        table.play(seat, GAME.default(table.state, seat))
    assert clocks(table)[1] == ("dive", 30)
    assert GAME.default(table.state, 1) == Dive()


def test_in_real_time_only_who_resolves_the_stop_is_on_the_clock():
    table = live()
    table.play(1, OrderCourse("n"))
    table.put(0, "F5", full="sonar silence")
    table.act()
    table.play(0, PingSonar())
    assert clocks(table) == {1: ("answer", 30)}
    table.play(1, GAME.default(table.state, 1))
    table.act()
    table.play(0, RunSilent("", 0))
    assert clocks(table) == {0: ("confirm", 20)}


def test_a_clock_is_never_shorter_than_the_pace():
    table = live(4, clock_idle_s=3, min_course_gap_ms=7001, clock_trace_s=3, min_trace_ms=4001)
    assert clocks(table)[0] == ("idle", 8)
    table.play(0, Surface())
    assert clocks(table)[0] == ("trace:0", 5)


def test_pace_limits_courses_and_traces_of_a_crew():
    table = live(4, min_course_gap_ms=2500, min_trace_ms=4500)
    pace = GAME.timing.pace
    assert pace(table.state, 0, OrderCourse("n")) == ("course:0", 2500)
    assert pace(table.state, 1, OrderCourse("n")) == ("course:1", 2500)
    assert pace(table.state, 2, TraceSection(1, ())) == ("trace:0", 4500)
    assert pace(table.state, 0, Surface()) == ("trace:0", 0)
    assert pace(table.state, 0, LaunchDrone(1)) is None
    assert pace(Table(4).state, 0, OrderCourse("n")) is None


def test_who_does_not_wait_has_no_clock():
    assert [GAME.timing.clock(Table(8).state, seat) for seat in (1, 2, 6)] == [None] * 3


def test_the_version_that_picks_the_pad_counts_the_events():
    table = Table(radio_assist="none")
    assert table.state.version == len(table.events) == 6
    table.play(0, OrderCourse("s"))
    assert table.state.version == 7


@pytest.mark.rule("SON-18")
def test_the_default_course_follows_the_pad_and_surfaces_when_boxed_in():
    table = Table()
    table.put(0, "E5")
    pads = table.state.pads[0]
    for version in range(64):
        table.state.version = version + 64
        options = ["n", "e", "w"]
        assert GAME.default(table.state, 0) == OrderCourse(options[pads[version] % 3])
    table.put(0, "C2 B2 A2 A1 B1", mines="C1")
    assert GAME.default(table.state, 0) == Surface()


def test_the_default_mark_takes_the_first_gauge_with_space():
    table = Table(map="echo")
    table.play(0, OrderCourse("s"))
    order = ["torpedo", "mine", "drone", "sonar", "silence", "scenario"]
    for number, gauge in enumerate(order):
        table.put(0, "A1 A2", full=" ".join(order[:number]))
        assert GAME.default(table.state, 0) == MarkGauge(gauge)


def test_the_default_mark_of_a_silent_move_leaves_silence_out():
    table = Table(map="echo")
    table.put(0, "E5", full="torpedo mine drone sonar silence")
    table.act()
    table.play(0, RunSilent("n", 1))
    assert GAME.default(table.state, 0) == MarkGauge("scenario")


@pytest.mark.parametrize(
    ("crossed", "direction", "symbol"),
    [
        ("w1 w2 w3", "e", "e3"),
        ("", "s", "s5"),
        ("", "w", "w5"),
        ("w5 w6 n6 s5 e4", "e", "e1"),
        ("w1 w2 w3 w4 w5", "w", "w6"),
        ("n1 n2 n4 n5 n6", "n", "n3"),
        ("e1 e2 e5 e6 e3", "e", "e4"),
    ],
)
def test_the_default_symbol_harms_least(crossed, direction, symbol):
    table = Table(8, map="bravo")
    table.put(0, "E5")
    table.play(0, OrderCourse(direction))
    table.put(0, "E5", crossed=crossed)
    assert GAME.default(table.state, 4) == CrossSymbol(symbol)


@pytest.mark.rule("SON-70")
def test_the_default_answer_is_drawn_from_all_by_the_pad():
    table = Table()
    table.put(0, "A1", full="sonar")
    table.act()
    table.play(0, PingSonar())
    order = ("column", "row", "sector")
    truth = {"column": 9, "row": 9, "sector": 4}
    listed = [c for c in table.legal(1) if isinstance(c, AnswerSonar)]

    def key(answer: AnswerSonar) -> tuple:
        true = answer.kind_a if truth[answer.kind_a] == answer.value_a else answer.kind_b
        kinds = order.index(answer.kind_a), order.index(answer.kind_b)
        return (*kinds, order.index(true), answer.value_a, answer.value_b)

    listed.sort(key=key)
    played = set()
    for version in range(64):
        table.state.version = version
        expected = listed[table.state.pads[1][version] % 42]
        assert GAME.default(table.state, 1) == expected
        played.add(expected)
    assert len(played) > 20


def test_the_default_trace_is_the_lowest_untraced_and_clean():
    table = live(4)
    table.play(0, Surface())
    table.play(0, TraceSection(1, ((0, 0),)))
    assert GAME.default(table.state, 2) == canonical(table.state, 2)


def test_a_seat_of_several_roles_marks_first():
    table = Table()
    table.play(0, OrderCourse("s"))
    assert isinstance(GAME.default(table.state, 0), MarkGauge)
    table.play(0, GAME.default(table.state, 0))
    assert isinstance(GAME.default(table.state, 0), CrossSymbol)


def test_leaving_changes_nothing_in_the_game():
    assert GAME.leave(Table().state, 0) == []


def gone(seat: int) -> matches.Table:
    """Return a match in real time, two seats to a crew, which a seat has left for good."""
    options = {"mode": "real_time", "min_trace_ms": 4500}
    table = matches.Table(4, game=GAME, options=options, clock=Phases())
    for captain in (0, 1):
        table.send(captain, ChooseStart((0, captain)))
    table.send(seat, Resign(), after_s=0)
    return table


def seconds_left(table: matches.Table) -> dict[int, float]:
    return {seat: (at - table.at) / matches.SECOND for at, seat in deadlines(table.match)}


def test_a_seat_that_left_traces_as_soon_as_the_pace_allows():
    table = gone(2)
    table.send(0, Surface(), after_s=0)
    assert seconds_left(table) == {0: 30, 1: 60}, "the engineer begins, in his own time"
    table.send(0, GAME.default(table.match.state, 0), after_s=5)
    for _ in range(3):
        assert seconds_left(table)[2] == 4.5
        due = min(deadlines(table.match))
        assert due.seat == 2
        table.send(Actor(clock=True), TimeOut(2, due.at), after_s=4.5)
    assert table.match.state.crews[0].station == "dive_ready"


def test_a_captain_who_left_is_not_hurried_into_courses():
    table = gone(0)
    assert seconds_left(table)[0] == 60
    table.send(Actor(clock=True), TimeOut(0, min(deadlines(table.match)).at), after_s=60)
    assert table.match.state.courses_total == 1
    assert seconds_left(table)[0] == 0, "tasks come at once"
