"""Deadlines follow from the records' times; the clock plays what the seat did not."""

import dataclasses

from games.match.clocks import Deadline, deadlines
from games.match.commands import (
    Actor,
    Bank,
    ComeBack,
    Pause,
    PerMove,
    Phases,
    Resign,
    Resume,
    TimeOut,
    Undo_,
)
from games.match.events import MatchResumed, SeatAway, SeatBack, TimedOut
from projections.views import match_view
from tests.games.match.table import SECOND, Table
from tests.games.match.toy import TOY, Count, Counted, Note

CLOCK = Actor(clock=True)


def due(table: Table) -> Deadline:
    (deadline,) = deadlines(table.match)
    return deadline


def time_out(table: Table) -> list:
    deadline = due(table)
    table.at = max(table.at, deadline.at)
    return table.send(CLOCK, TimeOut(deadline.seat, deadline.at), after_s=0)


def test_without_a_clock_nothing_is_due():
    assert deadlines(Table(2).match) == []


def test_seconds_per_move_run_for_the_waiting_seat_from_its_last_move():
    table = Table(2, clock=PerMove(30))
    assert due(table) == (table.at + 30 * SECOND, 0)
    table.send(0, Count(1), after_s=7)
    assert due(table) == (table.at + 30 * SECOND, 1)
    before = due(table)
    table.send(0, Note(1))
    assert due(table) == before, "another seat's record leaves it running"


def test_a_timeout_is_taken_only_for_a_deadline_that_stands_and_has_come():
    table = Table(2, clock=PerMove(30))
    at, seat = due(table)
    assert table.code(CLOCK, TimeOut(seat, at)) == "no-such-deadline", "early"
    table.at = at
    assert table.code(0, TimeOut(seat, at)) == "not-the-clock"
    assert table.code(CLOCK, TimeOut(1, at)) == "no-such-deadline", "another seat's"
    assert time_out(table) == [TimedOut(0), Counted(0, 1)]
    assert table.code(CLOCK, TimeOut(seat, at)) == "no-such-deadline", "doubled"


def test_a_bank_runs_down_and_grows_by_the_increment():
    table = Table(2, options={"goal": 99}, clock=Bank(100, 5))
    table.send(0, Count(1), after_s=30)
    assert table.match.chairs[0].bank == 75 * SECOND
    table.send(1, Count(1), after_s=1)
    assert due(table) == (table.at + 75 * SECOND, 0)
    time_out(table)
    assert table.match.chairs[0].bank == 5 * SECOND


def test_under_phases_the_game_names_the_clock_and_defaults_run_until_it_does_again():
    table = Table(2, clock=Phases())
    assert due(table) == (table.at + 10 * SECOND, 0)
    assert time_out(table) == [TimedOut(0), Counted(0, 1)]


def test_a_seat_that_times_out_in_a_row_is_away_and_its_defaults_come_at_once():
    table = Table(2, options={"goal": 99}, clock=PerMove(30), away_after=2)
    time_out(table)
    table.send(1, Count(1))
    assert time_out(table)[:2] == [TimedOut(0), SeatAway(0)]
    table.send(1, Count(1))
    assert due(table).at == table.at
    assert table.code(1, ComeBack()) == "not-away"
    assert table.send(0, Count(1))[0] == SeatBack(0)
    assert not table.match.chairs[0].away


def test_a_seat_that_left_is_played_at_once_also_without_a_clock():
    table = Table(3)
    table.send(0, Resign())
    assert due(table) == (table.at, 0)
    assert time_out(table)[0] == TimedOut(0)
    assert deadlines(table.match) == []


def test_a_pause_moves_every_deadline_by_its_length():
    table = Table(2, bots=[1], clock=PerMove(30))
    before = due(table)
    table.send(0, Pause(), after_s=1)
    assert deadlines(table.match) == []
    assert table.code(0, Count(1)) == "match-paused"
    assert table.code(0, Pause()) == "match-paused"
    assert table.send(0, Resume(), after_s=50) == [MatchResumed()]
    assert due(table) == (before.at + 50 * SECOND, 0)
    assert table.code(0, Resume()) == "not-paused"


def test_what_is_taken_back_in_a_pause_costs_no_time():
    table = Table(2, bots=[1], options={"goal": 99}, clock=Bank(100))
    table.send(0, Count(1), after_s=10)
    table.send(1, Count(1))
    to = table.number(0)
    table.send(0, Count(1), after_s=10)
    table.send(0, Pause(), after_s=5)
    table.send(0, Undo_(to), after_s=500)
    table.send(0, Resume(), after_s=500)
    assert due(table) == (table.at + 80 * SECOND, 0)
    assert table.match.chairs[1].bank == 94 * SECOND


def test_what_not_everybody_sees_is_no_move():
    """Else own notes would be a way to more time, and tell the rivals by the clock."""
    table = Table(2, clock=Bank(100, 5))
    before = due(table)
    table.send(0, Note(1), after_s=30)
    assert due(table) == before
    table.send(0, Count(1), after_s=30)
    assert table.match.chairs[0].bank == 45 * SECOND


def test_what_the_clock_played_in_hiding_is_one():
    """A deadline is met once."""
    noting = dataclasses.replace(TOY, default=lambda state, seat: Note(1))
    table = Table(4, game=noting, options={"crews": True, "blind": True}, clock=PerMove(30))
    deadline = due(table)
    time_out(table)
    assert due(table) == (deadline.at + 30 * SECOND, 0)


def test_clocks_count_nothing_that_is_hidden():
    """Seat 1 is not shown the note: it sees the same clocks without it."""
    views = []
    for noted in (False, True):
        table = Table(2, options={"blind": True}, clock=PerMove(30))
        if noted:
            table.send(0, Note(1), after_s=0)
        table.send(0, Count(1))
        views.append(match_view(table.match, 1, "", {}))
    assert views[0] == views[1]


def test_real_time_commands_keep_their_pace():
    table = Table(1, options={"goal": 99, "gap_ms": 3000})
    table.send(0, Count(1))
    table.at += SECOND
    error = table.refused(0, Count(1))
    assert (error.code, error.details) == ("too-fast", {"retry_after_ms": 2000})
    table.send(0, Note(1), after_s=0)
    table.send(0, Count(1), after_s=2)
