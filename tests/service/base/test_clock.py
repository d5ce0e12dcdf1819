"""The clock is corrected by the log server's, as far as the reading is certain."""

import pytest

from service.base import clock
from service.base.clock import SKEW_MAX_S, TOLERANCE_US, Correction
from service.process.timekeeping import compare

SECOND = 1_000_000


@pytest.mark.parametrize("wrong_s", [-300, -3, 0, 3, 300])
def test_a_wrong_clock_is_corrected_within_the_error_of_the_reading(wrong_s):
    own = Correction()
    true, trip = 1_000 * SECOND, 40_000
    before = true + wrong_s * SECOND
    own.compare(before, true + trip // 2, before + trip)
    corrected = before + own.micros
    assert abs(corrected - true) <= trip // 2 + TOLERANCE_US
    assert own.bounded == (abs(wrong_s) <= SKEW_MAX_S)
    assert own.skew_s == pytest.approx(wrong_s, abs=0.04)


@pytest.mark.parametrize("way", [0.0, 0.5, 1.0])
def test_a_slow_answer_does_not_move_a_clock_that_agrees(way):
    own = Correction()
    own.compare(0, int(way * SECOND), SECOND)
    assert own.micros == 0


def test_a_better_reading_narrows_the_correction():
    own = Correction()
    own.compare(0, 10 * SECOND, 8 * SECOND)
    first = own.micros
    own.compare(0, 10 * SECOND, 2_000)
    assert first < 10 * SECOND - 2_000 - TOLERANCE_US <= own.micros


class Servers:
    def __init__(self, *readings):
        self._readings = readings

    async def info(self):
        return {
            str(place): {} if reading is None else {"server_time_usec": reading}
            for place, reading in enumerate(self._readings)
        }


async def test_of_several_servers_the_middle_one_counts():
    own, now = Correction(), clock.local_micros()
    await compare(Servers(now, now - 900 * SECOND, now + 1), own)
    assert own.bounded


async def test_a_server_that_does_not_tell_its_time_changes_nothing():
    own = Correction()
    await compare(Servers(None), own)
    assert own.micros == 0


def test_the_time_is_the_servers(monkeypatch):
    monkeypatch.setattr(clock.correction, "micros", 300 * SECOND)
    assert 299 * SECOND < clock.now_micros() - clock.local_micros() < 301 * SECOND
