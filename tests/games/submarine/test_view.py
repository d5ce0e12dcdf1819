"""Views, redaction and the leak traps."""

import msgspec
import pytest

from games.submarine import GAME
from games.submarine.commands import EndTurn, MoveShip, Salvage, SwapCard
from games.submarine.events import CardsDrawn, CardSwapped, CompensationPaid
from games.submarine.model import View
from tests.games.submarine.table import given, placed, reference_deal, told

SEA = """
    .  .  .  1  .  .
    .  .  .  .  .  .
    .  .  .  0  .  .
    .  .  .  .  .  .
"""


def json(value):
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.rule("SUB-64")
def test_a_view_is_the_state_but_for_hands_piles_and_the_cards_aside():
    table = placed()
    plain = json(table.state)
    for viewer in (0, 1, None):
        shown = json(table.view(viewer))
        assert shown.keys() == (plain.keys() - {"options"}) | {"owed"}
        hidden = {name for name in plain.keys() & shown.keys() if shown[name] != plain[name]}
        assert hidden == {"hand", "pile", "aside"}
        assert shown["pile"] == [["?"] * 12] * 2
        assert len(shown["aside"]) == 30
        for seat in (0, 1):
            own = list(table.state.hand[seat]) if seat == viewer else ["?"] * 3
            assert shown["hand"][seat] == own


def test_a_view_has_these_fields_in_this_order():
    assert View.__struct_fields__ == (
        *("players", "phase", "active", "first", "turn", "voyage", "progress", "quiet", "cells"),
        *("subs", "ships", "slots", "jokers", "hand", "pile", "discard", "aside", "mode", "moved"),
        *("locked", "acts", "fresh", "withdrawn", "result", "owed"),
    )


def test_a_view_stays_when_the_state_goes_on():
    table = given(sea=SEA, ships=[4, 0])
    view = table.view(0)
    before = msgspec.json.encode(view)
    table.play(0, Salvage("idol_red", "red", ()), EndTurn())
    assert msgspec.json.encode(view) == before


def test_cells_are_read_by_column_and_row():
    shown = json(placed().view(None))
    assert shown["cells"][2 - 1][3 - 2] == ["mask_yellow", "amphora_blue"]
    assert shown["subs"][0] == [[1, 2], [2, 2], [4, 2], [4, 2], [6, 2]]


def test_owed_lists_what_each_token_in_reach_would_cost():
    sea = """
        . . . 12 . .
        . . . 0  . .
        . . . 12 . .
        . . . 12 . .
    """
    table = given(3, active=1, sea=sea, ships=[0, 4, 0])
    table.state.subs[1] = ((4, 2), (4, 4), None, None, None)
    view = table.view(0)
    assert view.owed[0] == ("crown_green", 2, 1)
    assert view.owed[1:3] == (("idol_red", 2, 2), ("idol_red", 0, 1))
    assert [token for token, _, _ in view.owed[1::2]] == [
        "idol_red",
        "lantern_yellow",
        "mask_green",
    ]
    assert len({msgspec.json.encode(table.view(v).owed) for v in (0, 1, 2, None)}) == 1
    table.state.phase = "ship"
    assert table.view(1).owed == ()


@pytest.mark.rule("SUB-63")
def test_trap_1_copies_of_a_card_cannot_be_told_apart():
    """A hand looks the same whichever of two equal cards came last: it is kept in colour order."""
    table = given(sea=SEA, ships=[4, 0], hand={0: ("grey", "red", "blue")})
    assert table.state.hand[0] == ("red", "blue", "grey")
    table.play(0, Salvage("idol_red", "red", ()))
    table.state.pile[0] = ("yellow", *table.state.pile[0])
    table.play(0, EndTurn())
    assert table.state.hand[0] == ("yellow", "blue", "grey")


def test_trap_2_paid_cards_are_known_to_the_payer_as_far_as_they_left_its_hand():
    paid = CompensationPaid(1, 2, 2, 1, ("red", "blue", "grey"))
    assert GAME.redact(paid, 1, None).cards == ("?", "?", "grey")
    for viewer in (0, 2, None):
        assert GAME.redact(paid, viewer, None).cards == ("?", "?", "?")


def test_trap_3_a_payees_draw_is_its_own_business():
    table = given(sea=SEA, ships=[4, 0], hand={1: ()}, pile={1: ()})
    lifted = table.when(0, Salvage("idol_red", "red", ()))
    (drawn,) = lifted.of(CardsDrawn)
    assert drawn.seat == 1
    assert GAME.redact(drawn, 1, table.state) == drawn
    for viewer in (0, None):
        assert GAME.redact(drawn, viewer, table.state) == CardsDrawn(1, ("?",), "compensation")


def test_trap_4_a_swap_is_private_and_the_view_does_not_repeat_it():
    table = placed()
    table.play(0, MoveShip(7))
    (swapped,) = table.when(0, SwapCard("green")).of(CardSwapped)
    assert GAME.redact(swapped, 0, table.state) == swapped
    for viewer in (1, None):
        assert GAME.redact(swapped, viewer, table.state) == CardSwapped(0, "?", "?")
    assert table.view(0).pile[0] == ("?",) * 12


def test_trap_5_a_refusal_depends_on_the_own_hand_and_public_lengths_only():
    table = given(sea=SEA, ships=[4, 0], pile={0: ()})
    twin = table.copy()
    twin.state.hand[1], twin.state.pile[1] = ("grey",) * 3, ("grey",) * 12
    twin.state.aside = ("grey",) * 30
    for command in (Salvage("idol_red", "red", ()), Salvage("mask_green", "green", ("grey",))):
        assert table.when(0, command).code == twin.when(0, command).code != ""


def test_trap_6_nobody_else_has_legal_commands():
    table = given(3, sea=SEA, ships=[4, 0, 0])
    assert table.legal(0)
    assert table.legal(1) == table.legal(2) == []


@pytest.mark.parametrize("seats", [2, 4])
def test_trap_7_the_cards_aside_are_hidden_at_the_deal_and_in_views(seats):
    deal = reference_deal(seats)
    for viewer in (0, 1, None):
        (shown,) = told([deal], viewer)
        assert shown.aside == ("?",) * len(deal.aside)
        for seat, deck in enumerate(shown.decks):
            known = deal.decks[seat][:3] if seat == viewer else ("?",) * 3
            assert deck == known + ("?",) * (len(deal.decks[seat]) - 3)
        assert (shown.layout, shown.shells, shown.first) == (deal.layout, deal.shells, deal.first)


def test_trap_9_skips_depend_on_public_lengths_only():
    table = given(active=1, sea=SEA, ships=[7, 4], acts=1, pile={0: ()})
    twin = table.copy()
    twin.state.hand[0] = ("grey",)
    events, others = table.when(1, EndTurn()).events, twin.when(1, EndTurn()).events
    assert told(events, None) == told(others, None)


def test_trap_12_events_hide_what_the_command_named():
    """`pay` and `card` reach others neither by the events nor by a view."""
    table = given(sea=SEA, ships=[4, 0], hand={0: ("red", "yellow", "blue")}, pile={0: ()})
    twin = table.copy()
    events = table.when(0, Salvage("idol_red", "red", ("yellow",))).events
    others = twin.when(0, Salvage("idol_red", "red", ("blue",))).events
    for viewer in (1, None):
        assert told(events, viewer) == told(others, viewer)
        assert table.view(viewer) == twin.view(viewer)
    assert told(events, 0) != told(others, 0)


def test_after_the_end_all_cards_lie_open():
    table = given(sea=SEA, ships=[4, 0])
    table.leave(1)
    for viewer in (0, 1, None):
        view = table.view(viewer)
        assert list(view.hand) == table.state.hand
        assert list(view.pile) == table.state.pile
        assert view.aside == table.state.aside


def test_events_of_the_last_command_are_redacted_as_ever():
    table = given(sea=SEA, ships=[4, 0], hand={0: ("red",)}, slots={0: []})
    table.state.slots[0] = {str(number): "" for number in range(11)}
    lifted = table.when(0, Salvage("idol_red", "red", ()))
    assert table.state.phase == "over"
    (paid,) = lifted.of(CompensationPaid)
    assert GAME.redact(paid, 1, table.state).cards == ("?",)


def test_everybody_knows_whose_turn_it_is():
    table = placed()
    assert {GAME.awaited(table.state, viewer) for viewer in (0, 1, None)} == {frozenset({0})}
