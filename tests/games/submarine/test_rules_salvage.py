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
from tests.games.submarine.table import given, lay, of_type, play, refusal, tokens_in

ALONE = """
    .  .  .  .  .  .
    .  .  .  0  .  .
    .  .  .  0  .  .
    .  .  .  .  .  .
"""


def lifts(state):
    return [c for c in GAME.legal(state, 0) if isinstance(c, Salvage | SalvageWithJoker)]


def payments(state, token):
    return [c.pay for c in lifts(state) if isinstance(c, Salvage) and c.token == token]


@pytest.mark.rule("SUB-30")
def test_any_number_of_tokens_from_all_own_cells_of_the_column():
    """Red and yellow of row 4 and blue of row 3, in one turn; one submarine lifts two of them."""
    state = given(sea=ALONE, ships=[4, 0], hand={0: ("red", "yellow", "blue")})
    for token, card in (("idol_red", "red"), ("dagger_blue", "blue"), ("lantern_yellow", "yellow")):
        play(state, 0, Salvage(token, card, ()))
    assert sorted(state.slots[0]) == ["dagger", "idol", "lantern"]
    assert state.acts == 3
    assert refusal(state, 0, Salvage("bell_yellow", "red", ())) == "no-own-sub-in-cell"


@pytest.mark.rule("SUB-31")
def test_the_matching_card_goes_face_up_to_the_discards():
    state = given(sea=ALONE, ships=[4, 0], hand={0: ("red", "red", "grey")}, discard=("blue",))
    assert refusal(state, 0, Salvage("lantern_yellow", "red", ())) == "wrong-colour"
    assert refusal(state, 0, Salvage("lantern_yellow", "yellow", ())) == "card-not-in-hand"
    events = play(state, 0, Salvage("idol_red", "red", ()))
    assert events[0] == CardDiscarded(0, "red")
    assert state.discard == ("blue", "red")
    assert state.hand[0] == ("red", "grey")
    assert GAME.view(state, None).discard == ("blue", "red")


@pytest.mark.rule("SUB-32")
def test_each_foreign_submarine_in_the_cell_or_above_costs_a_card_per_token():
    sea = """
        . . . 11 . .
        . . . 2  . .
        . . . 02 . .
        . . . .  . .
    """
    state = given(3, sea=sea, ships=[4, 0, 0], hand={0: ("red", "yellow", "green")})
    play(state, 0, Salvage("idol_red", "red", ()))
    assert [len(pile) for pile in state.pile] == [8, 14, 14]
    play(state, 0, Salvage("mask_green", "green", ()))
    assert [len(pile) for pile in state.pile] == [4, 16, 16]


@pytest.mark.rule("SUB-33")
def test_own_deeper_and_distant_submarines_cost_nothing():
    sea = """
        1 1 1 0  1 1
        . . . 0  . .
        . . . 00 . .
        . . . 1  . .
    """
    state = given(sea=sea, ships=[4, 0])
    state.subs[1] = ((1, 2), (3, 4), (5, 2), (4, 5), (4, 5))
    events = play(state, 0, Salvage("idol_red", "red", ()))
    assert not of_type(events, CompensationPaid)
    assert GAME.view(state, None).owed == ()


BELOW_ONE = """
    .  .  .  1  .  .
    .  .  .  .  .  .
    .  .  .  0  .  .
    .  .  .  .  .  .
"""


@pytest.mark.rule("SUB-34")
def test_the_pile_pays_from_its_top_unseen_by_anybody():
    state = given(sea=BELOW_ONE, ships=[4, 0], pile={0: ("grey", "blue")})
    (paid,) = of_type(play(state, 0, Salvage("idol_red", "red", ())), CompensationPaid)
    assert paid == CompensationPaid(0, 1, 1, 0, ("grey",))
    assert state.pile[0] == ("blue",)
    for viewer in (0, 1, None):
        assert GAME.redact(paid, viewer, state).cards == ("?",)


@pytest.mark.rule("SUB-35")
def test_the_hand_pays_only_what_the_pile_cannot_and_not_with_the_matching_card():
    hand = {0: ("red", "red", "blue")}
    state = given(sea=BELOW_ONE, ships=[4, 0], hand=hand, pile={0: ("grey",)})
    assert refusal(state, 0, Salvage("idol_red", "red", ("blue",))) == "wrong-payment-count"
    state.pile[0] = ()
    assert refusal(state, 0, Salvage("idol_red", "red", ("grey",))) == "payment-not-in-hand"
    assert refusal(state, 0, Salvage("idol_red", "red", ("red",))) is None, "the other red"
    assert payments(state, "idol_red") == [("red",), ("blue",)]
    (paid,) = of_type(play(state, 0, Salvage("idol_red", "red", ("blue",))), CompensationPaid)
    assert paid == CompensationPaid(0, 1, 0, 1, ("blue",))
    assert GAME.redact(paid, 0, state).cards == ("blue",)
    assert GAME.redact(paid, 1, state).cards == GAME.redact(paid, None, state).cards == ("?",)


@pytest.mark.rule("SUB-36")
def test_who_cannot_pay_everything_cannot_lift():
    sea = BELOW_ONE.replace("1", "11")
    state = given(sea=sea, ships=[4, 0], hand={0: ("red", "blue")}, pile={0: ()})
    for pay in ((), ("blue",), ("blue", "red")):
        assert refusal(state, 0, Salvage("idol_red", "red", pay)) == "cannot-pay-compensation"
    assert not [command for command in lifts(state) if isinstance(command, Salvage)]
    state.pile[0] = ("grey",)
    assert refusal(state, 0, Salvage("idol_red", "red", ("blue",))) is None


@pytest.mark.rule("SUB-37")
def test_payees_are_served_clockwise_pile_first_then_in_the_order_given():
    sea = """
        . . . 01 . .
        . . . 00 . .
        . . . 2  . .
        . . . .  . .
    """
    hand = {2: ("red", "yellow", "blue")}
    state = given(3, active=2, sea=sea, ships=[0, 0, 4], hand=hand, pile={2: ("grey", "green")})
    events = play(state, 2, Salvage("idol_red", "red", ("yellow", "blue")))
    assert of_type(events, CompensationPaid) == [
        CompensationPaid(2, 0, 2, 1, ("grey", "green", "yellow")),
        CompensationPaid(2, 1, 0, 1, ("blue",)),
    ]
    assert (state.hand[2], state.pile[2]) == ((), ())


@pytest.mark.rule("SUB-37")
def test_every_order_of_a_payment_is_a_command_of_its_own():
    sea = BELOW_ONE.replace("1", "11")
    state = given(sea=sea, ships=[4, 0], hand={0: ("red", "yellow", "blue")}, pile={0: ()})
    assert payments(state, "idol_red") == [("yellow", "blue"), ("blue", "yellow")]


@pytest.mark.rule("SUB-38")
def test_cards_come_one_by_one_on_top_and_a_short_hand_draws_at_once():
    sea = BELOW_ONE.replace("1", "111")
    pile = {0: ("grey", "blue", "green", "red"), 1: ()}
    state = given(sea=sea, ships=[4, 0], pile=pile, hand={1: ("yellow", "yellow")})
    full = state.copy()
    events = play(state, 0, Salvage("idol_red", "red", ()))
    assert of_type(events, CardsDrawn) == [CardsDrawn(1, ("green",), "compensation")]
    assert state.hand[1] == ("yellow", "yellow", "green")
    assert state.pile[1] == ("blue", "grey")
    full.hand[1] = ("red",) * 3
    full.pile[1] = ("yellow",)
    assert not of_type(play(full, 0, Salvage("idol_red", "red", ())), CardsDrawn)
    assert full.pile[1] == ("green", "blue", "grey", "yellow")


@pytest.mark.rule("SUB-39")
def test_a_treasure_fills_its_slot_and_a_second_one_lies_beside():
    state = given(sea=ALONE, ships=[4, 0], slots={0: ["idol_grey"]})
    assert play(state, 0, Salvage("lantern_yellow", "yellow", ()))[-1].into == "slot"
    assert play(state, 0, Salvage("idol_red", "red", ()))[-1].into == "joker"
    assert state.slots[0] == {"idol": "idol_grey", "lantern": "lantern_yellow"}
    assert state.jokers[0] == ("shell_red", "idol_red")


@pytest.mark.rule("SUB-40")
def test_colour_plays_no_part_on_the_transport_card():
    """Five colours side by side fill five slots; another colour of a motif is still a duplicate."""
    state = given(sea=ALONE, ships=[4, 0], hand={0: ("red", "yellow", "green")})
    for token, card in (("idol_red", "red"), ("lantern_yellow", "yellow"), ("mask_green", "green")):
        play(state, 0, Salvage(token, card, ()))
    assert len(state.slots[0]) == 3
    lay(state, (4, 4), ("mask_red",))
    state.hand[0] = ("red",)
    assert play(state, 0, Salvage("mask_red", "red", ()))[-1].into == "joker"


@pytest.mark.rule("SUB-41")
def test_the_hand_is_refilled_only_at_the_end_of_the_turn():
    state = given(sea=ALONE, ships=[4, 0], pile={0: ("grey", "blue", "green")})
    play(state, 0, Salvage("idol_red", "red", ()))
    play(state, 0, Salvage("lantern_yellow", "yellow", ()))
    assert state.hand[0] == ("green",)
    events = play(state, 0, EndTurn())
    assert events[0] == CardsDrawn(0, ("grey", "blue"), "refill")
    assert (state.hand[0], state.pile[0]) == (("green", "blue", "grey"), ("green",))
    short = given(sea=ALONE, ships=[4, 0], hand={0: ("red",)}, pile={0: ("grey",)}, acts=1)
    play(short, 0, EndTurn())
    assert (short.hand[0], short.pile[0]) == (("red", "grey"), ())


@pytest.mark.rule("SUB-42")
def test_a_joker_of_any_colour_lifts_any_treasure():
    state = given(sea=ALONE, ships=[4, 0], hand={0: ()})
    for joker in ("shell_grey", "crown_blue"):
        state.jokers[0] = (joker,)
        tokens = {command.token for command in lifts(state)}
        assert tokens == {*tokens_in(state, 4, 3), *tokens_in(state, 4, 4)}


@pytest.mark.rule("SUB-43")
def test_a_joker_lift_costs_no_compensation():
    state = given(sea=BELOW_ONE, ships=[4, 0], hand={0: ()}, pile={0: ()})
    assert play(state, 0, SalvageWithJoker("idol_red", "shell_red")) == [
        TreasureSalvaged(0, "idol_red", (4, 4), "joker", "slot"),
        JokerPlaced(0, "shell_red", (4, 4)),
    ]


@pytest.mark.rule("SUB-44")
def test_a_joker_lift_needs_ship_and_submarine():
    state = given(sea=ALONE, ships=[4, 0])
    for token, code in (
        ("bell_yellow", "no-own-sub-in-cell"),
        ("amphora_red", "token-not-under-ship"),
        ("shell_blue", "token-not-on-board"),
    ):
        assert refusal(state, 0, SalvageWithJoker(token, "shell_red")) == code


@pytest.mark.rule("SUB-45")
def test_the_joker_is_laid_in_the_cell_of_the_treasure():
    state = given(sea=ALONE, ships=[4, 0])
    play(state, 0, SalvageWithJoker("dagger_blue", "shell_red"))
    assert tokens_in(state, 4, 3) == ("helmet_grey", "shell_red")
    assert state.jokers[0] == ()


@pytest.mark.rule("SUB-46")
def test_a_laid_joker_is_locked_until_the_next_seat():
    state = given(sea=ALONE, ships=[4, 0], jokers=[("crown_blue", "shell_red"), ()])
    play(state, 0, SalvageWithJoker("idol_red", "crown_blue"))
    state.hand[0] = ("blue",)
    assert refusal(state, 0, Salvage("crown_blue", "blue", ())) == "token-locked"
    assert refusal(state, 0, SalvageWithJoker("crown_blue", "shell_red")) == "token-locked"
    assert "crown_blue" not in {command.token for command in lifts(state)}
    play(state, 0, EndTurn())
    assert state.locked == ()
    state.subs[1] = ((4, 4), None, None, None, None)
    state.hand[1] = ("blue",)
    play(state, 1, MoveShip(4))
    assert refusal(state, 1, Salvage("crown_blue", "blue", ())) is None


@pytest.mark.rule("SUB-47")
def test_a_laid_shell_is_lifted_with_a_card_of_its_colour_and_lies_beside():
    state = given(sea=BELOW_ONE, ships=[4, 0], hand={0: ("red", "blue", "blue")})
    lay(state, (4, 4), ("shell_blue", "crown_red"))
    assert refusal(state, 0, Salvage("shell_blue", "red", ())) == "wrong-colour"
    events = play(state, 0, Salvage("shell_blue", "blue", ()))
    assert of_type(events, CompensationPaid)
    assert events[-1] == TreasureSalvaged(0, "shell_blue", (4, 4), "card", "joker")
    assert state.jokers[0] == ("shell_red", "shell_blue")
    assert not state.slots[0]
    play(state, 0, Salvage("crown_red", "red", ()))
    assert state.slots[0] == {"crown": "crown_red"}, "a laid duplicate is an ordinary treasure"


@pytest.mark.rule("SUB-48")
def test_a_joker_does_not_lift_a_shell():
    state = given(sea=ALONE, ships=[4, 0])
    lay(state, (4, 4), ("shell_blue",))
    assert refusal(state, 0, SalvageWithJoker("shell_blue", "shell_red")) == "joker-on-shell"
    assert "shell_blue" not in {command.token for command in lifts(state)}


@pytest.mark.rule("SUB-49")
def test_a_joker_fills_no_slot():
    """A duplicate of a motif that is missing elsewhere never comes back from beside the card."""
    state = given(sea=ALONE, ships=[4, 0], jokers=[("crown_blue",), ()], slots={0: ["idol_grey"]})
    events = play(state, 0, SalvageWithJoker("idol_red", "crown_blue"))
    assert events[0].into == "joker"
    assert state.slots[0] == {"idol": "idol_grey"}
    assert state.jokers[0] == ("idol_red",)


@pytest.mark.rule("SUB-50")
def test_a_joker_serves_from_the_moment_it_is_lifted():
    """Card lifts and joker lifts mix in one turn, a lifted shell included."""
    hand = {0: ("blue", "red")}
    state = given(sea=ALONE, ships=[4, 0], hand=hand, jokers=[(), ()])
    lay(state, (4, 4), ("shell_blue", "crown_red", "idol_red"))
    strict = state.copy()
    play(state, 0, Salvage("shell_blue", "blue", ()))
    play(state, 0, SalvageWithJoker("idol_red", "shell_blue"))
    play(state, 0, Salvage("crown_red", "red", ()))
    assert sorted(state.slots[0]) == ["crown", "idol"]

    strict.options = type(strict.options)(joker_same_turn=False)
    play(strict, 0, Salvage("shell_blue", "blue", ()))
    assert refusal(strict, 0, SalvageWithJoker("idol_red", "shell_blue")) == "joker-too-fresh"
    play(strict, 0, EndTurn())
    GAME.apply(strict, TurnStarted(0, "act"))
    assert refusal(strict, 0, SalvageWithJoker("idol_red", "shell_blue")) is None
