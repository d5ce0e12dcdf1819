"""The worked examples of the specification, in its order: 1 to 4, the set-up and moves."""

import msgspec
import pytest

from games.chance import Chance
from games.submarine import GAME
from games.submarine.commands import EndTurn, MoveShip, MoveSub, PlaceSub, SalvageWithJoker
from games.submarine.events import ShipMoved, TurnEnded, TurnStarted
from games.submarine.model import Options
from tests.games.submarine.table import (
    given,
    placed,
    play,
    reference,
    reference_deal,
    refusal,
    tokens_in,
    told,
)


@pytest.mark.rule("SUB-3", "SUB-7", "SUB-9", "SUB-10", "SUB-13")
def test_example_1_set_up_for_two():
    state = reference(2)
    assert sum(len(cell) for column in state.cells for cell in column) == 60
    assert tokens_in(state, 2, 3) == ("mask_yellow", "amphora_blue")
    assert [len(pile) for pile in state.pile] == [12, 12]
    assert state.hand == [("red", "yellow", "green"), ("yellow", "green", "blue")]
    assert len(state.aside) == 30
    assert state.jokers == [("shell_red",), ("shell_yellow",)]
    assert state.ships == [0, 0]
    assert (state.phase, state.active, state.turn) == ("placing", 0, 1)

    state = placed()
    assert (state.turn, state.voyage, state.active, state.phase) == (11, 1, 0, "ship")
    (dealt,) = told([reference_deal(2)], 1)
    assert dealt.decks[0] == ("?",) * 15


@pytest.mark.rule("SUB-7", "SUB-8", "SUB-13")
@pytest.mark.parametrize(
    ("players", "share", "aside", "submarines", "placings"),
    [(3, 15, 15, 5, 15), (4, 13, 8, 4, 16), (5, 12, 0, 3, 15)],
)
def test_example_2_set_up_for_more(players, share, aside, submarines, placings):
    state = reference(players)
    assert [len(pile) for pile in state.pile] == [share - 3] * players
    assert len(state.aside) == aside
    assert [len(fleet) for fleet in state.subs] == [submarines] * players
    for turn in range(1, placings + 1):
        assert (state.turn, state.phase) == (turn, "placing")
        play(state, state.active, PlaceSub(1))
    assert (state.turn, state.phase, state.active) == (placings + 1, "ship", 0)


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
    state = placed()
    assert [command.to for command in GAME.legal(state, 0)] == [1, 2, 4, 6, 7]
    assert refusal(state, 0, MoveShip(3)) == "no-own-sub-in-column"
    assert refusal(state, 0, MoveShip(8)) == "no-such-column"
    assert refusal(state, 0, MoveShip(0)) == "no-such-column"
    assert play(state, 0, MoveShip(2)) == [ShipMoved(0, 0, 2)]
    assert state.phase == "act"
    play(state, 0, MoveSub(1, (2, 3)))
    play(state, 0, EndTurn())
    assert refusal(state, 0, MoveShip(4)) == "not-your-turn"
    assert refusal(state, 1, MoveShip(1)) is None

    state.active = 0
    assert [command.to for command in GAME.legal(state, 0)] == [4, 6, 7]
    assert refusal(state, 0, MoveShip(2)) == "ship-must-move-right"
    assert refusal(state, 0, MoveShip(1)) == "ship-must-move-right"
    assert refusal(state, 1, MoveShip(1)) == "not-your-turn"


@pytest.mark.rule("SUB-22", "SUB-24", "SUB-25", "SUB-26", "SUB-27", "SUB-28")
def test_example_4_moving():
    state = given(ships=[4, 0])
    state.subs[0] = ((4, 2), (4, 4), (1, 2), (2, 3), (6, 5))
    moves = [command for command in GAME.legal(state, 0) if isinstance(command, MoveSub)]
    assert {to[1] for sub, to in map(msgspec.structs.astuple, moves) if sub == 0} == {2, 3}
    assert sum(command.sub == 0 for command in moves) == 5 + 6
    assert {to[1] for sub, to in map(msgspec.structs.astuple, moves) if sub == 1} == {3, 4, 5}
    assert sum(command.sub == 1 for command in moves) == 5 + 6 + 6
    assert len(moves) == 11 + 17

    assert refusal(state, 0, EndTurn()) == "action-required"
    assert refusal(state, 0, MoveSub(0, (3, 4))) == "row-too-far"
    assert refusal(state, 0, MoveSub(0, (4, 1))) == "surface-is-for-ships"
    assert refusal(state, 0, MoveSub(0, (4, 2))) == "same-cell"
    assert refusal(state, 0, MoveSub(0, (7, 2))) == "no-such-cell"
    assert refusal(state, 0, MoveSub(2, (2, 2))) == "sub-not-under-ship"
    assert refusal(state, 0, MoveSub(5, (2, 2))) == "no-such-sub"

    play(state, 0, MoveSub(0, (4, 3)))
    assert refusal(state, 0, MoveSub(0, (4, 4))) == "sub-already-moved"
    assert refusal(state, 0, SalvageWithJoker("dagger_blue", "shell_red")) == "move-turn"
    play(state, 0, MoveSub(1, (1, 5)))
    assert play(state, 0, EndTurn()) == [TurnEnded(0), TurnStarted(1, "ship")]
