"""Drones and sonar (SON-68 to SON-72)."""

from collections.abc import Iterator
from typing import NamedTuple, get_args

from games.captain_sonar.board import Cell, Sea
from games.captain_sonar.commands import AnswerSonar, LaunchDrone, PingSonar
from games.captain_sonar.crews import sea
from games.captain_sonar.events import DroneLaunched, Event, Kind, SonarAnswered, SonarPinged
from games.captain_sonar.model import State
from games.captain_sonar.turns import check_activation, resolved, stop_called
from games.game import Illegal

KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order of every public answer (SON-72)."""


class Answer(NamedTuple):
    """A legal answer; places in `KINDS`, so that answers sort as the defaults want them."""

    first: int
    second: int
    true: int
    first_value: int
    second_value: int

    def command(self) -> AnswerSonar:
        """Give the command that sends it."""
        return AnswerSonar(
            KINDS[self.first], self.first_value, KINDS[self.second], self.second_value
        )


def facts(chart: Sea, cell: Cell) -> tuple[int, int, int]:
    """Give column, row and sector of a cell."""
    return (*cell, chart.sector(cell))


def values(chart: Sea, kind: int) -> range:
    """Give the values that a kind can have (SON-71)."""
    return range(1, chart.sectors + 1) if KINDS[kind] == "sector" else range(chart.size)


def answers(chart: Sea, cell: Cell) -> Iterator[Answer]:
    """List all legal answers of a boat, sorted (SON-69 to SON-71)."""
    truth = facts(chart, cell)
    for first, second in ((0, 1), (0, 2), (1, 2)):
        for value in values(chart, second):
            if value != truth[second]:
                yield Answer(first, second, first, truth[first], value)
        for value in values(chart, first):
            if value != truth[first]:
                yield Answer(first, second, second, value, truth[second])


def launch_drone(state: State, seat: int, crew: int, command: LaunchDrone) -> list[Event]:
    """SON-68."""
    check_activation(state, state.crews[crew], "drone")
    chart, sector = sea(state), command.sector
    if not 1 <= sector <= chart.sectors:
        raise Illegal("sector-unknown")
    enemy = state.crews[1 - crew].position
    assert enemy is not None, "under way"
    called = stop_called(state, seat, crew, "drone")
    launched = DroneLaunched(crew, sector, chart.sector(enemy) == sector)
    return [*called, launched, *resolved(state, crew)]


def ping_sonar(state: State, seat: int, crew: int, command: PingSonar) -> list[Event]:
    """SON-69."""
    check_activation(state, state.crews[crew], "sonar")
    return [*stop_called(state, seat, crew, "sonar"), SonarPinged(crew)]


def answer_sonar(state: State, crew: int, command: AnswerSonar) -> list[Event]:
    """SON-69 to SON-72."""
    if state.sonar_asker is None:
        raise Illegal("sonar-not-pending")
    chart, boat = sea(state), state.crews[crew]
    assert boat.position is not None, "under way"
    told = sorted(
        (place(kind), value)
        for kind, value in (
            (command.kind_a, command.value_a),
            (command.kind_b, command.value_b),
        )
    )
    (first, first_value), (second, second_value) = told
    if first == second:
        raise Illegal("sonar-kinds-equal")
    if any(value not in values(chart, kind) for kind, value in told):
        raise Illegal("sonar-value-range")
    truth = facts(chart, boat.position)
    true = [kind for kind, value in told if truth[kind] == value]
    if len(true) != 1:
        raise Illegal("sonar-both-true" if true else "sonar-both-false")
    answered = SonarAnswered(
        crew, (KINDS[first], KINDS[second]), (first_value, second_value), KINDS[true[0]]
    )
    return [answered, *resolved(state, state.sonar_asker)]


def place(kind: str) -> int:
    """Give a kind's place in `KINDS`."""
    for number, known in enumerate(KINDS):
        if kind == known:
            return number
    raise Illegal("sonar-kind-unknown")
