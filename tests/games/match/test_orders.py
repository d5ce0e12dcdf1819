"""Standing orders: the match answers at once for the seat, and other seats are not told."""

import pytest

from games.match.commands import (
    Actor,
    Answer,
    FollowOrders,
    Pause,
    PerMove,
    ProposeUndo,
    Resign,
    Resume,
    SetStandingOrders,
    Undo_,
)
from games.match.due import next_due
from games.match.events import MatchResumed, SeatAway, StandingOrdersSet
from projections.views import match_view
from tests.games.match.table import Table
from tests.games.match.toy import Count, Counted, Note

EVEN, ONE = SetStandingOrders(("even",)), SetStandingOrders(("one",))


def table(*, bots=(), **more):
    return Table(2, options={"goal": 99}, bots=bots, **more)


def follow(table):
    """Do what is due, as the service does."""
    due = next_due(table.match)
    assert due is not None
    assert due.at <= table.at
    return table.send(due.actor, due.command, after_s=0)


def time_out(table):
    """Play the time-out at the deadline."""
    due = next_due(table.match)
    table.at = due.at
    return table.send(due.actor, due.command, after_s=0)


def test_an_order_is_followed_at_once_where_it_applies():
    t = table()
    t.send(1, EVEN)
    assert next_due(t.match) is None, "not asked"
    t.send(0, Count(2))
    assert follow(t) == [Counted(1, 4)]
    t.send(0, Count(1))
    assert next_due(t.match) is None, "asked, but it does not apply at an odd total"
    assert t.code(Actor(seat=1), FollowOrders()) == "no-standing-order"


def test_it_holds_for_what_is_asked_already():
    t = table()
    t.send(0, EVEN)
    assert follow(t) == [Counted(0, 2)]


def test_the_first_that_applies_is_followed_in_the_games_order():
    t = table()
    assert t.send(0, SetStandingOrders(("even", "one"))) == [
        StandingOrdersSet(0, ("one", "even"), "cancelled")
    ]
    assert follow(t) == [Counted(0, 1)]


def test_orders_end_when_the_seat_says_so():
    t = table()
    t.send(1, EVEN)
    t.send(1, SetStandingOrders())
    t.send(0, Count(2))
    assert next_due(t.match) is None


def test_orders_may_end_with_the_seats_next_command():
    """A command of its own: not one that was ordered."""
    t = table()
    t.send(1, SetStandingOrders(("even",), "next_command"))
    t.send(0, Count(2))
    follow(t)
    t.send(0, Count(1))
    assert t.match.chairs[1].orders == ("even",)
    t.send(1, Count(1))
    assert t.match.chairs[1].orders == ()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (SetStandingOrders(("nonsense",)), "no-such-order"),
        (SetStandingOrders(), "nothing-changes"),
        (EVEN, "nothing-changes"),
    ],
)
def test_orders_that_are_refused(command, code):
    t = table()
    if command is EVEN:
        t.send(1, EVEN)
    assert t.code(1, command) == code


def test_a_rival_is_told_nothing_of_orders():
    """No event, number or view shows the orders: the match looks as if none had been given."""
    plain, ordered = table(), table()
    plain.at += 1_000_000
    ordered.send(1, EVEN)
    assert ordered.told[1] == [StandingOrdersSet(1, ("even",), "cancelled")]
    for t in (plain, ordered):
        t.send(0, Count(2))
    plain.send(1, Count(2), after_s=0)
    follow(ordered)
    for viewer in (0, None):
        assert ordered.told[viewer] == plain.told[viewer]
        assert ordered.number(viewer) == plain.number(viewer)
        views = [match_view(t.match, viewer, "", {}) for t in (plain, ordered)]
        assert views[0] == views[1]
    assert ordered.number(1) == plain.number(1) + 1
    assert match_view(ordered.match, 1, "", {}).orders.orders == ["even"]


def test_a_clock_tells_a_rival_nothing_of_orders():
    plain, ordered = table(clock=PerMove(30)), table(clock=PerMove(30))
    plain.at += 1_000_000
    ordered.send(1, EVEN)
    for t in (plain, ordered):
        t.send(0, Count(2))
        assert match_view(t.match, 0, "", {}).seats[1].clock.name.startswith("move")
    views = [match_view(t.match, 0, "", {}).seats for t in (plain, ordered)]
    assert views[0][1].clock.deadline == views[1][1].clock.deadline


def test_orders_keep_nobody_present():
    """What was ordered is no sign of life: a seat that sleeps on is away in the end."""
    t = table(clock=PerMove(30), away_after=2)
    t.send(1, EVEN)
    t.send(0, Count(1))
    time_out(t)
    t.send(0, Count(2))
    follow(t)
    t.send(0, Count(1))
    assert SeatAway(1) in time_out(t)


def test_a_pause_holds_orders_up():
    t = table()
    t.send(1, EVEN)
    t.send(0, Pause())
    t.send(1, Answer(t.number(1), accept=True))
    assert t.code(Actor(seat=1), FollowOrders()) == "no-standing-order"
    assert t.send(0, Resume()) == [MatchResumed()]
    t.send(0, Count(2))
    assert follow(t) == [Counted(1, 4)]


def test_who_has_left_or_is_away_is_not_ordered_for():
    t = Table(3, options={"goal": 99})
    t.send(1, ONE)
    t.send(1, Resign())
    t.send(0, Count(1))
    assert not isinstance(next_due(t.match).command, FollowOrders)


def test_an_undo_takes_back_what_was_ordered_as_if_the_seat_had_sent_it():
    """By consent, as another seat's record follows; and the orders stand."""
    t = table()
    t.send(1, EVEN)
    t.send(0, Count(2))
    follow(t)
    number = t.number(0) - 2
    assert t.code(0, Undo_(number)) == "undo-needs-consent"
    t.send(0, ProposeUndo(number))
    t.send(1, Answer(t.number(1), accept=True))
    assert t.match.state.total == 0
    assert t.match.chairs[1].orders == ("even",)


def test_a_note_by_the_seat_is_a_command_of_its_own():
    t = table()
    t.send(1, SetStandingOrders(("even",), "next_command"))
    t.send(1, Note(1))
    assert t.match.chairs[1].orders == ()
