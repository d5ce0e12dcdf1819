"""Budgets: room is for anybody; without room, each caller gets an equal share."""

import pytest

from service.base.budgets import ACTIVE_S, LEAST, Allowance, Budget

ALLOWANCE = Allowance(rate=0.3, start_s=0.02, burst_s=0.25, room_s=0.02)


class Time:
    """A clock, and the room that the process has."""

    def __init__(self):
        self.now = 100.0
        self.room = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Time()


@pytest.fixture
def budget(clock):
    """Return a budget whose room is used up, by a fourth caller."""
    budget = Budget(ALLOWANCE, lambda: clock.room, clock)
    budget.spend("first", 0.021)
    return budget


def test_with_room_nobody_waits(budget, clock):
    clock.room = 1.0
    for _ in range(1_000):
        assert budget.wait_s("ada") == 0
        budget.spend("ada", 0.01)
        clock.now += 0.011


def test_without_room_a_caller_has_its_share(budget, clock):
    used = 0.0
    for _ in range(1_000):
        if not budget.wait_s("ada"):
            budget.spend("ada", 0.001)
            used += 0.001
        clock.now += 0.005
        budget.spend("bob", 0.0)
        budget.spend("eve", 0.0)
    assert used == pytest.approx(0.3 / 4 * 5 + ALLOWANCE.start_s, rel=0.05)


def test_what_is_saved_up_grows_with_time(budget, clock):
    budget.spend("ada", 0.02)
    assert budget.saved_s("ada") == pytest.approx(0.0)
    clock.now += 0.1
    assert budget.saved_s("ada") == pytest.approx(0.3 / 2 * 0.1)
    assert budget.saved_s("newcomer") == ALLOWANCE.start_s


def test_the_wait_ends_when_it_says(budget, clock):
    budget.spend("ada", 0.1)
    wait = budget.wait_s("ada")
    assert wait > 0
    clock.now += wait / 2
    assert budget.wait_s("ada") > 0
    clock.now += wait / 2 + 0.001
    assert budget.wait_s("ada") == 0


def test_a_newcomer_does_not_wait_for_those_who_spent(budget):
    budget.spend("ada", 0.2)
    assert budget.wait_s("ada") > 0
    assert budget.wait_s("bob") == 0


def test_who_spends_little_never_waits(budget, clock):
    """Fifty callers take all they get; one calls twice a second."""
    for step in range(2_000):
        for number in range(50):
            if not budget.wait_s(f"guest {number}"):
                budget.spend(f"guest {number}", 0.002)
        if step % 50 == 0:
            assert budget.wait_s("ada") == 0
            budget.spend("ada", 0.001)
        clock.now += 0.01


def test_debts_are_bounded(budget, clock):
    budget.spend("ada", 60.0)
    budget.spend("bob", 0.0)
    assert budget.wait_s("ada") <= ALLOWANCE.burst_s / LEAST


def test_those_who_left_take_no_share(budget, clock):
    for number in range(99):
        budget.spend(f"guest {number}", 0.0)
    budget.spend("ada", 0.05)
    crowded = budget.wait_s("ada")
    clock.now += ACTIVE_S / 2
    budget.spend("ada", 0.05)
    clock.now += ACTIVE_S / 2 + 1
    budget.spend("ada", 0.2)
    assert budget.wait_s("ada") < crowded * 10


def test_the_least_share_is_kept_however_many_there_are(budget, clock):
    for number in range(1_000):
        budget.spend(f"guest {number}", 0.0)
    budget.spend("ada", ALLOWANCE.start_s + 0.01)
    assert budget.wait_s("ada") == pytest.approx(0.01 / LEAST)
