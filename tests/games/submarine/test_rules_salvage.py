"""Lifting with cards and with jokers: SUB-30 to SUB-50."""

import pytest

from games.submarine import GAME
from games.submarine.commands import EndTurn, MoveShip, Salvage, SalvageWithJoker
from games.submarine.events import (
    CardDiscarded,
    CardsDrawn,
    CompensationPaid,
    JokerPlaced,
    TreasureSalvaged,
    TurnStarted,
)
from tests.games.submarine.table import given

ALONE = """
    .  .  .  .  .  .
    .  .  .  0  .  .
    .  .  .  0  .  .
    .  .  .  .  .  .
"""


def lifts(table):
    return [c for c in table.legal(0) if isinstance(c, Salvage | SalvageWithJoker)]


def payments(table, token):
    return [c.pay for c in lifts(table) if isinstance(c, Salvage) and c.token == token]


@pytest.mark.rule("SUB-30")
def test_any_number_of_tokens_from_all_own_cells_of_the_column():
    """Red and yellow of row 4 and blue of row 3, in one turn; one submarine lifts two of them."""
    table = given(sea=ALONE, ships=[4, 0], hand={0: ("red", "yellow", "blue")})
    for token, card in (("idol_red", "red"), ("dagger_blue", "blue"), ("lantern_yellow", "yellow")):
        table.play(0, Salvage(token, card, ()))
    assert sorted(table.state.slots[0]) == ["dagger", "idol", "lantern"]
    assert table.state.acts == 3
    table.when(0, Salvage("bell_yellow", "red", ())).refused("no-own-sub-in-cell")


@pytest.mark.rule("SUB-31")
def test_the_matching_card_goes_face_up_to_the_discards():
    table = given(sea=ALONE, ships=[4, 0], hand={0: ("red", "red", "grey")}, discard=("blue",))
    table.when(0, Salvage("lantern_yellow", "red", ())).refused("wrong-colour")
    table.when(0, Salvage("lantern_yellow", "yellow", ())).refused("card-not-in-hand")
    events = table.when(0, Salvage("idol_red", "red", ())).events
    assert events[0] == CardDiscarded(0, "red")
    assert table.state.discard == ("blue", "red")
    assert table.state.hand[0] == ("red", "grey")
    assert table.view(None).discard == ("blue", "red")


@pytest.mark.rule("SUB-32")
def test_each_foreign_submarine_in_the_cell_or_above_costs_a_card_per_token():
    sea = """
        . . . 11 . .
        . . . 2  . .
        . . . 02 . .
        . . . .  . .
    """
    table = given(3, sea=sea, ships=[4, 0, 0], hand={0: ("red", "yellow", "green")})
    table.play(0, Salvage("idol_red", "red", ()))
    assert [len(pile) for pile in table.state.pile] == [8, 14, 14]
    table.play(0, Salvage("mask_green", "green", ()))
    assert [len(pile) for pile in table.state.pile] == [4, 16, 16]


@pytest.mark.rule("SUB-33")
def test_own_deeper_and_distant_submarines_cost_nothing():
    sea = """
        1 1 1 0  1 1
        . . . 0  . .
        . . . 00 . .
        . . . 1  . .
    """
    table = given(sea=sea, ships=[4, 0])
    table.state.subs[1] = ((1, 2), (3, 4), (5, 2), (4, 5), (4, 5))
    lifted = table.when(0, Salvage("idol_red", "red", ()))
    assert not lifted.of(CompensationPaid)
    assert table.view(None).owed == ()


BELOW_ONE = """
    .  .  .  1  .  .
    .  .  .  .  .  .
    .  .  .  0  .  .
    .  .  .  .  .  .
"""


@pytest.mark.rule("SUB-34")
def test_the_pile_pays_from_its_top_unseen_by_anybody():
    table = given(sea=BELOW_ONE, ships=[4, 0], pile={0: ("grey", "blue")})
    (paid,) = table.when(0, Salvage("idol_red", "red", ())).of(CompensationPaid)
    assert paid == CompensationPaid(0, 1, 1, 0, ("grey",))
    assert table.state.pile[0] == ("blue",)
    for viewer in (0, 1, None):
        assert GAME.redact(paid, viewer, table.state).cards == ("?",)


@pytest.mark.rule("SUB-35")
def test_the_hand_pays_only_what_the_pile_cannot_and_not_with_the_matching_card():
    hand = {0: ("red", "red", "blue")}
    table = given(sea=BELOW_ONE, ships=[4, 0], hand=hand, pile={0: ("grey",)})
    table.when(0, Salvage("idol_red", "red", ("blue",))).refused("wrong-payment-count")
    table.state.pile[0] = ()
    table.when(0, Salvage("idol_red", "red", ("grey",))).refused("payment-not-in-hand")
    assert table.accepts(0, Salvage("idol_red", "red", ("red",))), "the other red"
    assert payments(table, "idol_red") == [("red",), ("blue",)]
    (paid,) = table.when(0, Salvage("idol_red", "red", ("blue",))).of(CompensationPaid)
    assert paid == CompensationPaid(0, 1, 0, 1, ("blue",))
    assert GAME.redact(paid, 0, table.state).cards == ("blue",)
    assert (
        GAME.redact(paid, 1, table.state).cards
        == GAME.redact(paid, None, table.state).cards
        == ("?",)
    )


@pytest.mark.rule("SUB-36")
def test_who_cannot_pay_everything_cannot_lift():
    sea = BELOW_ONE.replace("1", "11")
    table = given(sea=sea, ships=[4, 0], hand={0: ("red", "blue")}, pile={0: ()})
    for pay in ((), ("blue",), ("blue", "red")):
        table.when(0, Salvage("idol_red", "red", pay)).refused("cannot-pay-compensation")
    assert not [command for command in lifts(table) if isinstance(command, Salvage)]
    table.state.pile[0] = ("grey",)
    assert table.accepts(0, Salvage("idol_red", "red", ("blue",)))


@pytest.mark.rule("SUB-37")
def test_payees_are_served_clockwise_pile_first_then_in_the_order_given():
    sea = """
        . . . 01 . .
        . . . 00 . .
        . . . 2  . .
        . . . .  . .
    """
    hand = {2: ("red", "yellow", "blue")}
    table = given(3, active=2, sea=sea, ships=[0, 0, 4], hand=hand, pile={2: ("grey", "green")})
    lifted = table.when(2, Salvage("idol_red", "red", ("yellow", "blue")))
    assert lifted.of(CompensationPaid) == [
        CompensationPaid(2, 0, 2, 1, ("grey", "green", "yellow")),
        CompensationPaid(2, 1, 0, 1, ("blue",)),
    ]
    assert (table.state.hand[2], table.state.pile[2]) == ((), ())


@pytest.mark.rule("SUB-37")
def test_every_order_of_a_payment_is_a_command_of_its_own():
    sea = BELOW_ONE.replace("1", "11")
    table = given(sea=sea, ships=[4, 0], hand={0: ("red", "yellow", "blue")}, pile={0: ()})
    assert payments(table, "idol_red") == [("yellow", "blue"), ("blue", "yellow")]


@pytest.mark.rule("SUB-38")
def test_cards_come_one_by_one_on_top_and_a_short_hand_draws_at_once():
    sea = BELOW_ONE.replace("1", "111")
    pile = {0: ("grey", "blue", "green", "red"), 1: ()}
    table = given(sea=sea, ships=[4, 0], pile=pile, hand={1: ("yellow", "yellow")})
    full = table.copy()
    lifted = table.when(0, Salvage("idol_red", "red", ()))
    assert lifted.of(CardsDrawn) == [CardsDrawn(1, ("green",), "compensation")]
    assert table.state.hand[1] == ("yellow", "yellow", "green")
    assert table.state.pile[1] == ("blue", "grey")
    full.state.hand[1] = ("red",) * 3
    full.state.pile[1] = ("yellow",)
    assert not full.when(0, Salvage("idol_red", "red", ())).of(CardsDrawn)
    assert full.state.pile[1] == ("green", "blue", "grey", "yellow")


@pytest.mark.rule("SUB-39")
def test_a_treasure_fills_its_slot_and_a_second_one_lies_beside():
    table = given(sea=ALONE, ships=[4, 0], slots={0: ["idol_grey"]})
    assert table.when(0, Salvage("lantern_yellow", "yellow", ())).events[-1].into == "slot"
    assert table.when(0, Salvage("idol_red", "red", ())).events[-1].into == "joker"
    assert table.state.slots[0] == {"idol": "idol_grey", "lantern": "lantern_yellow"}
    assert table.state.jokers[0] == ("shell_red", "idol_red")


@pytest.mark.rule("SUB-40")
def test_colour_plays_no_part_on_the_transport_card():
    """Five colours side by side fill five slots; another colour of a motif is still a duplicate."""
    table = given(sea=ALONE, ships=[4, 0], hand={0: ("red", "yellow", "green")})
    for token, card in (("idol_red", "red"), ("lantern_yellow", "yellow"), ("mask_green", "green")):
        table.play(0, Salvage(token, card, ()))
    assert len(table.state.slots[0]) == 3
    table.lay((4, 4), ("mask_red",))
    table.state.hand[0] = ("red",)
    assert table.when(0, Salvage("mask_red", "red", ())).events[-1].into == "joker"


@pytest.mark.rule("SUB-41")
def test_the_hand_is_refilled_only_at_the_end_of_the_turn():
    table = given(sea=ALONE, ships=[4, 0], pile={0: ("grey", "blue", "green")})
    table.play(0, Salvage("idol_red", "red", ()), Salvage("lantern_yellow", "yellow", ()))
    assert table.state.hand[0] == ("green",)
    events = table.when(0, EndTurn()).events
    assert events[0] == CardsDrawn(0, ("grey", "blue"), "refill")
    assert (table.state.hand[0], table.state.pile[0]) == (("green", "blue", "grey"), ("green",))
    short = given(sea=ALONE, ships=[4, 0], hand={0: ("red",)}, pile={0: ("grey",)}, acts=1)
    short.play(0, EndTurn())
    assert (short.state.hand[0], short.state.pile[0]) == (("red", "grey"), ())


@pytest.mark.rule("SUB-42")
def test_a_joker_of_any_colour_lifts_any_treasure():
    table = given(sea=ALONE, ships=[4, 0], hand={0: ()})
    for joker in ("shell_grey", "crown_blue"):
        table.state.jokers[0] = (joker,)
        tokens = {command.token for command in lifts(table)}
        assert tokens == {*table.tokens_in(4, 3), *table.tokens_in(4, 4)}


@pytest.mark.rule("SUB-43")
def test_a_joker_lift_costs_no_compensation():
    table = given(sea=BELOW_ONE, ships=[4, 0], hand={0: ()}, pile={0: ()})
    table.when(0, SalvageWithJoker("idol_red", "shell_red")).then(
        TreasureSalvaged(0, "idol_red", (4, 4), "joker", "slot"),
        JokerPlaced(0, "shell_red", (4, 4)),
    )


@pytest.mark.rule("SUB-44")
def test_a_joker_lift_needs_ship_and_submarine():
    table = given(sea=ALONE, ships=[4, 0])
    for token, code in (
        ("bell_yellow", "no-own-sub-in-cell"),
        ("amphora_red", "token-not-under-ship"),
        ("shell_blue", "token-not-on-board"),
    ):
        table.when(0, SalvageWithJoker(token, "shell_red")).refused(code)


@pytest.mark.rule("SUB-45")
def test_the_joker_is_laid_in_the_cell_of_the_treasure():
    table = given(sea=ALONE, ships=[4, 0])
    table.play(0, SalvageWithJoker("dagger_blue", "shell_red"))
    assert table.tokens_in(4, 3) == ("helmet_grey", "shell_red")
    assert table.state.jokers[0] == ()


@pytest.mark.rule("SUB-46")
def test_a_laid_joker_is_locked_until_the_next_seat():
    table = given(sea=ALONE, ships=[4, 0], jokers=[("crown_blue", "shell_red"), ()])
    table.play(0, SalvageWithJoker("idol_red", "crown_blue"))
    table.state.hand[0] = ("blue",)
    table.when(0, Salvage("crown_blue", "blue", ())).refused("token-locked")
    table.when(0, SalvageWithJoker("crown_blue", "shell_red")).refused("token-locked")
    assert "crown_blue" not in {command.token for command in lifts(table)}
    table.play(0, EndTurn())
    assert table.state.locked == ()
    table.state.subs[1] = ((4, 4), None, None, None, None)
    table.state.hand[1] = ("blue",)
    table.play(1, MoveShip(4))
    assert table.accepts(1, Salvage("crown_blue", "blue", ()))


@pytest.mark.rule("SUB-47")
def test_a_laid_shell_is_lifted_with_a_card_of_its_colour_and_lies_beside():
    table = given(sea=BELOW_ONE, ships=[4, 0], hand={0: ("red", "blue", "blue")})
    table.lay((4, 4), ("shell_blue", "crown_red"))
    table.when(0, Salvage("shell_blue", "red", ())).refused("wrong-colour")
    lifted = table.when(0, Salvage("shell_blue", "blue", ()))
    assert lifted.of(CompensationPaid)
    assert lifted.events[-1] == TreasureSalvaged(0, "shell_blue", (4, 4), "card", "joker")
    assert table.state.jokers[0] == ("shell_red", "shell_blue")
    assert not table.state.slots[0]
    table.play(0, Salvage("crown_red", "red", ()))
    assert table.state.slots[0] == {"crown": "crown_red"}, (
        "a laid duplicate is an ordinary treasure"
    )


@pytest.mark.rule("SUB-48")
def test_a_joker_does_not_lift_a_shell():
    table = given(sea=ALONE, ships=[4, 0])
    table.lay((4, 4), ("shell_blue",))
    table.when(0, SalvageWithJoker("shell_blue", "shell_red")).refused("joker-on-shell")
    assert "shell_blue" not in {command.token for command in lifts(table)}


@pytest.mark.rule("SUB-49")
def test_a_joker_fills_no_slot():
    """A duplicate beside the transport card never moves to a slot."""
    table = given(sea=ALONE, ships=[4, 0], jokers=[("crown_blue",), ()], slots={0: ["idol_grey"]})
    events = table.when(0, SalvageWithJoker("idol_red", "crown_blue")).events
    assert events[0].into == "joker"
    assert table.state.slots[0] == {"idol": "idol_grey"}
    assert table.state.jokers[0] == ("idol_red",)


@pytest.mark.rule("SUB-50")
def test_a_joker_serves_from_the_moment_it_is_lifted():
    """Card lifts and joker lifts mix in one turn, a lifted shell included."""
    hand = {0: ("blue", "red")}
    table = given(sea=ALONE, ships=[4, 0], hand=hand, jokers=[(), ()])
    table.lay((4, 4), ("shell_blue", "crown_red", "idol_red"))
    strict = table.copy()
    table.play(
        0,
        Salvage("shell_blue", "blue", ()),
        SalvageWithJoker("idol_red", "shell_blue"),
        Salvage("crown_red", "red", ()),
    )
    assert sorted(table.state.slots[0]) == ["crown", "idol"]

    strict.state.options = type(strict.state.options)(joker_same_turn=False)
    strict.play(0, Salvage("shell_blue", "blue", ()))
    strict.when(0, SalvageWithJoker("idol_red", "shell_blue")).refused("joker-too-fresh")
    strict.play(0, EndTurn())
    GAME.apply(strict.state, TurnStarted(0, "act"))
    assert strict.accepts(0, SalvageWithJoker("idol_red", "shell_blue"))
