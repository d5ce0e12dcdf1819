"""Worked examples 11 to 15: the ends of voyages and of the game."""

import pytest

from games.submarine import GAME
from games.submarine.commands import EndTurn, MoveShip, MoveSub, Salvage, SalvageWithJoker, SwapCard
from games.submarine.events import (
    CardSwapped,
    GameEnded,
    SeatWithdrawn,
    TurnEnded,
    TurnSkipped,
    TurnStarted,
    VoyageEnded,
)
from tests.games.submarine.table import given, placed, reference_deal


@pytest.mark.rule("SUB-20", "SUB-21", "SUB-51", "SUB-52")
def test_example_11_break_and_new_voyage():
    table = placed()
    table.play(0, MoveShip(7))
    assert table.state.phase == "break"
    table.when(0, MoveSub(0, (1, 3))).refused("wrong-phase")
    table.when(0, SwapCard("grey")).refused("card-not-in-hand")
    assert table.when(0, SwapCard("green")).events[0] == CardSwapped(0, "green", "blue")
    assert table.state.hand[0] == ("red", "yellow", "blue")
    assert len(table.state.pile[0]) == 12
    assert table.state.pile[0][-1] == "green"

    table.play(1, MoveShip(6), MoveSub(4, (6, 3)), EndTurn())
    assert (table.state.active, table.state.phase) == (0, "break")
    table.play(0, EndTurn())
    table.play(1, MoveShip(7))
    table.when(1, EndTurn()).then(TurnEnded(1), VoyageEnded(1, 1), TurnStarted(0, "ship"))
    assert table.state.ships == [0, 0]
    assert table.state.voyage == 2
    assert table.state.subs[1][4] == (6, 3)


@pytest.mark.rule("SUB-52", "SUB-53")
def test_example_11_with_an_empty_pile():
    table = given(active=1, ships=[7, 6], acts=1, pile={0: ()})
    table.when(1, EndTurn()).then(TurnEnded(1), TurnSkipped(0), TurnStarted(1, "ship"))
    by_hand = given(phase="break", ships=[7, 6], pile={0: ()})
    by_hand.when(0, SwapCard("red")).refused("pile-empty")


def last_treasure():
    sea = """
        . . . . . .
        . . . . . 0
        . . . . . .
        . . . . . .
    """
    table = given(sea=sea, ships=[6, 0], hand={0: ("red", "red", "green")})
    table.state.jokers[0] = ("shell_red", "mask_blue")
    table.clear(6, row3=("chest_yellow",), row5=("shell_green",))
    return table


@pytest.mark.rule("SUB-55", "SUB-56")
def test_example_12_last_treasure_of_a_column():
    table = last_treasure()
    ended = table.when(0, SalvageWithJoker("chest_yellow", "shell_red")).events[-1]
    assert ended.reason == "column_empty"

    table = last_treasure()
    table.play(0, SalvageWithJoker("chest_yellow", "mask_blue"))
    assert table.tokens_in(6, 3) == ("mask_blue",)
    assert GAME.result(table.state) is None
    assert table.legal(0) == [EndTurn()]


@pytest.mark.rule("SUB-54", "SUB-58", "SUB-59")
def test_example_13_full_card_beats_everything():
    sea = """
        . . . . . .
        . . . . . .
        . . 1 . . .
        . . . . . .
    """
    motifs = [token.partition("_")[0] for token in reference_deal(2).layout[:12]]
    eleven = [f"{motif}_red" for motif in motifs if motif != "mask"]
    table = given(
        3,
        active=1,
        sea=sea,
        ships=[0, 3, 0],
        hand={0: ("red",), 1: ("grey",), 2: ("red", "red")},
        pile={0: (), 1: (), 2: ()},
        slots={0: eleven[:9], 1: eleven, 2: eleven[:9]},
        jokers=[("shell_red", "mask_red"), (), ("shell_green", "mask_blue")],
    )
    table.clear(3, row4=("mask_grey",))
    assert table.when(1, Salvage("mask_grey", "grey", ())).events[-1] == GameEnded(
        reason="complete",
        winners=(1,),
        motifs=(9, 12, 9),
        jokers=(2, 0, 2),
        cards=(1, 0, 2),
        ranks=(3, 1, 2),
    )


@pytest.mark.rule("SUB-57")
def test_example_14a_cards_spent():
    sea = """
        . . 0 . . .
        . . . . . .
        . . . . . .
        . . . . . .
    """
    table = given(sea=sea, ships=[3, 0], hand={0: ("yellow",), 1: ()}, pile={0: (), 1: ()})
    ended = table.when(0, Salvage("helmet_yellow", "yellow", ())).events[-1]
    assert ended.reason == "cards_spent"
    assert ended.jokers == (1, 1)


@pytest.mark.rule("SUB-60")
def test_example_14b_stalemate():
    table = given(active=1, phase="ship", ships=[7, 4], quiet=2, voyage=3)
    table.play(1, MoveShip(7))
    _, voyage_ended, ended = table.when(1, EndTurn()).events
    assert voyage_ended == VoyageEnded(3, 3)
    assert ended.reason == "stalemate"


@pytest.mark.rule("SUB-61", "SUB-62")
def test_example_14c_withdrawals():
    table = given(3, active=1, ships=[7, 2, 4], pile={1: ["red"] * 9})
    assert len(table.state.aside) == 15
    table.leave(1).then(SeatWithdrawn(1, 3, 9), TurnEnded(1), TurnStarted(2, "ship"))
    assert len(table.state.aside) == 27
    left, ended = table.leave(0).events
    assert left.seat == 0
    assert (ended.reason, ended.winners, ended.ranks) == ("last_seat", (2,), (2, 3, 1))


def scoring(hand_of_1):
    """Seat 3 lifts the last treasure of column 1 as a duplicate, its one joker."""
    sea = """
        3 . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
    """
    tokens = reference_deal(2).layout
    table = given(
        4,
        active=3,
        sea=sea,
        ships=[0, 0, 0, 1],
        hand={0: ["red"] * 3, 1: hand_of_1, 2: ["red"] * 2, 3: ["red"] * 3},
        pile={0: ["red"], 1: (), 2: (), 3: ["red"] * 7},
        slots={0: tokens[:7], 1: tokens[:7], 2: tokens[:7], 3: tokens[:5]},
        jokers=[
            ("bell_grey", "chest_blue"),
            ("shell_red", "shell_blue", "mask_red"),
            ("shell_green", "bell_blue", "idol_red"),
            (),
        ],
    )
    table.clear(1, row2=("amphora_red",))
    return table.when(3, Salvage("amphora_red", "red", ())).events[-1]


@pytest.mark.rule("SUB-59")
def test_example_15_scoring_and_tie_breaks():
    ended = scoring(["red"])
    assert ended == GameEnded(
        reason="column_empty",
        winners=(2,),
        motifs=(7, 7, 7, 5),
        jokers=(2, 3, 3, 1),
        cards=(4, 1, 2, 9),
        ranks=(3, 2, 1, 4),
    )
    shared = scoring(["red", "red"])
    assert shared.winners == (1, 2)
    assert shared.ranks == (3, 1, 1, 4)
