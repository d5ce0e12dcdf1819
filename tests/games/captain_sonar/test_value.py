"""The estimated chances of winning at the horizon of a playout."""

import pytest

from games.captain_sonar.events import Blast
from games.captain_sonar.players.value import stage, value
from tests.games.captain_sonar.table import Table, at


def test_crews_that_have_the_same_have_almost_the_same_chance():
    chances = value(Table(2, starts="C3 C3", radio_assist="inference").state)
    assert sum(chances) == pytest.approx(1)
    assert chances[0] == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(("mode", "seats"), [("turns", 2), ("turns", 8), ("real_time", 8)])
def test_damage_costs_chances(mode: str, seats: int):
    table = Table(seats, mode=mode)
    chances = []
    for damage in range(4):
        table.state.damage = [damage, 0]
        chances.append(value(table.state)[0])
    assert chances == sorted(chances, reverse=True)
    assert len(set(chances)) == 4


def test_a_boat_whose_place_is_known_has_less_chance():
    table = Table(2, starts="A3 H8", radio_assist="inference")
    before = value(table.state)[1]
    table.fold(Blast(at("H8"), "mine", ("clear", "direct")))
    assert value(table.state)[1] < before


def test_a_torpedo_that_can_hit_is_worth_something():
    table = Table(2, starts="A3 A8", radio_assist="inference")
    table.fold(Blast(at("A8"), "mine", ("clear", "direct")))
    chances = []
    for route in ("A1", "A4"):
        table.put(0, route, full="torpedo")
        chances.append(value(table.state)[0])
    assert chances[0] < chances[1]


@pytest.mark.parametrize(("mode", "field"), [("turns", "turn_no"), ("real_time", "courses_total")])
def test_playouts_count_turns_or_in_real_time_moves(mode: str, field: str):
    state = Table(4, mode=mode).state
    before = stage(state)
    setattr(state, field, getattr(state, field) + 1)
    assert stage(state) == before + 1


def test_before_the_boats_dive_nobody_is_ahead():
    assert value(Table(2, starts=None).state) == pytest.approx([0.5, 0.5], abs=0.01)
