"""Every error code, the order of refusals, and the form of commands and events on the wire."""

import msgspec
import pytest

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
from games.submarine.events import ShipMoved, SubMoved
from tests.games.submarine.table import given, placed, reference

SEA = """
    .  .  .  1  .  .
    .  .  .  .  .  .
    0  .  .  0  .  .
    .  .  .  .  .  .
"""
ONE_OF_EACH = [
    PlaceSub(1),
    MoveShip(4),
    MoveSub(1, (4, 3)),
    Salvage("idol_red", "red", ()),
    SalvageWithJoker("idol_red", "shell_red"),
    SwapCard("red"),
    EndTurn(),
]
PHASES = {
    "placing": {PlaceSub},
    "ship": {MoveShip},
    "act": {MoveSub, Salvage, SalvageWithJoker, EndTurn},
    "break": {SwapCard, EndTurn},
}


@pytest.mark.parametrize("command", ONE_OF_EACH)
def test_game_over_comes_first(command):
    table = given(sea=SEA, ships=[4, 0])
    table.leave(1)
    for seat in (0, 1, 7):
        table.when(seat, command).refused("game-over")


@pytest.mark.parametrize("command", ONE_OF_EACH)
@pytest.mark.parametrize("phase", PHASES)
def test_then_whose_turn_it_is_then_the_phase(command, phase):
    table = given(sea=SEA, ships=[4, 0], phase=phase)
    if phase == "placing":
        table = reference()
    for stranger in (1, 2, -1):
        table.when(stranger, command).refused("not-your-turn")
    code = table.when(0, command).code
    assert (code == "wrong-phase") == (type(command) not in PHASES[phase])


@pytest.mark.parametrize("column", [0, 7, -1])
def test_place_sub_refusals(column):
    reference().when(0, PlaceSub(column)).refused("no-such-column")


def test_move_ship_refusals_in_order():
    """A missing column is refused as such, even left of the ship."""
    table = given(sea=SEA, phase="ship", ships=[2, 0])
    for to, code in (
        (0, "no-such-column"),
        (8, "no-such-column"),
        (1, "ship-must-move-right"),
        (2, "ship-must-move-right"),
        (3, "no-own-sub-in-column"),
    ):
        table.when(0, MoveShip(to)).refused(code)
    assert table.accepts(0, MoveShip(4))
    assert table.accepts(0, MoveShip(7))


def test_move_sub_refusals_in_order():
    """Each command breaks one rule, and all later rules that it can."""
    table = given(sea=SEA, ships=[4, 0], mode="salvage", acts=1, moved=(1,))
    table.when(0, MoveSub(9, (4, 1))).refused("no-such-sub")
    table.when(0, MoveSub(-1, (4, 1))).refused("no-such-sub")
    table.when(0, MoveSub(1, (4, 1))).refused("salvage-turn")
    table.state.mode = "move"
    table.when(0, MoveSub(1, (4, 1))).refused("sub-already-moved")
    table.when(0, MoveSub(0, (9, 1))).refused("sub-not-under-ship")
    assert table.when(0, MoveSub(2, (9, 1))).code == "sub-not-under-ship", "not on the board"
    table.state.moved = ()
    table.when(0, MoveSub(1, (9, 1))).refused("surface-is-for-ships")
    table.when(0, MoveSub(1, (9, 4))).refused("no-such-cell")
    table.when(0, MoveSub(1, (4, 4))).refused("same-cell")
    table.when(0, MoveSub(1, (4, 2))).refused("row-too-far")


def test_salvage_refusals_in_order():
    table = given(sea=SEA, ships=[4, 0], mode="move", hand={0: ("green", "blue")}, pile={0: ()})
    table.state.locked = ("lantern_yellow",)
    table.lay((4, 4), ("lantern_yellow", "mask_green", "idol_red"))
    bad_pay = ("grey", "grey", "grey")

    def code(token, card="plaid", pay=bad_pay):
        return table.when(0, Salvage(token, card, pay)).code

    assert code("mask_plaid") == "move-turn"
    table.state.mode = "none"
    assert code("mask_plaid") == "token-not-on-board"
    assert code("shell_red") == "token-not-on-board", "it lies beside a card"
    assert code("amphora_red") == "token-not-under-ship"
    assert code("crown_green") == "no-own-sub-in-cell"
    assert code("lantern_yellow") == "token-locked"
    assert code("mask_green") == "card-not-in-hand"
    assert code("mask_green", "blue") == "wrong-colour"
    table.state.subs[1] = ((4, 2), (4, 2), None, None, None)
    assert code("mask_green", "green") == "cannot-pay-compensation"
    table.state.subs[1] = ((4, 2), None, None, None, None)
    assert code("mask_green", "green") == "wrong-payment-count"
    assert code("mask_green", "green", ("grey",)) == "payment-not-in-hand"
    assert code("mask_green", "green", ("green",)) == "payment-not-in-hand"
    assert table.accepts(0, Salvage("mask_green", "green", ("blue",)))


def test_salvage_with_joker_refusals_in_order():
    table = given(sea=SEA, ships=[4, 0], mode="move", options={"joker_same_turn": False})
    table.lay((4, 4), ("shell_blue", "shell_grey", "idol_red"))
    table.state.locked = ("shell_grey",)
    table.state.fresh = ("mask_red",)
    table.state.jokers[0] = ("mask_red", "shell_red")

    def code(token, joker="plaid"):
        return table.when(0, SalvageWithJoker(token, joker)).code

    assert code("mask_plaid") == "move-turn"
    table.state.mode = "none"
    assert code("mask_plaid") == "token-not-on-board"
    assert code("amphora_red") == "token-not-under-ship"
    assert code("crown_green") == "no-own-sub-in-cell"
    assert code("shell_grey") == "token-locked"
    assert code("shell_blue") == "joker-on-shell"
    assert code("idol_red") == "joker-not-owned"
    assert code("idol_red", "mask_red") == "joker-too-fresh"
    assert table.accepts(0, SalvageWithJoker("idol_red", "shell_red"))


def test_swap_card_refusals_in_order():
    table = given(sea=SEA, phase="break", ships=[7, 4], pile={0: ()})
    table.when(0, SwapCard("grey")).refused("pile-empty")
    table.state.pile[0] = ("blue",)
    table.when(0, SwapCard("grey")).refused("card-not-in-hand")
    table.when(0, SwapCard("plaid")).refused("card-not-in-hand")


def test_end_turn_refusal():
    given(sea=SEA, ships=[4, 0]).when(0, EndTurn()).refused("action-required")


def test_withdrawal_refusals_in_order():
    table = given(3, sea=SEA, ships=[4, 0, 0])
    table.leave(1)
    table.leave(9).refused("no-such-seat")
    table.leave(1).refused("already-withdrawn")
    table.leave(2)
    table.leave(9).refused("game-over")


def test_details_of_a_refusal_tell_what_is_public_or_own():
    table = given(sea=SEA, ships=[4, 0], pile={0: ()})
    refusal = table.when(0, Salvage("idol_red", "red", ()))
    refusal.refused("wrong-payment-count", owed=1, missing=1)


WIRE = [
    (PlaceSub(3), {"type": "place_sub", "column": 3}),
    (MoveShip(7), {"type": "move_ship", "to": 7}),
    (MoveSub(1, (4, 3)), {"type": "move_sub", "sub": 1, "to": [4, 3]}),
    (
        Salvage("bell_red", "red", ("grey",)),
        {"type": "salvage", "token": "bell_red", "card": "red", "pay": ["grey"]},
    ),
    (
        SalvageWithJoker("lantern_grey", "shell_red"),
        {"type": "salvage_with_joker", "token": "lantern_grey", "joker": "shell_red"},
    ),
    (SwapCard("green"), {"type": "swap_card", "card": "green"}),
    (EndTurn(), {"type": "end_turn"}),
]


@pytest.mark.parametrize(("command", "wire"), WIRE)
def test_commands_on_the_wire(command, wire):
    assert msgspec.json.decode(msgspec.json.encode(command)) == wire
    assert msgspec.json.decode(msgspec.json.encode(wire), type=GAME.Command) == command


@pytest.mark.parametrize(
    "record",
    [
        b'{"type": "withdraw", "seat": 0}',
        b'{"type": "dive", "sub": 0}',
        b'{"type": "place_sub"}',
        b'{"type": "place_sub", "column": 1, "row": 2}',
        b'{"type": "place_sub", "column": true}',
        b'{"type": "place_sub", "column": 1.5}',
        b'{"type": "move_sub", "sub": 0, "to": [1, 2, 3]}',
        b'{"type": "move_sub", "sub": 0, "to": [1, true]}',
        b'{"type": "salvage", "token": "bell_red", "card": "red"}',
        b'{"type": "swap_card", "card": null}',
    ],
)
def test_malformed_commands_never_reach_the_rules(record):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(record, type=GAME.Command)


def test_events_on_the_wire_say_from():
    sailed = {"type": "ship_moved", "seat": 0, "from": 0, "to": 2}
    assert msgspec.json.decode(msgspec.json.encode(ShipMoved(0, 0, 2))) == sailed
    dived = {"type": "sub_moved", "seat": 0, "sub": 1, "from": [4, 2], "to": [4, 3]}
    assert msgspec.json.decode(msgspec.json.encode(SubMoved(0, 1, (4, 2), (4, 3)))) == dived


@pytest.mark.parametrize(
    "options",
    [
        {"card_trim": "most"},
        {"first_player": -2},
        {"first_player": 5},
        {"must_act": 1},
        {"stalemate_voyages": 1},
        {"stalemate_voyages": 10},
        {"turn_seconds": 14},
        {"turn_seconds": 604801},
        {"abandon_after": 0},
        {"players": 2},
    ],
)
def test_options_are_bounded(options):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, GAME.Options)


def test_refused_commands_leave_the_state_alone():
    table = placed()
    before = msgspec.json.encode(table.state)
    for command in ONE_OF_EACH:
        table.when(1, command).refused("not-your-turn")
        if not isinstance(command, MoveShip):
            table.when(0, command).refused("wrong-phase")
    assert msgspec.json.encode(table.state) == before
    table.play(0, MoveShip(7))
    assert msgspec.json.encode(table.state) != before
