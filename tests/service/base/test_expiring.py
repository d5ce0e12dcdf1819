"""Entries that expire."""

import pytest

from service.base.expiring import Expiring


class Time:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Time()


def test_a_value_is_kept_for_a_time_after_it_was_put(clock):
    kept = Expiring(10, 5.0, clock)
    assert kept.get("ada") is None
    assert kept.put("ada", 1) == 1
    clock.now += 4.9
    assert (kept.get("ada"), len(kept)) == (1, 1)
    clock.now += 0.1
    assert (kept.get("ada"), len(kept)) == (None, 0)


def test_putting_a_value_again_starts_its_time_anew(clock):
    kept = Expiring(10, 5.0, clock)
    kept.put("ada", 1)
    kept.put("bob", 2)
    clock.now += 4
    kept.put("ada", 3)
    clock.now += 4
    assert (kept.get("ada"), kept.get("bob"), len(kept)) == (3, None, 1)


def test_the_oldest_entry_makes_room(clock):
    kept = Expiring(2, 5.0, clock)
    for name in ("ada", "bob", "ada", "eve"):
        kept.put(name, name)
    assert [kept.get(name) for name in ("ada", "bob", "eve")] == ["ada", None, "eve"]


def test_entries_can_be_dropped(clock):
    kept = Expiring(10, 5.0, clock)
    kept.put("ada", 1)
    kept.put("bob", 2)
    kept.pop("ada")
    kept.pop("nobody")
    assert (kept.get("ada"), kept.get("bob")) == (None, 2)
    kept.clear()
    assert len(kept) == 0
