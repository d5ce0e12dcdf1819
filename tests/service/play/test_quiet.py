"""Quiet hours by the player's own clock, across midnight and changes of the clock."""

from datetime import datetime

import pytest

from events.record import at_micros
from service.base.problems import Problem
from service.play.quiet import Quiet

NIGHT = Quiet("22:00", "07:00", "Europe/Prague")
NAP = Quiet("13:00", "14:30", "America/New_York")


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) * 1_000_000


@pytest.mark.parametrize(
    ("quiet", "now", "until"),
    [
        (NIGHT, "2026-11-21T20:59:59+00:00", None),
        (NIGHT, "2026-11-21T21:00:00+00:00", "2026-11-22T06:00:00+00:00"),
        (NIGHT, "2026-11-22T05:59:59+00:00", "2026-11-22T06:00:00+00:00"),
        (NIGHT, "2026-11-22T06:00:00+00:00", None),
        (NIGHT, "2026-03-28T23:00:00+00:00", "2026-03-29T05:00:00+00:00"),
        (NAP, "2026-07-01T17:10:00+00:00", "2026-07-01T18:30:00+00:00"),
        (NAP, "2026-07-01T18:30:00+00:00", None),
        (Quiet("08:00", "08:00", "UTC"), "2026-07-01T08:00:00+00:00", None),
    ],
)
def test_a_time_in_quiet_hours_waits_for_their_end(quiet: Quiet, now: str, until: str | None):
    assert quiet.until(at(now)) == (None if until is None else at(until))


@pytest.mark.parametrize("zone", ["Europe/Praha", "../etc/passwd", "", "Europe"])
def test_an_unknown_time_zone_is_refused(zone: str):
    with pytest.raises(Problem) as refused:
        Quiet("22:00", "07:00", zone).check()
    assert refused.value.code == "unknown-time-zone"


def test_times_of_records_are_understood():
    assert NIGHT.until(at_micros("2026-11-21T21:00:00.000000Z")) is not None
