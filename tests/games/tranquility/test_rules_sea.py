"""The sea and laying islands (TRA-1 to TRA-9)."""

import pytest

from games.tranquility.commands import DiscardTwo, PlayCard
from games.tranquility.components import LAYOUTS
from games.tranquility.events import CardsDiscarded, IslandPlaced
from tests.games.tranquility.table import (
    cards,
    dealt,
    drawn,
    full,
    laid,
    table,
)


def price(grid, card, cell, hand="60 61 62 63"):
    """Return the cost of a card, found by trying, or the refusal of laying it unpaid."""
    given = table(f"{card} {hand}", "70 71", grid=grid)
    for cost in range(5):
        payment = cards(hand)[:cost]
        if not given.trial(0, PlayCard(f"island_{card}", cell, payment)).code:
            return cost
    return given.when(0, PlayCard(f"island_{card}", cell)).code


@pytest.mark.rule("TRA-1")
def test_the_sea_is_six_by_six_read_row_by_row_from_the_bottom():
    layout = LAYOUTS["standard"]
    assert layout.cells == tuple((column, row) for row in range(6) for column in range(6))
    table("40", "70 71").when(0, PlayCard("island_40", (6, 0))).refused("no-such-cell")
    table("40", "70 71").when(0, PlayCard("island_40", (0, 6))).refused("no-such-cell")


@pytest.mark.rule("TRA-1", "TRA-2")
def test_numbers_rise_along_the_chain_whatever_lies_between():
    grid = drawn("""
        . . . . . .
        . . . . . .
        . . 50 . . .
        . . . . . .
        . 20 . . . .
        . . . . . .
    """)
    for number, cell, code in (
        (21, (0, 2), ""),
        (49, (0, 2), ""),
        (20, (0, 2), ""),
        (19, (0, 2), "order-broken"),
        (51, (0, 2), "order-broken"),
        (21, (0, 0), "order-broken"),
        (49, (5, 5), "order-broken"),
        (51, (5, 5), ""),
        (19, (0, 0), ""),
    ):
        given = table(f"{number} 60", "70 71", grid=grid)
        expected = "number-on-board" if number == 20 else code
        assert given.trial(0, PlayCard(f"island_{number}", cell)).code == expected


@pytest.mark.rule("TRA-3")
def test_the_end_of_a_row_touches_the_next_row_and_the_cell_above_does_not():
    grid = laid(i5=12)
    assert price(grid, 14, (0, 1)) == 2
    assert price(grid, 14, (5, 1)) == 0
    assert price(grid, 10, (4, 0)) == 2


@pytest.mark.rule("TRA-4")
def test_the_chain_ends_have_one_neighbour_and_corners_cost_nothing():
    given = table("1 2", "70 71", start="start_2")
    then = given.when(0, PlayCard("island_1", (0, 0)))
    assert then.of(IslandPlaced)[0].cost == 0
    assert price(laid(i1=5), 2, (0, 0)) == 3
    assert price(laid(i34=77), 80, (5, 5)) == 3
    assert price(laid(), 80, (5, 5)) == 0


@pytest.mark.rule("TRA-5")
def test_the_cost_is_the_difference_to_the_nearer_of_two_neighbours():
    grid = laid(i6=20, i8=27)
    assert price(grid, 24, (1, 1)) == 3
    assert price(grid, 22, (1, 1)) == 2
    assert price(grid, 26, (1, 1)) == 1
    assert price(laid(i6=20), 24, (1, 1)) == 4
    assert price(laid(i8=27), 24, (1, 1)) == 3
    assert price(laid(i6=20), 24, (2, 1)) == 0


@pytest.mark.rule("TRA-5")
def test_the_seat_pays_face_down_from_its_own_hand_with_cards_of_its_choice():
    given = table("24 60 61 62 63", "70 71", grid=laid(i6=20, i8=27), piles=["1 2 3 4 5", ""])
    then = given.when(0, PlayCard("island_24", (1, 1), cards("63 60 62")))
    assert then.of(CardsDiscarded) == [CardsDiscarded(0, cards("63 60 62"), 3, "cost")]
    assert given.state.discards == [list(cards("63 60 62")), []]
    assert given.state.hands[0] == list(cards("1 2 3 4 61"))


@pytest.mark.rule("TRA-6")
def test_nobody_pays_more_than_four_or_with_cards_of_the_pile():
    assert price(laid(i12=30), 35, (1, 2)) == "cost-too-high"
    given = table("35 60", "70 71", grid=laid(i12=30, i14=37), piles=["61 62 63", ""])
    command = PlayCard("island_35", (1, 2), cards("60 61"))
    given.when(0, command).refused("card-not-in-hand")
    given.when(0, PlayCard("island_35", (1, 2), cards("60"))).refused("not-enough-cards")


@pytest.mark.rule("TRA-7")
@pytest.mark.parametrize(
    ("difficulty", "count"),
    [
        ("none", 0),
        ("galatea", 4),
        ("triton", 6),
        ("leucothea", 8),
        ("amphitrite", 10),
        ("poseidon", 12),
    ],
)
def test_islands_are_removed_before_the_finishes_come_in(difficulty, count):
    for seed in range(8):
        given, then = dealt(3, seed, difficulty=difficulty, monsters=3)
        assert len(given.state.removed) == len(then.events[0].removed) == count
        assert all(card.startswith("island_") for card in given.state.removed)
        assert sum(map(len, then.events[0].piles)) == 80 - count + 5 + 3


@pytest.mark.rule("TRA-8")
def test_a_gap_too_narrow_to_fill_may_be_left():
    given = table("13 60", "70 71", grid=laid(i5=12))
    then = given.when(0, PlayCard("island_13", (2, 1)))
    assert "voyage_lost" not in str(then.events)
    assert given.state.grid[8].number == 13


@pytest.mark.rule("TRA-9")
def test_a_laid_card_stays_and_its_cell_is_taken():
    given = table("31 60", "70 71", grid=laid(i12=30))
    given.when(0, PlayCard("island_31", (0, 2))).refused("cell-occupied")
    before = given.state.grid[12]
    given.when(0, DiscardTwo(cards("31 60")))
    assert given.state.grid[12] is before


@pytest.mark.rule("TRA-2")
def test_a_sea_with_one_gap_takes_only_the_number_that_fits():
    given = table("10 12 80", "70 71", grid=full(without=(5,)))
    assert not given.trial(0, PlayCard("island_10", (5, 0), cards("80"))).code
    assert not given.trial(0, PlayCard("island_12", (5, 0), cards("80"))).code
    given.when(0, PlayCard("island_80", (5, 0), cards("10"))).refused("order-broken")
