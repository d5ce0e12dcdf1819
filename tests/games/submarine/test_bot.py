"""The heuristic bot is strong enough, deterministic, and sees only what it may see."""

import pytest

from games.chance import Chance
from games.game import Seen
from games.playout import play_bots, seed_of
from games.submarine import GAME
from games.submarine.commands import (
    MoveShip,
    MoveSub,
    PlaceSub,
    Salvage,
    SalvageWithJoker,
    SwapCard,
)
from games.submarine.components import MOTIFS
from games.submarine.model import Options
from games.testing.given import Given
from tests.games.submarine.laws import twins
from tests.games.submarine.table import given, placed, reference

SEA = """
    .  .  .  .  1  .
    .  .  .  .  .  .
    .  .  .  0  .  .
    .  .  .  .  .  .
"""


def choice(table, seat=0, chance=None):
    seen = Seen(seat, table.state.players, table.state.options, ())
    legal = table.legal(seat)
    dice = chance or Chance(bytes(32), 1)
    return GAME.players.bots["heuristic"](table.view(seat), seen, legal, dice)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_it_beats_random_players(seats):
    """It won 495 to 500 of 500 matches at each seat count (docs/games/submarine.md)."""
    matches = 8
    won = 0
    for number in range(matches):
        seat = number % seats
        levels = ["heuristic" if other == seat else "random" for other in range(seats)]
        won += seat in play_bots(GAME, seats, Options(), seed_of(number), levels).result.winners
    assert won >= matches - 1


def test_it_knows_only_its_view():
    dice = Chance(seed_of(3), 1)
    for table in (
        placed(),
        given(sea=SEA, ships=[4, 5]),
        given(sea=SEA, phase="break", ships=[7, 5]),
    ):
        for twin in twins(table.state, 0, dice):
            assert choice(Given(GAME, twin), chance=dice) == choice(table)


def test_it_spreads_its_fleet():
    table = reference(2)
    columns = set()
    while table.state.phase == "placing":
        command = choice(table, table.state.active)
        assert isinstance(command, PlaceSub)
        columns |= {command.column} if table.state.active == 0 else set()
        table.play(table.state.active, command)
    assert len(columns) >= 3


def test_it_lifts_a_missing_motif_and_prefers_its_card_to_a_joker():
    table = given(sea=SEA, ships=[4, 5], hand={0: ("red", "grey", "grey")})
    assert choice(table) == Salvage("idol_red", "red", ())
    table.state.mode, table.state.acts, table.state.hand[0] = "salvage", 1, ("grey", "grey", "grey")
    assert isinstance(choice(table), SalvageWithJoker)


def test_it_saves_compensation_with_a_joker():
    sea = """
        .  .  .  1111 .  .
        .  .  .  .    .  .
        .  .  .  0    .  .
        .  .  .  .    .  .
    """
    table = given(sea=sea, ships=[4, 5], hand={0: ("red", "grey", "grey")})
    table.state.mode, table.state.acts = "salvage", 1
    assert isinstance(choice(table), SalvageWithJoker)


def test_it_completes_its_card_whatever_the_price():
    table = given(sea=SEA, ships=[4, 5], pile={0: ()}, hand={0: ("red",)})
    table.state.slots[0] = {motif: f"{motif}_blue" for motif in MOTIFS if motif != "idol"}
    table.state.jokers[0] = ()
    assert choice(table) == Salvage("idol_red", "red", ())


@pytest.mark.parametrize(("rival_motifs", "ends"), [(0, True), (5, False)])
def test_it_empties_a_column_only_when_that_wins(rival_motifs, ends):
    table = given(sea=SEA, ships=[4, 5], hand={0: ("red", "grey", "grey")})
    table.clear(4, row4=("idol_red",))
    table.state.slots[1] = {motif: f"{motif}_blue" for motif in MOTIFS[:rival_motifs]}
    assert isinstance(choice(table), Salvage | SalvageWithJoker) == ends
    assert ends or isinstance(choice(table), MoveSub)


def test_it_keeps_to_jokers_of_earlier_turns_where_it_must():
    table = given(sea=SEA, ships=[4, 5], hand={0: ()}, options={"joker_same_turn": False})
    table.state.mode, table.state.acts, table.state.fresh = "salvage", 1, ("shell_red",)
    assert choice(table) in table.legal(0)


def test_it_swaps_a_useless_colour_or_none():
    table = given(sea=SEA, phase="break", ships=[7, 5], hand={0: ("red", "grey", "grey")})
    assert choice(table) == SwapCard("grey")


def test_it_stops_where_there_is_something_to_lift():
    table = given(sea=SEA, phase="ship", ships=[0, 5], hand={0: ("red", "yellow", "green")})
    assert choice(table) == MoveShip(4)
