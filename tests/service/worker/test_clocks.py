"""Jobs that wake clocks: idempotent, dropped when stale; and what the host's clock may do."""

import asyncio
from datetime import timedelta

import pytest

from games.game import Illegal
from games.match.clocks import SECOND
from games.match.commands import Answer, Pause, PerMove, Resign, Resume, SetStandingOrders
from games.match.due import next_due
from projections.summary import summary
from service.base.problems import Problem
from service.play.matches import Matches
from service.worker import wakeups
from tests.service.table import ADA, BOB, GAME, PEOPLE, other, parts

MINUTE = PerMove(seconds=60)


def run_clock(match, deadline):
    """Run the worker's clock job for one match."""
    (outcome,) = wakeups.run_clocks([(match, deadline)])
    return outcome


def test_a_deadline_is_applied_when_it_has_come(table, noon):
    match = table.open("", "", clock=MINUTE)
    deadline, version = table.deadline, table.version
    noon.tick(timedelta(seconds=59, microseconds=999_999))
    assert run_clock(match, deadline) == "early"
    assert table.version == version
    noon.tick(timedelta(microseconds=1))
    assert run_clock(match, deadline) == "applied 1"
    assert table.version == version + 1


def test_a_timeout_that_comes_twice_counts_once(table, noon):
    match = table.open("", "", clock=MINUTE)
    deadline = table.deadline
    noon.tick(61)
    assert run_clock(match, deadline) == "applied 1"
    version = table.version
    assert run_clock(match, deadline) == "stale"
    assert table.version == version


def test_a_timeout_that_comes_after_the_move_is_dropped(table, noon):
    match = table.open("", "", clock=MINUTE)
    deadline = table.deadline
    noon.tick(10)
    table.move()
    version = table.version
    noon.tick(50)
    assert run_clock(match, deadline) == "stale"
    assert table.version == version


def test_a_timeout_that_the_rules_refuse_is_logged_once(table, noon, monkeypatch, capsys):
    """A game's default must be legal; one that is not would hang the match without a trace."""
    match = table.open("", "", clock=MINUTE)
    deadline = table.deadline

    def refuse(*_):
        raise Illegal("bad-count")

    monkeypatch.setattr(Matches, "_append", refuse)
    noon.tick(61)
    assert run_clock(match, deadline) == "early"
    assert "bad-count" in "".join(capsys.readouterr())
    assert run_clock(match, deadline) == "early"
    assert "bad-count" not in "".join(capsys.readouterr()), "it is tried every few seconds"


def test_a_finished_match_has_no_clock(table, noon):
    match = table.open("", "", clock=MINUTE)
    deadline = table.deadline
    table.play(BOB, Resign())
    assert table.cached.match.status == "finished"
    version = table.version
    noon.tick(61)
    assert run_clock(match, deadline) == "stale"
    assert table.version == version


def test_a_clock_that_steps_back_delays_but_never_hangs(table, noon):
    """Times in the log never go back, no duration is negative, and the deadline comes."""
    match = table.open("", "", clock=MINUTE)
    deadline = table.deadline
    noon.tick(timedelta(hours=-1))
    assert run_clock(match, deadline) == "early"
    at = table.cached.match.at
    table.move()
    assert table.cached.match.at == at
    after = table.deadline
    assert 0 < after - table.cached.match.at <= 60 * SECOND
    noon.tick(timedelta(hours=1, seconds=61))
    assert run_clock(match, after).startswith("applied")


def test_a_clock_that_steps_ahead_times_out_once_and_comes_back(table, noon):
    match = table.open("", "", clock=MINUTE)
    noon.tick(timedelta(hours=1))
    version = table.version
    assert run_clock(match, table.deadline) == "applied 1"
    assert table.version == version + 1
    stepped = table.cached.match.at
    noon.tick(timedelta(hours=-1))
    table.move()
    assert table.cached.match.at == stepped
    assert table.deadline == stepped + 60 * SECOND


def test_two_hosts_that_disagree_on_the_time_time_out_once(table, noon):
    """One host's clock is five minutes ahead: all that follows counts from the record's time."""
    match = table.open("", "", clock=MINUTE)
    deadline = table.deadline
    noon.tick(timedelta(minutes=5))
    assert run_clock(match, deadline) == "applied 1"
    noon.tick(timedelta(minutes=-5))
    assert run_clock(match, deadline) == "stale"
    assert table.deadline == table.cached.match.at + 60 * SECOND == deadline + 300 * SECOND


def test_any_number_of_workers_at_once_apply_each_deadline_once(table, noon):
    """Each on its own fold of the same logs: the log lets one of them through."""
    opened = [table.open("", "", clock=MINUTE) for _ in range(5)]
    deadline, version = table.deadline, table.version
    noon.tick(61)
    workers = [parts(table.store) for _ in range(4)]

    async def all_at_once():
        calls = [wakeups._run_clock(one, match, deadline) for match in opened for one in workers]
        return await asyncio.gather(*calls)

    outcomes = table.do(all_at_once())
    assert outcomes.count("applied 1") == len(opened)
    for match in opened:
        assert table.do(table.cache.get(match)).folded.version == version + 1


def test_a_match_that_fails_holds_up_no_other(table, noon):
    """The job is tried again: what it has done is stale by then."""
    match = table.open("", "", clock=MINUTE)
    deadline, version = table.deadline, table.version
    noon.tick(61)
    with pytest.raises(Problem, match="No such match"):
        wakeups.run_clocks([("m_gone", deadline), (match, deadline)])
    assert table.version == version + 1
    assert run_clock(match, deadline) == "stale"


def test_a_pause_by_consent_holds_deadlines_and_gives_the_time_back(table, noon):
    """Also over a worker's look in between, and over a clock that steps back meanwhile."""
    match = table.open("", "", clock=MINUTE)
    deadline = table.deadline
    noon.tick(20)
    table.play(ADA, Pause())
    number = table.cached.folded.number(1)
    assert table.deadline == deadline, "not yet"
    table.play(BOB, Answer(number, accept=True))
    noon.tick(3600)
    assert run_clock(match, deadline) == "stale"
    noon.tick(-600)
    table.play(BOB, Resume())
    assert table.deadline == deadline + 3000 * SECOND
    noon.tick(41)
    assert run_clock(match, table.deadline) == "applied 1"


def test_what_was_ordered_is_done_though_the_service_died_in_between(table, monkeypatch):
    """The order is in the log: whoever looks at the match next follows it, once."""
    match = table.open("", "")
    seat = table.to_act
    with other(GAME, orders={"default": GAME.default}):
        with monkeypatch.context() as dying:
            dying.setattr(Matches, "_run_due", lambda *_: asyncio.sleep(0))
            order = SetStandingOrders(("default",), "next_command")
            table.play(PEOPLE[seat], order)
        version, at = table.version, next_due(table.cached.match).at
        assert summary(table.cached.match).deadline == at
        assert run_clock(match, at).startswith("applied")
        assert table.version > version
        assert table.last.seat == seat
        assert run_clock(match, at) == "stale"
