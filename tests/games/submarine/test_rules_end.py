"""Break, endings, ranking and withdrawal: SUB-51 to SUB-62."""

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
from tests.games.submarine.table import given, placed, reference, reference_deal

ALONE = """
    .  .  .  .  .  .
    .  .  .  .  .  .
    .  .  .  0  .  1
    .  .  .  .  .  .
"""


def all_motifs_except(*missing):
    motifs = sorted({token.partition("_")[0] for token in reference_deal(2).layout})
    return [f"{motif}_blue" for motif in motifs if motif not in missing]


@pytest.mark.rule("SUB-51")
def test_a_waiting_seat_swaps_a_card_in_each_of_its_turns():
    pile = {0: ("grey", "blue", "green"), 1: ("red",)}
    table = given(phase="ship", sea=ALONE, ships=[4, 4], pile=pile)
    table.play(0, MoveShip(7))
    swapped = table.when(0, SwapCard("red")).events[0]
    assert swapped == CardSwapped(0, "red", "grey")
    assert table.state.hand[0] == ("yellow", "green", "grey")
    assert table.state.pile[0] == ("blue", "green", "red")
    assert table.when(1, SwapCard("blue")).code == "wrong-phase", "not with a ship on the board"
    table.state.active, table.state.phase = 0, "break"
    assert table.when(0, SwapCard("yellow")).events[0] == CardSwapped(0, "yellow", "blue")


@pytest.mark.rule("SUB-52")
def test_one_swap_a_turn_from_what_there_is_and_only_if_wanted():
    table = given(phase="break", sea=ALONE, ships=[7, 4], hand={0: ("red", "red", "blue")})
    assert table.legal(0) == [SwapCard("red"), SwapCard("blue"), EndTurn()]
    assert TurnEnded(0) in table.copy().when(0, SwapCard("red")).events, "the swap ends the turn"
    assert table.accepts(0, EndTurn())
    table.when(0, SwapCard("grey")).refused("card-not-in-hand")
    table.state.pile[0] = ()
    table.when(0, SwapCard("red")).refused("pile-empty")


@pytest.mark.rule("SUB-53")
def test_a_waiting_seat_without_a_swap_is_skipped():
    table = given(4, sea=ALONE, active=3, ships=[7, 7, 7, 4], acts=1)
    table.state.pile[0] = table.state.pile[1] = ()
    table.when(3, EndTurn()).then(
        TurnEnded(3), TurnSkipped(0), TurnSkipped(1), TurnStarted(2, "break")
    )
    table = given(sea=ALONE, phase="ship", ships=[4, 4], pile={0: ()})
    assert table.when(0, MoveShip(7)).events == [
        ShipMoved(0, 4, 7),
        TurnEnded(0),
        TurnStarted(1, "ship"),
    ], "also when it arrives"


@pytest.mark.rule("SUB-53")
def test_the_same_seat_goes_on_while_all_others_are_skipped():
    table = given(sea=ALONE, active=0, ships=[4, 7], acts=1, pile={1: ()})
    assert table.when(0, EndTurn()).events[-2:] == [TurnSkipped(1), TurnStarted(0, "ship")]
    assert table.state.turn == 12


@pytest.mark.rule("SUB-54")
def test_a_full_transport_card_wins_at_once():
    table = given(sea=ALONE, ships=[4, 0], slots={0: all_motifs_except("idol")})
    ended = table.when(0, Salvage("idol_red", "red", ())).events[-1]
    assert (ended.reason, ended.winners) == ("complete", (0,))
    assert (table.state.phase, table.state.active) == ("over", -1)
    assert table.waiting == frozenset()
    assert table.legal(0) == []
    by_joker = given(sea=ALONE, ships=[4, 0], slots={0: all_motifs_except("idol")})
    by_joker.play(0, SalvageWithJoker("idol_red", "shell_red"))
    assert GAME.result(by_joker.state).reason == "complete"


@pytest.mark.rule("SUB-55")
def test_the_last_treasure_of_a_column_ends_the_game():
    table = given(sea=ALONE, ships=[4, 0])
    table.clear(4, row4=("idol_red", "mask_green"))
    table.play(0, Salvage("idol_red", "red", ()))
    assert GAME.result(table.state) is None
    assert table.when(0, Salvage("mask_green", "green", ())).events[-1].reason == "column_empty"


@pytest.mark.rule("SUB-56")
def test_shells_are_no_treasures_but_laid_duplicates_are():
    table = given(sea=ALONE, ships=[4, 0], jokers=[("shell_red", "mask_blue"), ()])
    table.clear(4, row2=("shell_grey",), row4=("idol_red",))
    by_duplicate = table.copy()
    table.play(0, SalvageWithJoker("idol_red", "shell_red"))
    assert GAME.result(table.state).reason == "column_empty"
    by_duplicate.play(0, SalvageWithJoker("idol_red", "mask_blue"))
    assert GAME.result(by_duplicate.state) is None


@pytest.mark.rule("SUB-56")
def test_lifting_a_shell_empties_no_column():
    """Only a lifted treasure can empty a column."""
    table = given(sea=ALONE, ships=[4, 0])
    table.clear(4, row4=("shell_green", "idol_red"))
    table.play(0, Salvage("shell_green", "green", ()))
    assert GAME.result(table.state) is None


@pytest.mark.rule("SUB-57")
def test_spent_cards_end_the_game():
    table = given(sea=ALONE, ships=[4, 0], hand={0: ("red",), 1: ()}, pile={0: (), 1: ()})
    others = {"hand": ("blue",), "pile": ("blue",)}
    for place, cards in others.items():
        left = table.copy()
        getattr(left.state, place)[1] = cards
        left.play(0, Salvage("idol_red", "red", ()))
        assert GAME.result(left.state) is None
    ended = table.when(0, Salvage("idol_red", "red", ())).events[-1]
    assert (ended.reason, ended.winners) == ("cards_spent", (0,))


@pytest.mark.rule("SUB-58")
def test_a_full_card_goes_before_an_empty_column_before_spent_cards():
    table = given(sea=ALONE, ships=[4, 0], hand={0: ("red",), 1: ()}, pile={0: (), 1: ()})
    table.clear(4, row4=("idol_red",))
    full = table.copy()
    full.state.slots[0] = {token.partition("_")[0]: token for token in all_motifs_except("idol")}
    assert full.when(0, Salvage("idol_red", "red", ())).events[-1].reason == "complete"
    assert table.when(0, Salvage("idol_red", "red", ())).events[-1].reason == "column_empty"


@pytest.mark.rule("SUB-58")
def test_the_tests_come_after_the_joker_is_laid():
    table = given(sea=ALONE, ships=[4, 0], jokers=[("mask_blue",), ()])
    table.clear(4, row4=("idol_red",))
    assert not table.when(0, SalvageWithJoker("idol_red", "mask_blue")).of(GameEnded)


def ended_with(**fields):
    """Return the end: seat 0's last card lifts a duplicate, the last treasure of column 4."""
    table = given(sea=ALONE, ships=[4, 0], slots={0: ["idol_grey"]}, jokers=[(), ("shell_red",)])
    table.state.slots[1] = {"mask": "mask_grey"}
    table.state.hand, table.state.pile = [("red",), ()], [("blue",), ("blue",)]
    table.clear(4, row4=("idol_red",))
    for name, value in fields.items():
        getattr(table.state, name)[1] = value
    return table.when(0, Salvage("idol_red", "red", ())).events[-1]


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
    table = given(4, active=3, sea=ALONE.replace("0", "3"), ships=[0, 0, 0, 4])
    table.state.slots = [{"bell": "bell_red"}, {}, {}, {}]
    table.state.hand[3] = ("red",)
    table.state.pile[3] = ()
    table.clear(4, row4=("idol_red",))
    table.play(3, Salvage("idol_red", "red", ()))
    assert GAME.result(table.state).places(4) == [1, 3, 3, 2]
    table = given(4, sea=ALONE, ships=[4, 0, 0, 0], hand={0: ("red",)})
    table.clear(4, row4=("idol_red",))
    table.play(0, Salvage("idol_red", "red", ()))
    assert GAME.result(table.state).places(4) == [1, 2, 2, 2]


@pytest.mark.rule("SUB-60")
@pytest.mark.parametrize("limit", [2, 3, 9])
def test_voyages_without_progress_end_the_game(limit):
    table = placed()
    table.state.options = type(table.state.options)(stalemate_voyages=limit)
    for quiet in range(1, limit + 1):
        table.play(0, MoveShip(7), EndTurn())
        table.play(1, MoveShip(7))
        events = table.when(1, EndTurn()).events
        assert events[1] == VoyageEnded(quiet, quiet)
    assert GAME.result(table.state).reason == "stalemate"
    assert GAME.result(table.state).winners == (0, 1)


@pytest.mark.rule("SUB-60")
def test_a_discard_or_a_filled_slot_is_progress_but_a_duplicate_by_joker_is_not():
    def voyage_after(command, **fields):
        table = given(sea=ALONE, ships=[4, 7], quiet=2, pile={1: ()}, **fields)
        table.play(0, command, EndTurn(), MoveShip(7))
        return table, table.when(0, EndTurn()).of(VoyageEnded)[0].quiet

    card, joker = Salvage("idol_red", "red", ()), SalvageWithJoker("idol_red", "shell_red")
    duplicate = {"slots": {0: ["idol_blue"]}}
    assert voyage_after(card)[1] == 0
    assert voyage_after(card, **duplicate)[1] == 0
    assert voyage_after(joker)[1] == 0
    table, quiet = voyage_after(joker, **duplicate)
    assert quiet == 3
    assert table.state.phase == "over"
    assert voyage_after(MoveSub(0, (4, 3)))[1] == 3


@pytest.mark.rule("SUB-61")
def test_a_seat_that_leaves_takes_its_vessels_along_and_its_cards_go_aside():
    table = given(
        3, sea=ALONE, ships=[4, 2, 3], hand={1: ("grey", "red")}, pile={1: ("blue", "red")}
    )
    aside = table.state.aside
    assert table.leave(1).events == [SeatWithdrawn(1, 2, 2)], "the active seat plays on"
    assert table.state.subs[1] == (None,) * 5
    assert table.state.ships == [4, -1, 3]
    assert table.state.aside == (*aside, "red", "grey", "blue", "red")
    assert (table.state.hand[1], table.state.pile[1], table.state.withdrawn) == ((), (), (1,))
    assert table.state.jokers[1] == ("shell_yellow",), "its tokens lie where they were"
    assert (table.state.active, table.state.phase) == (0, "act")
    assert table.view(0).aside == ("?",) * 19
    assert table.legal(1) == []


@pytest.mark.rule("SUB-61")
def test_when_the_active_seat_leaves_play_passes_on_without_a_refill():
    table = given(3, sea=ALONE, ships=[4, 7, 3], hand={0: ("red",)}, pile={1: ()})
    table.leave(0).then(
        SeatWithdrawn(0, 1, 12), TurnEnded(0), TurnSkipped(1), TurnStarted(2, "ship")
    )


@pytest.mark.rule("SUB-61")
def test_a_seat_that_leaves_while_placing_is_passed_over():
    table = reference(3)
    table.leave(0).then(SeatWithdrawn(0, 3, 12), TurnStarted(1, "placing"))
    assert table.copy().leave(2).events[1].reason == "last_seat"
    for _ in range(10):
        table.play(table.state.active, PlaceSub(1))
    assert (table.state.active, table.state.phase, table.state.voyage) == (1, "ship", 1)
    late = reference(3)
    for _ in range(14):
        late.play(late.state.active, PlaceSub(1))
    assert late.leave(2).events[1:] == [TurnStarted(0, "ship")]


@pytest.mark.rule("SUB-61")
def test_leaving_ends_the_voyage_when_all_other_ships_are_off():
    table = given(3, sea=ALONE, active=1, ships=[7, 4, 7])
    assert table.leave(1).events[1:] == [TurnEnded(1), VoyageEnded(1, 1), TurnStarted(2, "ship")]
    assert table.state.ships == [0, -1, 0]
    idle = given(3, sea=ALONE, active=0, phase="break", ships=[7, 4, 7])
    assert idle.leave(1).events == [SeatWithdrawn(1, 3, 12)], "a voyage ends with a turn"
    assert idle.when(0, EndTurn()).events[1] == VoyageEnded(1, 1)
    last = given(3, sea=ALONE, active=1, ships=[7, 4, 7], quiet=2)
    assert last.leave(1).events[-1].reason == "stalemate"


@pytest.mark.rule("SUB-61")
def test_leavers_rank_last_the_first_to_go_at_the_end():
    table = given(4, sea=ALONE, ships=[4, 0, 0, 0], slots={1: all_motifs_except("idol")})
    table.clear(4, row4=("idol_red",))
    table.leave(1)
    table.leave(3)
    ended = table.when(0, Salvage("idol_red", "red", ())).events[-1]
    assert ended.ranks == (1, 4, 2, 3)
    assert ended.motifs == (1, 11, 0, 0)
    assert ended.cards == (12, 0, 13, 0)
    assert ended.jokers == (1, 1, 1, 1)


@pytest.mark.rule("SUB-61")
def test_leaving_tests_whether_the_others_have_cards():
    table = given(3, sea=ALONE, ships=[4, 0, 0], hand={0: (), 1: (), 2: ("red",)})
    table.state.pile = [(), (), ()]
    events = table.leave(2).events
    assert events[0] == SeatWithdrawn(2, 1, 0)
    assert events[1].reason == "cards_spent"


@pytest.mark.rule("SUB-62")
def test_the_last_seat_wins_at_once():
    table = given(sea=ALONE, ships=[4, 0], slots={1: all_motifs_except("idol")})
    ended = table.leave(1).events[-1]
    assert (ended.reason, ended.winners, ended.ranks) == ("last_seat", (0,), (1, 2))
    assert table.state.result.places(2) == [1, 2]


@pytest.mark.rule("SUB-61")
def test_leaving_is_refused_to_who_is_not_there():
    table = given(3, sea=ALONE, ships=[4, 0, 0])
    table.leave(1)
    for seat, code in ((3, "no-such-seat"), (-1, "no-such-seat"), (1, "already-withdrawn")):
        table.leave(seat).refused(code)
    table.leave(2)
    for seat in (0, 1, 5):
        table.leave(seat).refused("game-over")


def test_a_lifted_token_is_found_wherever_it_lies():
    table = given(sea=ALONE, ships=[4, 0])
    table.lay((6, 4), ("shell_blue",))
    table.when(0, Salvage("shell_blue", "blue", ())).refused("token-not-under-ship")
