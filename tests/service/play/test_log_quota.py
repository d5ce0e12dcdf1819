"""What a player may add to the log in a day."""

import pytest

from games.match.commands import TakeSeat
from service.base.clock import DAY_S
from service.base.problems import Problem
from service.play.log_quota import MIB, LogQuota
from service.play.matches import Matches
from tests.service.table import ADA, BOB, GAME, RIVALS, NoFeed, Table


class Time:
    now = 0.0

    def __call__(self):
        return self.now


def refused(quota, player):
    try:
        quota.require_room(player)
    except Problem as problem:
        return (problem.status, problem.code) == (429, "log-quota")
    return False


def test_a_days_amount_can_be_used_at_once_and_comes_back_evenly():
    clock = Time()
    quota = LogQuota(2, clock)
    quota.spend("ada", 2 * MIB - 1)
    assert not refused(quota, "ada")
    quota.spend("ada", MIB)
    assert refused(quota, "ada")
    assert not refused(quota, "bob")
    clock.now = DAY_S * 0.4
    assert refused(quota, "ada")
    clock.now = DAY_S * 0.6
    assert not refused(quota, "ada")


def test_all_players_at_an_address_may_add_ten_times_as_much():
    """Guests cost nothing: without this limit one stranger could fill the log with many."""
    quota = LogQuota(1, Time())
    guests = [f"guest {number}" for number in range(12)]
    for guest in guests:
        quota.note_address(guest, "192.0.2.1")
    for guest in guests[:10]:
        assert not refused(quota, guest)
        quota.spend(guest, MIB)
    assert all(refused(quota, guest) for guest in guests)
    quota.note_address("ada", "192.0.2.2")
    assert not refused(quota, "ada")
    quota.note_address("guest 11", "192.0.2.2")
    assert not refused(quota, "guest 11"), "who has gone elsewhere"


def test_without_a_limit_nobody_is_refused():
    quota = LogQuota(0)
    quota.spend("ada", 1 << 40)
    assert not refused(quota, "ada")


def test_who_fills_the_log_waits_and_others_do_not():
    table = Table()
    quota = LogQuota(1)
    matches = Matches(
        table.cache, table.store, NoFeed(), table.context.keys, {GAME.slug: GAME}, quota=quota
    )
    cached = table.do(matches.create(ADA, RIVALS, None))
    size = cached.folded.bytes_read
    table.do(matches.play(cached, ADA, TakeSeat(0), None))
    quota.spend(ADA.player, MIB - (cached.folded.bytes_read - size))
    with pytest.raises(Problem) as found:
        table.do(matches.play(cached, ADA, TakeSeat(1), None))
    assert found.value.code == "log-quota"
    table.do(matches.play(cached, BOB, TakeSeat(1), None))
    table.loop.close()
