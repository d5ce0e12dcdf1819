"""Every viewer counts for itself: what it is not shown makes no gap."""

from games.match.clocks import deadlines
from games.match.commands import Actor, PerMove, TimeOut
from games.match.events import TimedOut
from games.match.viewers import last_before_next, own_number
from tests.games.match.table import Table
from tests.games.match.toy import Count, Dealt, Note, Noted, Peek, Peeked


def test_a_hidden_record_has_no_number_for_those_it_is_hidden_from():
    table = Table(2)
    assert (table.number(0), table.number(1), table.number(None)) == (3, 3, 3)
    table.send(0, Note(5))
    assert (table.number(0), table.number(1), table.number(None)) == (4, 3, 3)
    assert table.told == {0: [Noted(0, 5)], 1: [], None: []}
    table.send(0, Count(1))
    assert (table.number(0), table.number(1), table.number(None)) == (5, 4, 4)


def test_a_record_that_changes_a_view_without_an_event_counts():
    """Seat 1 and seat 0 are of different crews; seat 0's view shows all notes."""
    table = Table(2)
    table.send(1, Note(5))
    assert (table.number(0), table.number(1), table.number(None)) == (4, 4, 3)


def test_between_two_of_its_numbers_a_viewer_is_at_the_earlier_one():
    table = Table(2)
    table.send(0, Note(5))
    table.send(0, Note(6))
    table.send(0, Count(1))
    assert last_before_next(table.match, 1, 3) == 5
    assert last_before_next(table.match, 1, 4) == 6
    assert last_before_next(table.match, 1, 5) is None
    assert own_number(table.match, 1, 5) == 3


def test_events_are_redacted_for_each_viewer():
    table = Table(2)
    assert all(events[-1] == Dealt(-1) for events in table.told.values())
    table.send(0, Peek())
    assert table.told[0] == [Peeked(0, table.match.state.secret)]
    assert table.told[1] == table.told[None] == [Peeked(0, -1)]


def test_rival_crews_dont_learn_whose_clock_ran_out():
    table = Table(4, options={"crews": True}, clock=PerMove(30))
    deadline = deadlines(table.match)[0]
    table.at = deadline.at
    table.send(Actor(clock=True), TimeOut(0, deadline.at), after_s=0)
    assert table.told[2][0] == TimedOut(0)
    assert TimedOut(0) not in table.told[1] + table.told[None]
