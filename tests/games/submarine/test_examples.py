"""The worked examples of the specification, one test each (some in parts)."""

import msgspec
import pytest

from games.chance import Chance
from games.submarine import GAME
from games.submarine.model import (
    CardDiscarded,
    CardsDrawn,
    CardSwapped,
    CompensationPaid,
    EndTurn,
    GameEnded,
    JokerPlaced,
    MoveShip,
    MoveSub,
    Options,
    PlaceSub,
    Salvage,
    SalvageWithJoker,
    SeatWithdrawn,
    ShipMoved,
    SwapCard,
    TreasureSalvaged,
    TurnEnded,
    TurnSkipped,
    TurnStarted,
    VoyageEnded,
)
from tests.games.submarine.table import (
    clear,
    given,
    leave,
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


@pytest.mark.rule("SUB-31", "SUB-39", "SUB-41")
def test_example_5_plain_lift_and_refill():
    sea = """
        0 . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
    """
    state = given(sea=sea, phase="ship")
    events = play(state, 0, MoveShip(1))
    events += play(state, 0, Salvage("amphora_red", "red", ()))
    events += play(state, 0, EndTurn())
    assert events == [
        ShipMoved(0, 0, 1),
        CardDiscarded(0, "red"),
        TreasureSalvaged(0, "amphora_red", (1, 2), "card", "slot"),
        CardsDrawn(0, ("blue",), "refill"),
        TurnEnded(0),
        TurnStarted(1, "ship"),
    ]
    assert state.hand[0] == ("yellow", "green", "blue")
    assert len(state.pile[0]) == 11
    assert state.discard == ("red",)
    assert len(state.slots[0]) == 1
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
    state = given(3, active=1, sea=sea, ships=[0, 4, 0])
    assert [owing for owing in GAME.view(state, None).owed if owing[0] == "lantern_yellow"] == [
        ("lantern_yellow", 2, 2),
        ("lantern_yellow", 0, 1),
    ]
    assert state.hand[1] == ("yellow", "green", "blue")
    for token, card in (("lantern_yellow", "yellow"), ("mask_green", "green")):
        top = state.pile[1][:3]
        assert play(state, 1, Salvage(token, card, ())) == [
            CardDiscarded(1, card),
            CompensationPaid(1, 2, 2, 0, top[:2]),
            CompensationPaid(1, 0, 1, 0, top[2:]),
            TreasureSalvaged(1, token, (4, 4), "card", "slot"),
        ]
    assert len(state.discard) == 2
    assert [len(pile) for pile in state.pile] == [14, 6, 16]
    assert refusal(state, 1, Salvage("idol_red", "red", ())) == "card-not-in-hand"
    assert refusal(state, 1, Salvage("dagger_blue", "blue", ())) == "no-own-sub-in-cell"
    drawn, *_ = play(state, 1, EndTurn())
    assert len(drawn.cards) == 2
    assert (len(state.hand[1]), len(state.pile[1])) == (3, 4)


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
    state = pile_too_small()
    for code, card, pay in (
        ("wrong-payment-count", "red", ()),
        ("wrong-payment-count", "red", ("yellow", "grey")),
        ("payment-not-in-hand", "red", ("red",)),
        ("wrong-colour", "grey", ()),
        ("card-not-in-hand", "blue", ()),
    ):
        assert refusal(state, 0, Salvage("bell_red", card, pay)) == code
    events = play(state, 0, Salvage("bell_red", "red", ("grey",)))
    assert events[1:3] == [
        CompensationPaid(0, 1, 1, 0, ("green",)),
        CompensationPaid(0, 2, 0, 1, ("grey",)),
    ]
    assert state.hand[0] == ("yellow",)
    assert [len(pile) for pile in state.pile] == [0, 13, 13]

    state = pile_too_small(hand=("red",))
    assert refusal(state, 0, Salvage("bell_red", "red", ())) == "cannot-pay-compensation"


@pytest.mark.rule("SUB-38", "SUB-63", "SUB-64")
def test_example_8_payee_draws_at_once():
    sea = """
        . . 1  . . .
        . . 01 . . .
        . . .  . . .
        . . .  . . .
    """
    pile = ("blue", "grey", "red", *["red"] * 9)
    state = given(sea=sea, ships=[3, 0], hand={1: ("blue",)}, pile={0: pile, 1: ()})
    before = state.copy()
    command = Salvage("idol_green", "green", ())
    events = play(state, 0, command)
    assert events == [
        CardDiscarded(0, "green"),
        CompensationPaid(0, 1, 2, 0, ("blue", "grey")),
        CardsDrawn(1, ("grey", "blue"), "compensation"),
        TreasureSalvaged(0, "idol_green", (3, 3), "card", "slot"),
    ]
    assert len(state.pile[0]) == 10
    assert state.hand[1] == ("blue", "blue", "grey")
    assert state.pile[1] == ()
    for viewer in (0, 1, None):
        assert told(events, viewer)[1].cards == ("?", "?")
    assert told(events, 1)[2].cards == ("grey", "blue")
    assert told(events, 0)[2].cards == told(events, None)[2].cards == ("?", "?")
    assert GAME.undo(before, 0, command, events) == "all"


@pytest.mark.rule("SUB-42", "SUB-43", "SUB-44", "SUB-45", "SUB-46", "SUB-47", "SUB-48")
def test_example_9_shell_as_joker():
    sea = """
        . . . . 1  .
        . . . . .  .
        . . . . 2  .
        . . . . 01 .
    """
    state = given(3, sea=sea, ships=[5, 0, 0])
    piles = state.pile[:]
    assert play(state, 0, SalvageWithJoker("lantern_grey", "shell_red")) == [
        TreasureSalvaged(0, "lantern_grey", (5, 5), "joker", "slot"),
        JokerPlaced(0, "shell_red", (5, 5)),
    ]
    assert state.pile == piles
    assert refusal(state, 0, Salvage("shell_red", "red", ())) == "token-locked"
    assert refusal(state, 0, SalvageWithJoker("mask_red", "shell_red")) == "joker-not-owned"
    play(state, 0, EndTurn())

    state.subs[0] = ((5, 5), (5, 4), *state.subs[0][2:])
    state.hand[1] = ("red", "green", "blue")
    play(state, 1, MoveShip(5))
    assert refusal(state, 1, SalvageWithJoker("shell_red", "shell_yellow")) == "joker-on-shell"
    events = play(state, 1, Salvage("shell_red", "red", ()))
    assert [(event.to, event.from_pile) for event in events[1:3]] == [(2, 1), (0, 2)]
    assert len(state.pile[1]) == 9
    assert state.jokers[1] == ("shell_yellow", "shell_red")


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
    state = duplicate_in_reach()
    lifted = play(state, 0, Salvage("amphora_blue", "blue", ()))[-1]
    assert lifted.into == "joker"
    play(state, 0, SalvageWithJoker("chalice_yellow", "amphora_blue"))
    assert state.slots[0]["chalice"] == "chalice_yellow"
    assert tokens_in(state, 2, 4)[-1] == "amphora_blue"
    assert refusal(state, 0, SalvageWithJoker("amphora_blue", "shell_red")) == "token-locked"
    play(state, 0, EndTurn())
    state.active, state.phase, state.ships = 1, "act", [2, 2]
    state.subs[1] = ((2, 4), None, None, None, None)
    assert refusal(state, 1, Salvage("amphora_blue", "blue", ())) is None
    assert refusal(state, 1, SalvageWithJoker("amphora_blue", "shell_yellow")) is None


@pytest.mark.rule("SUB-50")
def test_example_10_with_jokers_of_earlier_turns_only():
    state = duplicate_in_reach(joker_same_turn=False)
    play(state, 0, Salvage("amphora_blue", "blue", ()))
    command = SalvageWithJoker("chalice_yellow", "amphora_blue")
    assert refusal(state, 0, command) == "joker-too-fresh"
    assert command not in GAME.legal(state, 0)


@pytest.mark.rule("SUB-20", "SUB-21", "SUB-51", "SUB-52")
def test_example_11_break_and_new_voyage():
    state = placed()
    play(state, 0, MoveShip(7))
    assert state.phase == "break"
    assert refusal(state, 0, MoveSub(0, (1, 3))) == "wrong-phase"
    assert refusal(state, 0, SwapCard("grey")) == "card-not-in-hand"
    assert play(state, 0, SwapCard("green"))[0] == CardSwapped(0, "green", "blue")
    assert state.hand[0] == ("red", "yellow", "blue")
    assert len(state.pile[0]) == 12
    assert state.pile[0][-1] == "green"

    play(state, 1, MoveShip(6))
    play(state, 1, MoveSub(4, (6, 3)))
    play(state, 1, EndTurn())
    assert (state.active, state.phase) == (0, "break")
    play(state, 0, EndTurn())
    play(state, 1, MoveShip(7))
    assert play(state, 1, EndTurn()) == [TurnEnded(1), VoyageEnded(1, 1), TurnStarted(0, "ship")]
    assert state.ships == [0, 0]
    assert state.voyage == 2
    assert state.subs[1][4] == (6, 3)


@pytest.mark.rule("SUB-52", "SUB-53")
def test_example_11_with_an_empty_pile():
    state = given(active=1, ships=[7, 6], acts=1, pile={0: ()})
    assert play(state, 1, EndTurn()) == [TurnEnded(1), TurnSkipped(0), TurnStarted(1, "ship")]
    by_hand = given(phase="break", ships=[7, 6], pile={0: ()})
    assert refusal(by_hand, 0, SwapCard("red")) == "pile-empty"


def last_treasure():
    sea = """
        . . . . . .
        . . . . . 0
        . . . . . .
        . . . . . .
    """
    state = given(sea=sea, ships=[6, 0], hand={0: ("red", "red", "green")})
    state.jokers[0] = ("shell_red", "mask_blue")
    clear(state, 6, row3=("chest_yellow",), row5=("shell_green",))
    return state


@pytest.mark.rule("SUB-55", "SUB-56")
def test_example_12_last_treasure_of_a_column():
    state = last_treasure()
    ended = play(state, 0, SalvageWithJoker("chest_yellow", "shell_red"))[-1]
    assert ended.reason == "column_empty"

    state = last_treasure()
    play(state, 0, SalvageWithJoker("chest_yellow", "mask_blue"))
    assert tokens_in(state, 6, 3) == ("mask_blue",)
    assert GAME.result(state) is None
    assert GAME.legal(state, 0) == [EndTurn()]


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
    state = given(
        3,
        active=1,
        sea=sea,
        ships=[0, 3, 0],
        hand={0: ("red",), 1: ("grey",), 2: ("red", "red")},
        pile={0: (), 1: (), 2: ()},
        slots={0: eleven[:9], 1: eleven, 2: eleven[:9]},
        jokers=[("shell_red", "mask_red"), (), ("shell_green", "mask_blue")],
    )
    clear(state, 3, row4=("mask_grey",))
    assert play(state, 1, Salvage("mask_grey", "grey", ()))[-1] == GameEnded(
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
    state = given(sea=sea, ships=[3, 0], hand={0: ("yellow",), 1: ()}, pile={0: (), 1: ()})
    ended = play(state, 0, Salvage("helmet_yellow", "yellow", ()))[-1]
    assert ended.reason == "cards_spent"
    assert ended.jokers == (1, 1)


@pytest.mark.rule("SUB-60")
def test_example_14b_stalemate():
    state = given(active=1, phase="ship", ships=[7, 4], quiet=2, voyage=3)
    play(state, 1, MoveShip(7))
    _, voyage_ended, ended = play(state, 1, EndTurn())
    assert voyage_ended == VoyageEnded(3, 3)
    assert ended.reason == "stalemate"


@pytest.mark.rule("SUB-61", "SUB-62")
def test_example_14c_withdrawals():
    state = given(3, active=1, ships=[7, 2, 4], pile={1: ["red"] * 9})
    assert len(state.aside) == 15
    assert leave(state, 1) == [SeatWithdrawn(1, 3, 9), TurnEnded(1), TurnStarted(2, "ship")]
    assert len(state.aside) == 27
    left, ended = leave(state, 0)
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
    state = given(
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
    clear(state, 1, row2=("amphora_red",))
    return play(state, 3, Salvage("amphora_red", "red", ()))[-1]


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
