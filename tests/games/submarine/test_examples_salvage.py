"""Worked examples 5 to 10: salvage, compensation and jokers."""

import pytest

from games.submarine import GAME
from games.submarine.commands import EndTurn, MoveShip, Salvage, SalvageWithJoker
from games.submarine.events import (
    CardDiscarded,
    CardsDrawn,
    CompensationPaid,
    JokerPlaced,
    ShipMoved,
    TreasureSalvaged,
    TurnEnded,
    TurnStarted,
)
from tests.games.submarine.table import given, told


@pytest.mark.rule("SUB-31", "SUB-39", "SUB-41")
def test_example_5_plain_lift_and_refill():
    sea = """
        0 . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
    """
    table = given(sea=sea, phase="ship")
    events = table.when(0, MoveShip(1)).events
    events += table.when(0, Salvage("amphora_red", "red", ())).events
    events += table.when(0, EndTurn()).events
    assert events == [
        ShipMoved(0, 0, 1),
        CardDiscarded(0, "red"),
        TreasureSalvaged(0, "amphora_red", (1, 2), "card", "slot"),
        CardsDrawn(0, ("blue",), "refill"),
        TurnEnded(0),
        TurnStarted(1, "ship"),
    ]
    assert table.state.hand[0] == ("yellow", "green", "blue")
    assert len(table.state.pile[0]) == 11
    assert table.state.discard == ("red",)
    assert len(table.state.slots[0]) == 1
    assert told(events, 1)[3] == CardsDrawn(0, ("?",), "refill")


@pytest.mark.rule("SUB-30", "SUB-31", "SUB-32", "SUB-33", "SUB-34", "SUB-37")
def test_example_6_compensation():
    """White is seat 0, purple seat 1, brown seat 2."""
    sea = """
        . . . 12 . .
        . . . 0  . .
        . . . 12 . .
        . . . 2  . .
    """
    table = given(3, active=1, sea=sea, ships=[0, 4, 0])
    assert [owing for owing in table.view(None).owed if owing[0] == "lantern_yellow"] == [
        ("lantern_yellow", 2, 2),
        ("lantern_yellow", 0, 1),
    ]
    assert table.state.hand[1] == ("yellow", "green", "blue")
    for token, card in (("lantern_yellow", "yellow"), ("mask_green", "green")):
        top = table.state.pile[1][:3]
        table.when(1, Salvage(token, card, ())).then(
            CardDiscarded(1, card),
            CompensationPaid(1, 2, 2, 0, top[:2]),
            CompensationPaid(1, 0, 1, 0, top[2:]),
            TreasureSalvaged(1, token, (4, 4), "card", "slot"),
        )
    assert len(table.state.discard) == 2
    assert [len(pile) for pile in table.state.pile] == [14, 6, 16]
    table.when(1, Salvage("idol_red", "red", ())).refused("card-not-in-hand")
    table.when(1, Salvage("dagger_blue", "blue", ())).refused("no-own-sub-in-cell")
    drawn, *_ = table.when(1, EndTurn()).events
    assert len(drawn.cards) == 2
    assert (len(table.state.hand[1]), len(table.state.pile[1])) == (3, 4)


def pile_too_small(hand=("red", "yellow", "grey")):
    sea = """
        . 1  . . . .
        . .  . . . .
        . 02 . . . .
        . .  . . . .
    """
    return given(3, sea=sea, ships=[2, 0, 0], hand={0: hand}, pile={0: ("green",)})


@pytest.mark.rule("SUB-35", "SUB-36")
def test_example_7_pile_too_small():
    table = pile_too_small()
    for code, card, pay in (
        ("wrong-payment-count", "red", ()),
        ("wrong-payment-count", "red", ("yellow", "grey")),
        ("payment-not-in-hand", "red", ("red",)),
        ("wrong-colour", "grey", ()),
        ("card-not-in-hand", "blue", ()),
    ):
        table.when(0, Salvage("bell_red", card, pay)).refused(code)
    events = table.when(0, Salvage("bell_red", "red", ("grey",))).events
    assert events[1:3] == [
        CompensationPaid(0, 1, 1, 0, ("green",)),
        CompensationPaid(0, 2, 0, 1, ("grey",)),
    ]
    assert table.state.hand[0] == ("yellow",)
    assert [len(pile) for pile in table.state.pile] == [0, 13, 13]

    table = pile_too_small(hand=("red",))
    table.when(0, Salvage("bell_red", "red", ())).refused("cannot-pay-compensation")


@pytest.mark.rule("SUB-38", "SUB-63", "SUB-64")
def test_example_8_payee_draws_at_once():
    sea = """
        . . 1  . . .
        . . 01 . . .
        . . .  . . .
        . . .  . . .
    """
    pile = ("blue", "grey", "red", *["red"] * 9)
    table = given(sea=sea, ships=[3, 0], hand={1: ("blue",)}, pile={0: pile, 1: ()})
    before = table.copy()
    command = Salvage("idol_green", "green", ())
    events = table.when(0, command).events
    assert events == [
        CardDiscarded(0, "green"),
        CompensationPaid(0, 1, 2, 0, ("blue", "grey")),
        CardsDrawn(1, ("grey", "blue"), "compensation"),
        TreasureSalvaged(0, "idol_green", (3, 3), "card", "slot"),
    ]
    assert len(table.state.pile[0]) == 10
    assert table.state.hand[1] == ("blue", "blue", "grey")
    assert table.state.pile[1] == ()
    for viewer in (0, 1, None):
        assert told(events, viewer)[1].cards == ("?", "?")
    assert told(events, 1)[2].cards == ("grey", "blue")
    assert told(events, 0)[2].cards == told(events, None)[2].cards == ("?", "?")
    assert GAME.undo(before.state, 0, command, events) == "all"


@pytest.mark.rule("SUB-42", "SUB-43", "SUB-44", "SUB-45", "SUB-46", "SUB-47", "SUB-48")
def test_example_9_shell_as_joker():
    sea = """
        . . . . 1  .
        . . . . .  .
        . . . . 2  .
        . . . . 01 .
    """
    table = given(3, sea=sea, ships=[5, 0, 0])
    piles = table.state.pile[:]
    table.when(0, SalvageWithJoker("lantern_grey", "shell_red")).then(
        TreasureSalvaged(0, "lantern_grey", (5, 5), "joker", "slot"),
        JokerPlaced(0, "shell_red", (5, 5)),
    )
    assert table.state.pile == piles
    table.when(0, Salvage("shell_red", "red", ())).refused("token-locked")
    table.when(0, SalvageWithJoker("mask_red", "shell_red")).refused("joker-not-owned")
    table.play(0, EndTurn())

    table.state.subs[0] = ((5, 5), (5, 4), *table.state.subs[0][2:])
    table.state.hand[1] = ("red", "green", "blue")
    table.play(1, MoveShip(5))
    table.when(1, SalvageWithJoker("shell_red", "shell_yellow")).refused("joker-on-shell")
    events = table.when(1, Salvage("shell_red", "red", ())).events
    assert [(event.to, event.from_pile) for event in events[1:3]] == [(2, 1), (0, 2)]
    assert len(table.state.pile[1]) == 9
    assert table.state.jokers[1] == ("shell_yellow", "shell_red")


def duplicate_in_reach(**options):
    sea = """
        . . . . . .
        . 0 . . . .
        . 0 . . . .
        . . . . . .
    """
    return given(
        sea=sea,
        ships=[2, 0],
        slots={0: ["amphora_red"]},
        hand={0: ("blue", "green", "green")},
        options=options,
    )


@pytest.mark.rule("SUB-39", "SUB-46", "SUB-49", "SUB-50")
def test_example_10_duplicate_as_joker():
    table = duplicate_in_reach()
    lifted = table.when(0, Salvage("amphora_blue", "blue", ())).events[-1]
    assert lifted.into == "joker"
    table.play(0, SalvageWithJoker("chalice_yellow", "amphora_blue"))
    assert table.state.slots[0]["chalice"] == "chalice_yellow"
    assert table.tokens_in(2, 4)[-1] == "amphora_blue"
    table.when(0, SalvageWithJoker("amphora_blue", "shell_red")).refused("token-locked")
    table.play(0, EndTurn())
    table.state.active, table.state.phase, table.state.ships = 1, "act", [2, 2]
    table.state.subs[1] = ((2, 4), None, None, None, None)
    assert table.accepts(1, Salvage("amphora_blue", "blue", ()))
    assert table.accepts(1, SalvageWithJoker("amphora_blue", "shell_yellow"))


@pytest.mark.rule("SUB-50")
def test_example_10_with_jokers_of_earlier_turns_only():
    table = duplicate_in_reach(joker_same_turn=False)
    table.play(0, Salvage("amphora_blue", "blue", ()))
    command = SalvageWithJoker("chalice_yellow", "amphora_blue")
    table.when(0, command).refused("joker-too-fresh")
    assert command not in table.legal(0)
