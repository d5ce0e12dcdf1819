"""What a process really uses, as it is charged for."""

import pytest

from service.http import load
from service.http.load import ROOM, SCALE_MAX, TICK_S, TICKS, Load


class Loop:
    """A loop whose ticks are on time."""

    def __init__(self):
        self.now = 100.0

    def time(self):
        return self.now

    def call_at(self, due, tick, loop):
        self.now = due
        self.tick = tick


@pytest.fixture
def watched(monkeypatch):
    """Return a function that lets a process work at some rate, with calls that show some of it."""
    loop, used, found = Loop(), [0.0], Load()
    monkeypatch.setattr(load.asyncio, "get_running_loop", lambda: loop)
    monkeypatch.setattr(load.time, "process_time", lambda: used[0])
    found.room()

    def go_on(rate, steps):
        for _ in range(2 * TICKS):
            used[0] += rate * TICK_S
            found.real(steps * TICK_S)
            loop.tick(loop)
        return found

    return go_on


def test_what_the_steps_of_calls_do_not_show_is_charged_in_proportion(watched):
    assert watched(0.5, 0.25).real(0.001) == pytest.approx(0.002)


def test_nothing_is_charged_below_what_was_measured_or_beyond_reason(watched):
    assert watched(0.1, 0.2).real(0.001) == pytest.approx(0.001)
    assert watched(0.9, 0.0001).real(0.001) <= SCALE_MAX * 0.001


def test_a_busy_process_has_no_room(watched):
    assert watched(load.BUSY / 2, 0.1).room() == ROOM
    assert watched(2 * load.BUSY, 0.1).room() == 0.0
