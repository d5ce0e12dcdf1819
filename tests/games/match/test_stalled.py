"""A default that changes nothing is played once; the clock then stands until a seat acts."""

import dataclasses

import pytest

from games.match.clocks import deadlines
from games.match.commands import Actor, PerMove, Phases, Resign, TimeOut
from games.match.events import TimedOut
from tests.games.match.table import Table
from tests.games.match.toy import TOY, Note, Peek, Peeked

IDLE = dataclasses.replace(TOY, default=lambda state, seat: Peek())


def time_out(table: Table) -> list:
    deadline = deadlines(table.match)[0]
    table.at = max(table.at, deadline.at)
    return table.send(Actor(clock=True), TimeOut(deadline.seat, deadline.at), after_s=0)


@pytest.mark.parametrize("clock", [Phases(), PerMove(30)])
def test_a_clock_that_can_change_nothing_stands_until_another_acts(clock):
    table = Table(2, game=IDLE, clock=clock)
    assert [type(event) for event in time_out(table)] == [TimedOut, Peeked]
    assert deadlines(table.match) == []
    table.send(1, Note(3))
    assert [deadline.seat for deadline in deadlines(table.match)] == [0]


def test_a_seat_that_has_left_plays_such_a_default_once_for_each_change():
    table = Table(3, game=IDLE)
    table.send(0, Resign())
    time_out(table)
    assert deadlines(table.match) == []
    table.send(1, Note(3))
    time_out(table)
    assert deadlines(table.match) == []
