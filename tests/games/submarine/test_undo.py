"""The undo class of every command, and exact states after an undo."""

import msgspec
import pytest

from games.chance import Chance
from games.playout import at_random, plies, seed_of
from games.submarine import GAME
from games.submarine.commands import (
    EndTurn,
    MoveShip,
    MoveSub,
    PlaceSub,
    Salvage,
    SalvageWithJoker,
    SwapCard,
)
from games.submarine.model import Options
from tests.games.submarine.table import given, placed, reference

SEA = """
    .  .  .  1  .  .
    .  .  .  .  .  .
    .  .  .  0  .  .
    .  .  .  .  .  .
"""


def test_what_shows_nothing_hidden_is_free():
    assert reference().when(0, PlaceSub(1)).undo == "free"
    assert placed().when(0, MoveShip(4)).undo == "free"
    assert placed().when(0, MoveShip(7)).undo == "free"
    assert given(sea=SEA, ships=[4, 0]).when(0, MoveSub(0, (4, 3))).undo == "free"
    assert (
        given(sea=SEA, ships=[4, 0]).when(0, SalvageWithJoker("idol_red", "shell_red")).undo
        == "free"
    )
    assert given(sea=SEA, ships=[4, 0], acts=1).when(0, EndTurn()).undo == "free"
    assert given(sea=SEA, phase="break", ships=[7, 4]).when(0, EndTurn()).undo == "free"
    arrived = given(sea=SEA, phase="ship", ships=[4, 4], pile={0: ()})
    assert arrived.when(0, MoveShip(7)).undo == "free", "also when the turn ends with it"


def test_a_lift_with_a_card_showed_its_colour():
    assert given(sea=SEA, ships=[4, 0]).when(0, Salvage("idol_red", "red", ())).undo == "consent"


def test_a_lift_after_which_the_payee_drew_showed_a_hidden_card():
    table = given(sea=SEA, ships=[4, 0], hand={1: ("red",)}, pile={1: ()})
    assert table.when(0, Salvage("idol_red", "red", ())).undo == "all"


def test_a_swap_and_a_refill_showed_a_hidden_card():
    assert given(sea=SEA, phase="break", ships=[7, 4]).when(0, SwapCard("red")).undo == "all"
    assert given(sea=SEA, ships=[4, 0], acts=1, hand={0: ("red",)}).when(0, EndTurn()).undo == "all"


@pytest.mark.parametrize(
    "command", [Salvage("idol_red", "red", ()), SalvageWithJoker("idol_red", "shell_red")]
)
def test_what_ended_the_game_stays(command):
    table = given(sea=SEA, ships=[4, 0])
    table.clear(4, row4=("idol_red",))
    assert table.when(0, command).undo is None
    stale = given(sea=SEA, active=1, phase="break", ships=[7, 7], quiet=2)
    assert stale.when(1, EndTurn()).undo is None


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_taking_back_returns_the_byte_equal_state(seats):
    """Folding any prefix of a log gives the state at that version."""
    options = Options()
    live, log = [], []
    for state, ply in plies(GAME, seats, options, seed_of(5), at_random(Chance(seed_of(5), 99))):
        log.append(msgspec.json.encode(ply.events))
        live.append(msgspec.json.encode(state))
    decoder = msgspec.json.Decoder(list[GAME.Event])
    for length in range(1, len(log) + 1, 9):
        state = GAME.initial(seats, options)
        for record in log[:length]:
            for event in decoder.decode(record):
                GAME.apply(state, event)
        assert msgspec.json.encode(state) == live[length - 1]
