"""Worked examples 1 to 4: the set-up and moves."""

import msgspec
import pytest

from games.chance import Chance
from games.submarine import GAME
from games.submarine.commands import EndTurn, MoveShip, MoveSub, PlaceSub, SalvageWithJoker
from games.submarine.events import ShipMoved, TurnEnded, TurnStarted
from games.submarine.model import Options
from tests.games.submarine.table import given, placed, reference, reference_deal, told


@pytest.mark.rule("SUB-3", "SUB-7", "SUB-9", "SUB-10", "SUB-13")
def test_example_1_set_up_for_two():
    table = reference(2)
    assert sum(len(cell) for column in table.state.cells for cell in column) == 60
    assert table.tokens_in(2, 3) == ("mask_yellow", "amphora_blue")
    assert [len(pile) for pile in table.state.pile] == [12, 12]
    assert table.state.hand == [("red", "yellow", "green"), ("yellow", "green", "blue")]
    assert len(table.state.aside) == 30
    assert table.state.jokers == [("shell_red",), ("shell_yellow",)]
    assert table.state.ships == [0, 0]
    assert (table.state.phase, table.state.active, table.state.turn) == ("placing", 0, 1)

    table = placed()
    assert (table.state.turn, table.state.voyage, table.state.active, table.state.phase) == (
        11,
        1,
        0,
        "ship",
    )
    (dealt,) = told([reference_deal(2)], 1)
    assert dealt.decks[0] == ("?",) * 15


@pytest.mark.rule("SUB-7", "SUB-8", "SUB-13")
@pytest.mark.parametrize(
    ("players", "share", "aside", "submarines", "placings"),
    [(3, 15, 15, 5, 15), (4, 13, 8, 4, 16), (5, 12, 0, 3, 15)],
)
def test_example_2_set_up_for_more(players, share, aside, submarines, placings):
    table = reference(players)
    assert [len(pile) for pile in table.state.pile] == [share - 3] * players
    assert len(table.state.aside) == aside
    assert [len(fleet) for fleet in table.state.subs] == [submarines] * players
    for turn in range(1, placings + 1):
        assert (table.state.turn, table.state.phase) == (turn, "placing")
        table.play(table.state.active, PlaceSub(1))
    assert (table.state.turn, table.state.phase, table.state.active) == (placings + 1, "ship", 0)


@pytest.mark.rule("SUB-8")
@pytest.mark.parametrize(
    ("players", "dealt_per_colour"),
    [(2, [6] * 5), (3, [9] * 5), (5, [12] * 5), (4, [10, 10, 10, 11, 11])],
)
def test_example_2_even_trim(players, dealt_per_colour):
    for seed in range(5):
        options = Options(card_trim="even")
        dealt, _ = GAME.setup(players, options, Chance(bytes([seed] * 32), 1))
        cards = [card for deck in dealt.decks for card in deck]
        assert sorted(cards.count(colour) for colour in set(cards)) == dealt_per_colour


@pytest.mark.rule("SUB-16", "SUB-17", "SUB-18")
def test_example_3_ship_moves():
    table = placed()
    assert [command.to for command in table.legal(0)] == [1, 2, 4, 6, 7]
    table.when(0, MoveShip(3)).refused("no-own-sub-in-column")
    table.when(0, MoveShip(8)).refused("no-such-column")
    table.when(0, MoveShip(0)).refused("no-such-column")
    table.when(0, MoveShip(2)).then(ShipMoved(0, 0, 2))
    assert table.state.phase == "act"
    table.play(0, MoveSub(1, (2, 3)), EndTurn())
    table.when(0, MoveShip(4)).refused("not-your-turn")
    assert table.accepts(1, MoveShip(1))

    table.state.active = 0
    assert [command.to for command in table.legal(0)] == [4, 6, 7]
    table.when(0, MoveShip(2)).refused("ship-must-move-right")
    table.when(0, MoveShip(1)).refused("ship-must-move-right")
    table.when(1, MoveShip(1)).refused("not-your-turn")


@pytest.mark.rule("SUB-22", "SUB-24", "SUB-25", "SUB-26", "SUB-27", "SUB-28")
def test_example_4_moving():
    table = given(ships=[4, 0])
    table.state.subs[0] = ((4, 2), (4, 4), (1, 2), (2, 3), (6, 5))
    moves = table.legal(0, MoveSub)
    assert {to[1] for sub, to in map(msgspec.structs.astuple, moves) if sub == 0} == {2, 3}
    assert sum(command.sub == 0 for command in moves) == 5 + 6
    assert {to[1] for sub, to in map(msgspec.structs.astuple, moves) if sub == 1} == {3, 4, 5}
    assert sum(command.sub == 1 for command in moves) == 5 + 6 + 6
    assert len(moves) == 11 + 17

    table.when(0, EndTurn()).refused("action-required")
    table.when(0, MoveSub(0, (3, 4))).refused("row-too-far")
    table.when(0, MoveSub(0, (4, 1))).refused("surface-is-for-ships")
    table.when(0, MoveSub(0, (4, 2))).refused("same-cell")
    table.when(0, MoveSub(0, (7, 2))).refused("no-such-cell")
    table.when(0, MoveSub(2, (2, 2))).refused("sub-not-under-ship")
    table.when(0, MoveSub(5, (2, 2))).refused("no-such-sub")

    table.play(0, MoveSub(0, (4, 3)))
    table.when(0, MoveSub(0, (4, 4))).refused("sub-already-moved")
    table.when(0, SalvageWithJoker("dagger_blue", "shell_red")).refused("move-turn")
    table.play(0, MoveSub(1, (1, 5)))
    table.when(0, EndTurn()).then(TurnEnded(0), TurnStarted(1, "ship"))
