"""Standing orders (KED-80 to KED-88): windows that are passed automatically, by public facts."""

import pytest

from games.ke_dnu import GAME
from games.ke_dnu.commands import Activate, Jettison, Pass, Play, React, UseFlapper
from tests.games.ke_dnu.table import given


def applying(p, seat):
    """Return the names of the orders that would answer for a seat that is asked."""
    assert seat in p.waiting
    applying = set()
    for name, order in GAME.orders.items():
        if (answer := order(p.state, seat)) is not None:
            assert answer == Pass()
            applying.add(name)
    return applying


@pytest.mark.rule("KED-81", "KED-88")
def test_a_bartender_may_let_all_plays_pass():
    p = given(boards={1: "bartender_1"}, hands={0: "stoker_1"}, points=10)
    p.when(0, Play("stoker_1"))
    assert applying(p, 1) == {"plays"}


@pytest.mark.rule("KED-82", "KED-88")
def test_a_ship_guard_is_asked_again_when_it_concerns_its_seat():
    """`untouched` passes windows of effects on other seats, not of effects on the seat itself."""
    boards = {0: "fanatic_1 fanatic_2", 1: "ship_guard_1 jack_1", 2: "seal_1 lifebuoy_1"}
    p = given(3, boards=boards)
    p.when(0, Activate("fanatic_1", victims=("seal_1",)))
    assert applying(p, 1) == {"untouched", "actions"}
    assert applying(p, 2) == {"actions"}, "it is hit"
    p.when(1, Pass())
    p.when(2, Pass())
    p.when(0, Activate("fanatic_2", victims=("jack_1",)))
    assert applying(p, 1) == {"actions"}


@pytest.mark.rule("KED-82", "KED-87")
def test_a_reaction_concerns_nobody_else():
    p = given(3, boards={0: "fanatic_1", 1: "ship_guard_1 jack_1", 2: "ship_guard_2"})
    p.when(0, Activate("fanatic_1", victims=("jack_1",)))
    p.when(1, React("ship_guard_1"))
    assert applying(p, 2) == {"untouched", "actions"}


@pytest.mark.rule("KED-86")
def test_a_teacher_may_let_all_discards_pass():
    p = given(boards={1: "teacher_1"}, hands={0: "stoker_1", 1: "seal_1 seal_2 jack_1"})
    p.when(0, Jettison("stoker_1"))
    assert applying(p, 1) == {"discards"}


@pytest.mark.rule("KED-43")
def test_a_flapper_is_no_reaction_and_always_asked():
    p = given(3, boards={0: "fanatic_1", 1: "flapper_1", 2: "jack_1"})
    p.when(0, Activate("fanatic_1", victims=("flapper_1",)))
    assert applying(p, 1) == set()
    p.when(1, UseFlapper("fanatic_1", victims=("jack_1",)))


def test_in_its_own_turn_no_order_applies():
    p = given(boards={0: "jack_1"})
    assert applying(p, 0) == set()
