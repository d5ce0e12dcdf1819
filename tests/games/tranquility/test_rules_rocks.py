"""Jagged rocks (TRA-36 to TRA-40)."""

import pytest

from games.tranquility.commands import (
    DiscardTwo,
    KeepRocks,
    MoveRocks,
    PayStart,
    PlayCard,
    PlayMonster,
    PlayStart,
)
from games.tranquility.events import CardsDiscarded, RocksKept, RocksMoved, RocksRemoved
from games.tranquility.model import Offer
from tests.games.tranquility.table import (
    cards,
    dealt,
    drawn_by,
    full,
    laid,
    phase,
    storm,
    table,
)


def rocky(*hands, row=3, **more):
    return table(*hands, rocks=True, rocks_row=row, **more)


def rows_filled(count, missing=()):
    """Build a sea whose lowest rows are full."""
    return full(without=(*range(6 * count, 36), *missing))


@pytest.mark.rule("TRA-36")
def test_rocks_start_on_a_random_row_that_refuses_cards():
    assert {dealt(2, seed, rocks=True)[0].state.rocks_row for seed in range(60)} == set(range(6))
    assert dealt(2)[0].state.rocks_row == -1
    given = rocky("40 41", "50 51")
    given.when(0, PlayCard("island_40", (2, 3))).refused("row-blocked")
    assert not given.trial(0, PlayCard("island_40", (2, 2))).code
    assert all(command.cell[1] != 3 for command in given.legal(0) if isinstance(command, PlayCard))


@pytest.mark.rule("TRA-36")
def test_a_monster_cannot_be_played_into_their_row():
    given = rocky("monster_1 41", "50 51", grid=laid(i18=40, i24=50), monsters=3)
    given.when(0, PlayMonster("monster_1", (0, 3))).refused("row-blocked")
    assert not given.trial(0, PlayMonster("monster_1", (0, 4))).code


@pytest.mark.rule("TRA-37")
def test_after_every_action_the_rocks_move_or_are_paid_for_before_the_draw():
    given = rocky("1 2 3 4 5", "50 51", piles=["71 72 73 74 75", ""])
    then = given.when(0, DiscardTwo(cards("1 2")))
    assert then.names == ["cards_discarded", "phase_entered"]
    assert phase(then) == ("rocks", (0,))
    assert len(given.state.hands[0]) == 3
    moved = given.copy()
    then = moved.when(0, MoveRocks(5))
    assert then.events[0] == RocksMoved(0, 5)
    assert moved.state.rocks_row == 5
    assert drawn_by(then) == [(0, cards("71 72"))]
    then = given.when(0, KeepRocks(cards("5 3")))
    assert then.events[:2] == [CardsDiscarded(0, cards("5 3"), 2, "rocks"), RocksKept(0)]
    assert given.state.rocks_row == 3
    assert drawn_by(then) == [(0, cards("71 72 73 74"))]


@pytest.mark.rule("TRA-37")
def test_the_new_row_is_another_one_with_a_free_cell():
    given = rocky("1 2", "50 51", phase="rocks", grid=rows_filled(1))
    for row, code in ((3, "same-row"), (0, "row-full"), (6, "no-such-row"), (-1, "no-such-row")):
        assert given.trial(0, MoveRocks(row)).code == code
    listed = {command.row for command in given.legal(0) if isinstance(command, MoveRocks)}
    assert listed == {1, 2, 4, 5}


@pytest.mark.rule("TRA-37")
def test_after_a_start_the_active_seat_moves_them_when_all_have_paid():
    given = rocky("start_1 1 2 3 4", "10 20 30 40", piles=["71 72 73", "60 61 62"])
    given.when(0, PlayStart("start_1"))
    given.state.phase = "start_pay"
    given.state.pledges = [Offer(4, from_deck=False), Offer(4, from_deck=False)]
    assert phase(given.when(0, PayStart(cards("1 2 3 4")))) == ("start_pay", (1,))
    assert phase(given.when(1, PayStart(cards("10 20 30 40")))) == ("rocks", (0,))
    then = given.when(0, MoveRocks(0))
    assert [seat for seat, _ in drawn_by(then)] == [0, 1]


@pytest.mark.rule("TRA-38")
def test_the_fourth_full_row_ends_the_rocks_at_once():
    grid = rows_filled(4, missing=(23,))
    given = rocky("47 48 60", "50 51", row=4, grid=grid, piles=["71 72", ""])
    then = given.when(0, PlayCard("island_47", (5, 3), cards("60 48")))
    assert then.of(RocksRemoved)
    assert then.names[:4] == [
        "island_placed",
        "cards_discarded",
        "rocks_removed",
        "draws_queued",
    ]
    assert (given.state.rocks_row, given.state.rocks_done) == (-1, True)


@pytest.mark.rule("TRA-38")
def test_three_full_rows_are_not_enough_and_gone_rocks_stay_gone():
    given = rocky("70 71", "50 51", row=4, grid=rows_filled(3))
    assert phase(given.when(0, DiscardTwo(cards("70 71"))))[0] == "rocks"
    given = table(
        "monster_1 70", "50 51", rocks=True, rocks_done=True, monsters=3, grid=rows_filled(4)
    )
    then = given.when(0, PlayMonster("monster_1", (0, 0)))
    assert phase(then) == ("action", (1,))
    assert given.state.rocks_row == -1


@pytest.mark.rule("TRA-39")
def test_who_cannot_pay_two_cards_must_move_them():
    given = rocky("1 monster_1", "50 51", phase="rocks", monsters=3, grid=rows_filled(3))
    listed = given.legal(0)
    assert listed == [MoveRocks(4), MoveRocks(5)]
    given.when(0, KeepRocks(("island_1", "monster_1"))).refused("monster-cannot-be-discarded")


@pytest.mark.rule("TRA-40")
def test_rocks_may_share_a_row_with_a_purple_storm():
    given = rocky("1 2", "50 51", phase="rocks", storms=True)
    given.state.storms = [storm("storm_purple_1", row=1)]
    assert not given.trial(0, MoveRocks(1)).code
