"""The estimated chances of winning at the horizon of a playout."""

import pytest

from games.nautilus.players.value import rounds_left, value
from tests.games.nautilus.table import Table, given


def ahead(money: int, seats: int = 2) -> Table:
    """Seat 0 has more finds and modules; all have the same money."""
    table = given(seats)
    table.salvaged(0, "gold_1", "anglerfish_1")
    table.levels(0, green=2, grey=2)
    for seat in range(seats):
        table.pay(seat, money)
    return table


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_seats_that_have_the_same_differ_by_the_first_place_in_the_round(seats):
    table = given(seats)
    table.state.mission = ("mission_1",) * seats
    first, *others = value(table.state)
    assert first == pytest.approx(1 / seats, abs=0.06)
    assert others == pytest.approx([(1 - first) / (seats - 1)] * (seats - 1))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_chances_add_up_and_favour_who_is_ahead(seats):
    shares = value(ahead(20, seats).state)
    assert sum(shares) == pytest.approx(1)
    assert shares[0] == max(shares) > 1 / seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_money_is_worth_more_the_fewer_rounds_are_left(seats):
    chances = []
    for left in (12, 6, 1):
        table = given(seats)
        table.pay(0, 30)
        for seat in range(1, seats):
            table.pay(seat, 10)
        table.state.end_round = table.state.round + left - 1
        chances.append(value(table.state)[0])
    assert 1 / seats < chances[0] < chances[1] < chances[2]


def test_the_end_is_estimated_until_it_is_fixed():
    state = given(2).state
    left = rounds_left(state)
    state.round += 6
    assert rounds_left(state) == left - 1
    state.end_round = state.round + 1
    assert rounds_left(state) == 2


def test_finds_near_a_submarine_are_worth_something():
    table = given(2)
    table.float("s0_1", (15, 7))
    with_finds = value(table.state)[0]
    table.state.hidden = [""] * len(table.state.hidden)
    assert value(table.state)[0] < with_finds
