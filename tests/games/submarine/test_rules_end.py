"""Break, endings, ranking and withdrawal: SUB-51 to SUB-62."""

import pytest

from games.game import Illegal
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
from games.submarine.events import (
    CardSwapped,
    GameEnded,
    SeatWithdrawn,
    ShipMoved,
    TurnEnded,
    TurnSkipped,
    TurnStarted,
    VoyageEnded,
)
from tests.games.submarine.table import (
    clear,
    given,
    lay,
    leave,
    of_type,
    placed,
    play,
    reference,
    reference_deal,
    refusal,
)

ALONE = """
    .  .  .  .  .  .
    .  .  .  .  .  .
    .  .  .  0  .  1
    .  .  .  .  .  .
"""


def all_motifs_but(*missing):
    motifs = sorted({token.partition("_")[0] for token in reference_deal(2).layout})
    return [f"{motif}_blue" for motif in motifs if motif not in missing]


@pytest.mark.rule("SUB-51")
def test_a_waiting_seat_swaps_a_card_in_each_of_its_turns():
    pile = {0: ("grey", "blue", "green"), 1: ("red",)}
    state = given(phase="ship", sea=ALONE, ships=[4, 4], pile=pile)
    play(state, 0, MoveShip(7))
    swapped = play(state, 0, SwapCard("red"))[0]
    assert swapped == CardSwapped(0, "red", "grey")
    assert state.hand[0] == ("yellow", "green", "grey")
    assert state.pile[0] == ("blue", "green", "red")
    assert refusal(state, 1, SwapCard("blue")) == "wrong-phase", "not with a ship on the board"
    state.active, state.phase = 0, "break"
    assert play(state, 0, SwapCard("yellow"))[0] == CardSwapped(0, "yellow", "blue")


@pytest.mark.rule("SUB-52")
def test_one_swap_a_turn_from_what_there_is_and_only_if_wanted():
    state = given(phase="break", sea=ALONE, ships=[7, 4], hand={0: ("red", "red", "blue")})
    assert GAME.legal(state, 0) == [SwapCard("red"), SwapCard("blue"), EndTurn()]
    assert TurnEnded(0) in play(state.copy(), 0, SwapCard("red")), "the swap ends the turn"
    assert refusal(state, 0, EndTurn()) is None
    assert refusal(state, 0, SwapCard("grey")) == "card-not-in-hand"
    state.pile[0] = ()
    assert refusal(state, 0, SwapCard("red")) == "pile-empty"


@pytest.mark.rule("SUB-53")
def test_a_waiting_seat_without_a_swap_is_skipped():
    state = given(4, sea=ALONE, active=3, ships=[7, 7, 7, 4], acts=1)
    state.pile[0] = state.pile[1] = ()
    assert play(state, 3, EndTurn()) == [
        TurnEnded(3),
        TurnSkipped(0),
        TurnSkipped(1),
        TurnStarted(2, "break"),
    ]
    state = given(sea=ALONE, phase="ship", ships=[4, 4], pile={0: ()})
    assert play(state, 0, MoveShip(7)) == [
        ShipMoved(0, 4, 7),
        TurnEnded(0),
        TurnStarted(1, "ship"),
    ], "also when it arrives"


@pytest.mark.rule("SUB-53")
def test_the_same_seat_goes_on_while_all_others_are_skipped():
    state = given(sea=ALONE, active=0, ships=[4, 7], acts=1, pile={1: ()})
    assert play(state, 0, EndTurn())[-2:] == [TurnSkipped(1), TurnStarted(0, "ship")]
    assert state.turn == 12


@pytest.mark.rule("SUB-54")
def test_a_full_transport_card_wins_at_once():
    state = given(sea=ALONE, ships=[4, 0], slots={0: all_motifs_but("idol")})
    ended = play(state, 0, Salvage("idol_red", "red", ()))[-1]
    assert (ended.reason, ended.winners) == ("complete", (0,))
    assert (state.phase, state.active) == ("over", -1)
    assert GAME.waiting(state) == frozenset()
    assert GAME.legal(state, 0) == []
    by_joker = given(sea=ALONE, ships=[4, 0], slots={0: all_motifs_but("idol")})
    play(by_joker, 0, SalvageWithJoker("idol_red", "shell_red"))
    assert GAME.result(by_joker).reason == "complete"


@pytest.mark.rule("SUB-55")
def test_the_last_treasure_of_a_column_ends_the_game():
    state = given(sea=ALONE, ships=[4, 0])
    clear(state, 4, row4=("idol_red", "mask_green"))
    play(state, 0, Salvage("idol_red", "red", ()))
    assert GAME.result(state) is None
    assert play(state, 0, Salvage("mask_green", "green", ()))[-1].reason == "column_empty"


@pytest.mark.rule("SUB-56")
def test_shells_are_no_treasures_but_laid_duplicates_are():
    state = given(sea=ALONE, ships=[4, 0], jokers=[("shell_red", "mask_blue"), ()])
    clear(state, 4, row2=("shell_grey",), row4=("idol_red",))
    by_duplicate = state.copy()
    play(state, 0, SalvageWithJoker("idol_red", "shell_red"))
    assert GAME.result(state).reason == "column_empty"
    play(by_duplicate, 0, SalvageWithJoker("idol_red", "mask_blue"))
    assert GAME.result(by_duplicate) is None


@pytest.mark.rule("SUB-56")
def test_lifting_a_shell_empties_no_column():
    """The test is for a lift that takes the last treasure; a shell is none."""
    state = given(sea=ALONE, ships=[4, 0])
    clear(state, 4, row4=("shell_green", "idol_red"))
    play(state, 0, Salvage("shell_green", "green", ()))
    assert GAME.result(state) is None


@pytest.mark.rule("SUB-57")
def test_spent_cards_end_the_game():
    state = given(sea=ALONE, ships=[4, 0], hand={0: ("red",), 1: ()}, pile={0: (), 1: ()})
    others = {"hand": ("blue",), "pile": ("blue",)}
    for place, cards in others.items():
        left = state.copy()
        getattr(left, place)[1] = cards
        play(left, 0, Salvage("idol_red", "red", ()))
        assert GAME.result(left) is None
    ended = play(state, 0, Salvage("idol_red", "red", ()))[-1]
    assert (ended.reason, ended.winners) == ("cards_spent", (0,))


@pytest.mark.rule("SUB-58")
def test_a_full_card_goes_before_an_empty_column_before_spent_cards():
    state = given(sea=ALONE, ships=[4, 0], hand={0: ("red",), 1: ()}, pile={0: (), 1: ()})
    clear(state, 4, row4=("idol_red",))
    full = state.copy()
    full.slots[0] = {token.partition("_")[0]: token for token in all_motifs_but("idol")}
    assert play(full, 0, Salvage("idol_red", "red", ()))[-1].reason == "complete"
    assert play(state, 0, Salvage("idol_red", "red", ()))[-1].reason == "column_empty"


@pytest.mark.rule("SUB-58")
def test_the_tests_come_after_the_joker_is_laid():
    state = given(sea=ALONE, ships=[4, 0], jokers=[("mask_blue",), ()])
    clear(state, 4, row4=("idol_red",))
    assert not of_type(play(state, 0, SalvageWithJoker("idol_red", "mask_blue")), GameEnded)


def ended_with(**fields):
    """Let seat 0 take the last treasure of column 4 as its second idol, with its last card."""
    state = given(sea=ALONE, ships=[4, 0], slots={0: ["idol_grey"]}, jokers=[(), ("shell_red",)])
    state.slots[1] = {"mask": "mask_grey"}
    state.hand, state.pile = [("red",), ()], [("blue",), ("blue",)]
    clear(state, 4, row4=("idol_red",))
    for name, value in fields.items():
        getattr(state, name)[1] = value
    return play(state, 0, Salvage("idol_red", "red", ()))[-1]


@pytest.mark.rule("SUB-59")
@pytest.mark.parametrize(
    ("fields", "ranks", "winners"),
    [
        ({}, (1, 1), (0, 1)),
        ({"slots": {}}, (1, 2), (0,)),
        ({"slots": {"mask": "mask_grey", "idol": "idol_blue"}, "jokers": ()}, (2, 1), (1,)),
        ({"jokers": (), "pile": ("blue",) * 9}, (1, 2), (0,)),
        ({"jokers": ("shell_red", "mask_red"), "pile": ()}, (2, 1), (1,)),
        ({"hand": ("blue",)}, (2, 1), (1,)),
        ({"pile": ()}, (1, 2), (0,)),
    ],
)
def test_motifs_then_jokers_then_cards_rank_the_seats(fields, ranks, winners):
    ended = ended_with(**fields)
    assert (ended.reason, ended.ranks, ended.winners) == ("column_empty", ranks, winners)


@pytest.mark.rule("SUB-59")
def test_ranks_are_shared_and_then_skipped():
    state = given(4, active=3, sea=ALONE.replace("0", "3"), ships=[0, 0, 0, 4])
    state.slots = [{"bell": "bell_red"}, {}, {}, {}]
    state.hand[3] = ("red",)
    state.pile[3] = ()
    clear(state, 4, row4=("idol_red",))
    play(state, 3, Salvage("idol_red", "red", ()))
    assert GAME.result(state).places(4) == [1, 3, 3, 2]
    state = given(4, sea=ALONE, ships=[4, 0, 0, 0], hand={0: ("red",)})
    clear(state, 4, row4=("idol_red",))
    play(state, 0, Salvage("idol_red", "red", ()))
    assert GAME.result(state).places(4) == [1, 2, 2, 2]


@pytest.mark.rule("SUB-60")
@pytest.mark.parametrize("limit", [2, 3, 9])
def test_voyages_without_progress_end_the_game(limit):
    state = placed()
    state.options = type(state.options)(stalemate_voyages=limit)
    for quiet in range(1, limit + 1):
        play(state, 0, MoveShip(7))
        play(state, 0, EndTurn())
        play(state, 1, MoveShip(7))
        events = play(state, 1, EndTurn())
        assert events[1] == VoyageEnded(quiet, quiet)
    assert GAME.result(state).reason == "stalemate"
    assert GAME.result(state).winners == (0, 1)


@pytest.mark.rule("SUB-60")
def test_a_discard_or_a_filled_slot_is_progress_but_a_duplicate_by_joker_is_not():
    def voyage_after(command, **fields):
        state = given(sea=ALONE, ships=[4, 7], quiet=2, pile={1: ()}, **fields)
        play(state, 0, command)
        play(state, 0, EndTurn())
        play(state, 0, MoveShip(7))
        return state, of_type(play(state, 0, EndTurn()), VoyageEnded)[0].quiet

    card, joker = Salvage("idol_red", "red", ()), SalvageWithJoker("idol_red", "shell_red")
    duplicate = {"slots": {0: ["idol_blue"]}}
    assert voyage_after(card)[1] == 0
    assert voyage_after(card, **duplicate)[1] == 0
    assert voyage_after(joker)[1] == 0
    state, quiet = voyage_after(joker, **duplicate)
    assert quiet == 3
    assert state.phase == "over"
    assert voyage_after(MoveSub(0, (4, 3)))[1] == 3


@pytest.mark.rule("SUB-61")
def test_a_seat_that_leaves_takes_its_vessels_along_and_its_cards_go_aside():
    state = given(
        3, sea=ALONE, ships=[4, 2, 3], hand={1: ("grey", "red")}, pile={1: ("blue", "red")}
    )
    aside = state.aside
    assert leave(state, 1) == [SeatWithdrawn(1, 2, 2)], "the active seat plays on"
    assert state.subs[1] == (None,) * 5
    assert state.ships == [4, -1, 3]
    assert state.aside == (*aside, "red", "grey", "blue", "red")
    assert (state.hand[1], state.pile[1], state.withdrawn) == ((), (), (1,))
    assert state.jokers[1] == ("shell_yellow",), "its tokens lie where they were"
    assert (state.active, state.phase) == (0, "act")
    assert GAME.view(state, 0).aside == ("?",) * 19
    assert GAME.legal(state, 1) == []


@pytest.mark.rule("SUB-61")
def test_when_the_active_seat_leaves_play_passes_on_without_a_refill():
    state = given(3, sea=ALONE, ships=[4, 7, 3], hand={0: ("red",)}, pile={1: ()})
    assert leave(state, 0) == [
        SeatWithdrawn(0, 1, 12),
        TurnEnded(0),
        TurnSkipped(1),
        TurnStarted(2, "ship"),
    ]


@pytest.mark.rule("SUB-61")
def test_a_seat_that_leaves_while_placing_is_passed_over():
    state = reference(3)
    assert leave(state, 0) == [SeatWithdrawn(0, 3, 12), TurnStarted(1, "placing")]
    assert leave(state.copy(), 2)[1].reason == "last_seat"
    for _ in range(10):
        play(state, state.active, PlaceSub(1))
    assert (state.active, state.phase, state.voyage) == (1, "ship", 1)
    late = reference(3)
    for _ in range(14):
        play(late, late.active, PlaceSub(1))
    assert leave(late, 2)[1:] == [TurnStarted(0, "ship")]


@pytest.mark.rule("SUB-61")
def test_leaving_ends_the_voyage_when_all_other_ships_are_off():
    state = given(3, sea=ALONE, active=1, ships=[7, 4, 7])
    assert leave(state, 1)[1:] == [TurnEnded(1), VoyageEnded(1, 1), TurnStarted(2, "ship")]
    assert state.ships == [0, -1, 0]
    idle = given(3, sea=ALONE, active=0, phase="break", ships=[7, 4, 7])
    assert leave(idle, 1) == [SeatWithdrawn(1, 3, 12)], "a voyage ends with a turn"
    assert play(idle, 0, EndTurn())[1] == VoyageEnded(1, 1)
    last = given(3, sea=ALONE, active=1, ships=[7, 4, 7], quiet=2)
    assert leave(last, 1)[-1].reason == "stalemate"


@pytest.mark.rule("SUB-61")
def test_leavers_rank_last_the_first_to_go_at_the_end():
    state = given(4, sea=ALONE, ships=[4, 0, 0, 0], slots={1: all_motifs_but("idol")})
    clear(state, 4, row4=("idol_red",))
    leave(state, 1)
    leave(state, 3)
    ended = play(state, 0, Salvage("idol_red", "red", ()))[-1]
    assert ended.ranks == (1, 4, 2, 3)
    assert ended.motifs == (1, 11, 0, 0)
    assert ended.cards == (12, 0, 13, 0)
    assert ended.jokers == (1, 1, 1, 1)


@pytest.mark.rule("SUB-61")
def test_leaving_tests_whether_the_others_have_cards():
    state = given(3, sea=ALONE, ships=[4, 0, 0], hand={0: (), 1: (), 2: ("red",)})
    state.pile = [(), (), ()]
    events = leave(state, 2)
    assert events[0] == SeatWithdrawn(2, 1, 0)
    assert events[1].reason == "cards_spent"


@pytest.mark.rule("SUB-62")
def test_the_last_seat_wins_at_once():
    state = given(sea=ALONE, ships=[4, 0], slots={1: all_motifs_but("idol")})
    ended = leave(state, 1)[-1]
    assert (ended.reason, ended.winners, ended.ranks) == ("last_seat", (0,), (1, 2))
    assert state.result.places(2) == [1, 2]


@pytest.mark.rule("SUB-61")
def test_leaving_is_refused_to_who_is_not_there():
    state = given(3, sea=ALONE, ships=[4, 0, 0])
    leave(state, 1)
    for seat, code in ((3, "no-such-seat"), (-1, "no-such-seat"), (1, "already-withdrawn")):
        with pytest.raises(Illegal, match=code):
            GAME.leave(state, seat)
    leave(state, 2)
    for seat in (0, 1, 5):
        with pytest.raises(Illegal, match="game-over"):
            GAME.leave(state, seat)


def test_a_lifted_token_is_found_wherever_it_lies():
    state = given(sea=ALONE, ships=[4, 0])
    lay(state, (6, 4), ("shell_blue",))
    assert refusal(state, 0, Salvage("shell_blue", "blue", ())) == "token-not-under-ship"
