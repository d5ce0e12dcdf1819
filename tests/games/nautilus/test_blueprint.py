"""The estimated chances of winning at the horizon of a playout."""

import pytest

from games.nautilus import GAME
from games.search.rollout import blueprint_of
from tests.games.nautilus.table import Table, given

value = blueprint_of(GAME).value


def ahead(money: int, seats: int = 2) -> Table:
    """Seat 0 has more finds and modules; all have the same money."""
    table = given(seats)
    table.salvaged(0, "gold_1", "anglerfish_1")
    table.levels(0, green=2, grey=2)
    for seat in range(seats):
        table.pay(seat, money)
    return table


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_equal_seats_have_equal_chances(seats):
    table = given(seats)
    table.state.mission = ("mission_1",) * seats
    assert value(table.state) == pytest.approx([1 / seats] * seats)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_chances_add_up_and_favour_who_is_ahead(seats):
    shares = value(ahead(20, seats).state)
    assert sum(shares) == pytest.approx(1)
    assert shares[0] == max(shares) > 1 / seats


def test_a_lead_is_surer_the_less_there_is_to_spend():
    early, late = (value(ahead(money).state)[0] for money in (50, 2))
    assert early < late


def test_a_lead_is_surer_once_the_last_round_is_fixed():
    table = ahead(50)
    open_end = value(table.state)[0]
    table.state.end_round = table.state.round + 1
    assert open_end < value(table.state)[0]


def test_money_is_worth_something():
    table = given(2)
    table.pay(0, 30)
    table.pay(1, 10)
    assert value(table.state)[0] > 0.5
