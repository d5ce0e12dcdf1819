"""Limits on calls: what is counted, what is left, and when a window ends."""

from limits import parse

from service.http import quotas
from service.http.quotas import Limit, fields


class Clock:
    """A clock that stands still."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def limit(clock: Clock) -> Limit:
    return Limit("calls", parse("2/minute"), clock)


def test_a_limit_counts_the_calls_of_each_caller():
    calls = limit(Clock())
    assert [calls.hit("ada").left for _ in range(3)] == [1, 0, 0]
    assert [calls.hit("bob").is_exceeded for _ in range(3)] == [False, False, True]
    assert (calls.quota("ada").left, calls.quota("eve").left) == (0, 2)


def test_a_window_is_never_longer_than_its_limit_says():
    clock = Clock()
    clock.now = 65476.301
    assert clock.now + 60 - clock.now > 60, "floats are rounded up"
    assert limit(clock).hit("ada").reset_s == 60


def test_a_window_begins_with_the_first_call_and_ends_on_time():
    clock = Clock()
    calls = limit(clock)
    calls.hit("ada")
    clock.now += 59.5
    second = calls.hit("ada")
    assert (second.left, second.reset_s) == (0, 1)
    clock.now += 0.5
    assert calls.quota("ada") == (calls, 0, 0)
    third = calls.hit("ada")
    assert (third.left, third.reset_s) == (1, 60)


def test_the_oldest_windows_are_forgotten(monkeypatch):
    monkeypatch.setattr(quotas, "CALLERS_MAX", 2)
    calls = limit(Clock())
    for who in ("ada", "bob", "ada", "eve"):
        calls.hit(who)
    assert [calls.quota(who).calls for who in ("ada", "bob", "eve")] == [0, 1, 1]


def test_the_fields_name_every_limit():
    clock = Clock()
    hour = Limit("calls", parse("9/hour"), clock)
    assert dict(fields([limit(clock).hit("ada"), hour.hit("ada")])) == {
        b"ratelimit-policy": b'"calls-60s";q=2;w=60, "calls-3600s";q=9;w=3600',
        b"ratelimit": b'"calls-60s";r=1;t=60, "calls-3600s";r=8;t=3600',
    }
