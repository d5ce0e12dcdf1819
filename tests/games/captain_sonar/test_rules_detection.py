"""Drones and sonar: SON-68 to SON-72."""

import pytest

from games.captain_sonar.commands import AnswerSonar, LaunchDrone, PingSonar
from games.captain_sonar.events import DroneLaunched, Resumed, SonarAnswered, SonarPinged
from games.captain_sonar.view import redact
from tests.games.captain_sonar.table import Table, live


def seeking(full="drone sonar", seats=2) -> Table:
    table = Table(seats, map="charlie", board_side="dark")
    table.put(0, "A1", full=full)
    table.put(1, "L14")
    table.act()
    return table


def asked() -> Table:
    table = seeking()
    table.play(0, PingSonar())
    return table


@pytest.mark.rule("SON-68")
@pytest.mark.parametrize("sector", range(1, 10))
def test_a_drone_is_answered_truly_and_aloud(sector):
    table = seeking()
    launched = table.when(0, LaunchDrone(sector)).events[0]
    assert launched == DroneLaunched(0, sector, sector == 9)
    assert {redact(launched, viewer, table.state) for viewer in (0, 1, None)} == {launched}
    assert table.boat(0).heard == [f"drone:{sector}:{'yes' if sector == 9 else 'no'}"]
    assert table.boat(1).heard == []


@pytest.mark.rule("SON-69")
def test_the_asked_captain_names_two_different_facts():
    table = asked()
    assert isinstance(table.events[-1], SonarPinged)
    assert table.state.phase == "sonar"
    table.when(1, AnswerSonar("column", 11, "column", 3)).refused("sonar-kinds-equal")
    table.when(1, AnswerSonar("column", 11, "depth", 3)).refused("sonar-kind-unknown")
    table.when(0, AnswerSonar("column", 11, "sector", 6)).refused("not-your-turn")
    assert table.trial(1, AnswerSonar("column", 11, "sector", 6)).accepted


@pytest.mark.rule("SON-70")
def test_exactly_one_fact_is_true():
    table = asked()
    table.when(1, AnswerSonar("column", 11, "row", 13)).refused("sonar-both-true")
    table.when(1, AnswerSonar("column", 2, "sector", 6)).refused("sonar-both-false")
    assert len(table.legal(1)) - 2 == 72
    for command in table.legal(1)[:72]:
        truths = {"column": 11, "row": 13, "sector": 9}
        told = [(command.kind_a, command.value_a), (command.kind_b, command.value_b)]
        assert sum(truths[kind] == value for kind, value in told) == 1


@pytest.mark.rule("SON-71")
@pytest.mark.parametrize(
    ("kind", "value"),
    [("column", 15), ("column", -1), ("row", 15), ("row", -1), ("sector", 0), ("sector", 10)],
)
def test_values_exist_on_the_map(kind, value):
    table = asked()
    other = ("row", 13) if kind != "row" else ("column", 11)
    table.when(1, AnswerSonar(kind, value, *other)).refused("sonar-value-range")


@pytest.mark.rule("SON-72")
def test_the_answer_is_public_in_one_order_and_without_the_truth():
    first, second = asked(), asked()
    (answered, *_) = first.when(1, AnswerSonar("sector", 6, "column", 11)).events
    assert answered == SonarAnswered(1, ("column", "sector"), (11, 6), "column")
    assert second.when(1, AnswerSonar("column", 11, "sector", 6)).events[0] == answered
    hidden = SonarAnswered(1, ("column", "sector"), (11, 6), None)
    assert [redact(answered, viewer, first.state) for viewer in (0, None)] == [hidden] * 2
    assert redact(answered, 1, first.state) == answered
    assert first.boat(0).heard == ["sonar:column=11,sector=6"]


@pytest.mark.rule("SON-72")
def test_in_turns_the_answer_ends_the_turn():
    table = asked()
    then = table.when(1, AnswerSonar("column", 11, "sector", 6))
    assert then.names == ["sonar_answered", "turn_ended", "turn_started"]
    assert (table.state.active_crew, table.state.phase) == (1, "course")


@pytest.mark.rule("SON-69")
def test_in_real_time_the_answer_resumes_for_the_asking_crew():
    table = live()
    table.put(0, "A1", full="sonar")
    table.act()
    table.play(2, PingSonar())
    assert table.state.stop.system == "sonar"
    events = table.when(1, table.legal(1)[0]).events
    assert events[1:] == [Resumed(0)]
    table.when(1, AnswerSonar("column", 1, "row", 1)).refused("sonar-not-pending")
