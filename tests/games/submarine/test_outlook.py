"""Outlooks beyond the next lift: cells in reach of a move, and rivals who want a token."""

from games.submarine.model import Options
from games.submarine.players.outlook import Outlook
from games.submarine.players.weights import Weights
from tests.games.submarine.table import given

SEA = """
    .  .  .  .  .  .
    .  .  .  .  .  .
    .  0  .  .  .  .
    .  .  .  .  .  1
"""


def sea_with(*idols):
    """Arrange an empty sea with one wanted treasure in each of the given cells."""
    table = given(sea=SEA, phase="ship", ships=[0, 7], hand={0: ("red", "grey", "grey")})
    for column in range(1, 7):
        table.clear(column)
    for cell in idols:
        table.lay(cell, ("idol_red",))
    return table


def prospects(table, **weights):
    outlook = Outlook(table.view(0), 0, Options(), Weights(**weights))
    return outlook.prospects(outlook.fleet, table.state.ships[0], outlook.holding)


def test_a_treasure_within_reach_of_a_move_is_worth_something():
    near, far = sea_with((5, 3)), sea_with((5, 2))
    assert prospects(near, onward=0.5) > prospects(far, onward=0.5)
    assert prospects(near) == prospects(far)


def test_a_move_to_the_left_waits_for_the_next_voyage():
    ahead, behind = sea_with((5, 4)), sea_with((1, 4))
    assert prospects(ahead, onward=0.5) > prospects(behind, onward=0.5)


def test_what_lies_below_is_lifted_rather_than_left():
    here, both = sea_with((2, 4)), sea_with((2, 4), (5, 4))
    assert prospects(both, onward=0.5) == prospects(here, onward=0.5) == prospects(here)


def test_a_treasure_that_a_rival_beside_it_lacks_too_is_worth_less():
    alone, beside, sated = sea_with((2, 4)), sea_with((2, 4)), sea_with((2, 4))
    beside.state.subs[1] = ((2, 4), *beside.state.subs[1][1:])
    sated.state.subs[1] = beside.state.subs[1]
    sated.state.slots[1] = {"idol": "idol_blue"}
    assert prospects(beside) == prospects(sated) < prospects(alone)
    assert prospects(beside, rivalry=0.3) < prospects(sated, rivalry=0.3)
