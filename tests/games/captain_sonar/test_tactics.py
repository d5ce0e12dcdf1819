"""What the strong captain looks ahead for and the plain captain does not."""

from dataclasses import replace

from games.captain_sonar.components import GROUPS
from games.captain_sonar.events import Blast
from games.captain_sonar.players.outlook import Outlook, outlook_of
from games.captain_sonar.players.tactics import attack, exposure, prospect
from games.captain_sonar.players.weights import PLAIN, TUNED
from games.playout import Ply, Watchers
from tests.games.captain_sonar.table import GAME, Table, at, cells


def sight(table: Table) -> Outlook:
    """Return what the captain of crew 0 can conclude."""
    watchers = Watchers(GAME, len(table.state.roles), table.options)
    watchers.watch(Ply(1, None, None, tuple(table.events)))
    return outlook_of(table.view(0), watchers.seen(0), TUNED)


def hunting(**sheets: str) -> Outlook:
    """Return what crew 0 at A3 can conclude of an enemy that was hit at A8."""
    table = Table(2, starts="A3 A8")
    table.fold(Blast(at("A8"), "mine", ("clear", "direct")))
    table.put(0, "A3", **sheets)
    return sight(table)


def test_a_torpedo_is_worth_most_from_where_it_reaches():
    outlook = hunting(full="torpedo")
    assert attack(outlook, at("A4")) > attack(outlook, at("A3")) > attack(outlook, at("A1")) == 0


def test_a_course_that_opens_a_torpedo_is_worth_more_once_it_may_be_ready():
    for outlook, worth in (
        (hunting(full="torpedo"), True),
        (hunting(), False),
        (hunting(full="torpedo", crossed=min(GROUPS["weapon"])), False),
    ):
        bold = replace(outlook, weights=PLAIN._replace(attack=1.0))
        assert (prospect(bold, at("A4"), "s") > prospect(bold, at("A2"), "n")) == worth


def test_a_course_that_fewer_cells_can_take_gives_more_away():
    table = Table(2, starts="A2 J10")
    outlook = replace(sight(table), weights=PLAIN._replace(stealth=1.0))
    few = outlook.charts.bits(cells("A1 A2 B2"))
    outlook = replace(outlook, own=outlook.own.within(few))
    north, east = (prospect(outlook, at(cell), way) for cell, way in (("A1", "n"), ("B2", "e")))
    assert north < east < 0
    assert exposure(outlook, outlook.own.within(0)) == exposure(outlook, outlook.own.within(1))


def test_the_plain_captain_does_not_look_ahead():
    outlook = replace(hunting(full="torpedo"), weights=PLAIN)
    assert prospect(outlook, at("A4"), "s") == 0
