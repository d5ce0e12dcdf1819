"""A bot that stands in: it plays for a seat that is away, until the person is back."""

import pytest

from games.game import Illegal
from games.match.commands import Actor, ComeBack, PerMove, Resign, TimeOut
from games.match.due import next_due
from games.match.events import SeatAway, SeatBack, TimedOut
from projections.summary import summary, waiting_bots
from tests.games.match.table import SECOND, Table
from tests.games.match.toy import Count, Counted

STAND_IN = Actor(seat=0, clock=True)


@pytest.fixture
def table():
    """Return a match in which seat 0 is away and must answer a proposal."""
    t = Table(2, options={"goal": 99}, clock=PerMove(30), away_after=1, stand_in="heuristic")
    due = next_due(t.match)
    t.at = due.at
    assert t.send(due.actor, due.command, after_s=0)[:2] == [TimedOut(0), SeatAway(0)]
    t.send(1, Count(1))
    return t


def test_it_plays_for_a_seat_that_is_away(table):
    assert waiting_bots(table.match) == [0]
    assert summary(table.match).bots_from == table.at
    assert table.send(STAND_IN, Count(2)) == [Counted(0, 4)]
    assert table.match.chairs[0].away, "the person is not back"


def test_the_person_is_back_with_any_command(table):
    assert table.send(0, Count(1)) == [SeatBack(0), Counted(0, 3)]
    assert waiting_bots(table.match) == []
    table.send(1, Count(1))
    assert table.code(STAND_IN, Count(1)) == "not-away"


def test_the_person_is_back_by_saying_so(table):
    table.send(0, ComeBack())
    assert table.match.bot_at(0) == ""
    assert next_due(table.match).at == table.at + 30 * SECOND, "by the match's own clock again"
    assert table.code(STAND_IN, Count(1)) == "not-away"


def test_without_the_worker_the_default_comes_after_the_games_own_time(table):
    """No match hangs: the bot is on a clock too, and a late default leaves it the next turn."""
    due = next_due(table.match)
    assert due.at > table.at
    assert due.command == TimeOut(0, due.at)
    table.at = due.at
    assert table.send(due.actor, due.command, after_s=0)[0] == TimedOut(0)
    assert table.match.bot_at(0) == "heuristic"


def test_it_sends_game_commands_alone(table):
    assert table.code(STAND_IN, Resign()) == "not-a-seat"
    deadline = next_due(table.match).at
    table.at = deadline
    assert table.code(STAND_IN, TimeOut(0, deadline)) == "not-the-clock"


def test_who_has_left_is_not_stood_in_for(table):
    table.send(0, Resign())
    assert table.match.bot_at(0) == ""


def test_without_one_defaults_come_at_once():
    t = Table(2, options={"goal": 99}, clock=PerMove(30), away_after=1)
    due = next_due(t.match)
    t.at = due.at
    t.send(due.actor, due.command, after_s=0)
    t.send(1, Count(1))
    assert next_due(t.match).at == t.at
    assert t.code(STAND_IN, Count(1)) == "not-away"


def test_its_level_is_one_of_the_games():
    with pytest.raises(Illegal, match="no-such-level"):
        Table(2, stand_in="genius")
