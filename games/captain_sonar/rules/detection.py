"""Drones and sonar (SON-68 to SON-72)."""

from collections.abc import Iterator
from typing import NamedTuple, get_args

from games.captain_sonar.commands import AnswerSonar, LaunchDrone
from games.captain_sonar.components import Cell, Sea
from games.captain_sonar.events import DroneLaunched, Kind, SonarAnswered, SonarPinged
from games.captain_sonar.fold import Draft
from games.captain_sonar.rules.activation import call_stop, check_activation, resolve
from games.captain_sonar.rules.crews import sea
from games.game import Illegal

KINDS: tuple[Kind, ...] = get_args(Kind)
"""The order of the facts in every public answer (SON-72)."""


class Answer(NamedTuple):
    """A legal answer: kinds as places in `KINDS`, in the order by which the default is chosen."""

    first: int
    second: int
    true: int
    first_value: int
    second_value: int

    def command(self) -> AnswerSonar:
        """Return the command that sends this answer."""
        return AnswerSonar(
            KINDS[self.first], self.first_value, KINDS[self.second], self.second_value
        )


def _facts(chart: Sea, cell: Cell) -> tuple[int, int, int]:
    """Return column, row and sector of a cell."""
    return (*cell, chart.sector(cell))


def _values(chart: Sea, kind: int) -> range:
    """Return the values that exist for a kind (SON-71)."""
    return range(1, chart.sectors + 1) if KINDS[kind] == "sector" else range(chart.size)


def answers(chart: Sea, cell: Cell) -> Iterator[Answer]:
    """Yield the legal answers of a boat on a cell (SON-69 to SON-71)."""
    truth = _facts(chart, cell)
    for first, second in ((0, 1), (0, 2), (1, 2)):
        for value in _values(chart, second):
            if value != truth[second]:
                yield Answer(first, second, first, truth[first], value)
        for value in _values(chart, first):
            if value != truth[first]:
                yield Answer(first, second, second, value, truth[second])


def launch_drone(draft: Draft, seat: int, crew: int, command: LaunchDrone) -> None:
    """Ask whether the enemy is in a sector (SON-68)."""
    state = draft.state
    check_activation(state, state.crews[crew], "drone")
    chart, sector = sea(state), command.sector
    if not 1 <= sector <= chart.sectors:
        raise Illegal("sector-unknown")
    enemy = state.crews[1 - crew].position
    assert enemy is not None, "under way"
    call_stop(draft, seat, crew, "drone")
    draft.add(DroneLaunched(crew, sector, chart.sector(enemy) == sector))
    resolve(draft, crew)


def ping_sonar(draft: Draft, seat: int, crew: int) -> None:
    """Ask the enemy captain for two facts (SON-69)."""
    check_activation(draft.state, draft.state.crews[crew], "sonar")
    call_stop(draft, seat, crew, "sonar")
    draft.add(SonarPinged(crew))


def answer_sonar(draft: Draft, crew: int, command: AnswerSonar) -> None:
    """Answer with a true and a false fact (SON-69 to SON-72)."""
    state, asker = draft.state, draft.state.sonar_asker
    if asker is None:
        raise Illegal("sonar-not-pending")
    chart, boat = sea(state), state.crews[crew]
    assert boat.position is not None, "under way"
    told = sorted(
        (_place(kind), value)
        for kind, value in (
            (command.kind_a, command.value_a),
            (command.kind_b, command.value_b),
        )
    )
    (first, first_value), (second, second_value) = told
    if first == second:
        raise Illegal("sonar-kinds-equal")
    if any(value not in _values(chart, kind) for kind, value in told):
        raise Illegal("sonar-value-range")
    truth = _facts(chart, boat.position)
    true = [kind for kind, value in told if truth[kind] == value]
    if len(true) != 1:
        raise Illegal("sonar-both-true" if true else "sonar-both-false")
    kinds = (KINDS[first], KINDS[second])
    draft.add(SonarAnswered(crew, kinds, (first_value, second_value), KINDS[true[0]]))
    resolve(draft, asker)


def _place(kind: str) -> int:
    """Return the place of a kind in `KINDS`, or refuse the kind."""
    for number, known in enumerate(KINDS):
        if kind == known:
            return number
    raise Illegal("sonar-kind-unknown")
