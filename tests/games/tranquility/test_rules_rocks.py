"""Jagged rocks (TRA-36 to TRA-40)."""

import pytest

from games.tranquility import GAME
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
from tests.games.tranquility.board import (
    cards,
    dealt,
    drawn_by,
    full,
    kinds,
    laid,
    only,
    phase,
    play,
    refusal,
    storm,
    table,
)


def rocky(*hands, row=3, **more):
    return table(*hands, rocks=True, rocks_row=row, **more)


def rows_filled(count, missing=()):
    """Fill the lowest rows."""
    return full(without=(*range(6 * count, 36), *missing))


@pytest.mark.rule("TRA-36")
def test_rocks_start_on_a_random_row_that_refuses_cards():
    assert {dealt(2, seed, rocks=True)[0].rocks_row for seed in range(60)} == set(range(6))
    assert dealt(2)[0].rocks_row == -1
    state = rocky("40 41", "50 51")
    assert refusal(state, 0, PlayCard("island_40", (2, 3))) == "row-blocked"
    assert refusal(state, 0, PlayCard("island_40", (2, 2))) is None
    assert all(
        command.cell[1] != 3 for command in GAME.legal(state, 0) if isinstance(command, PlayCard)
    )


@pytest.mark.rule("TRA-36")
def test_a_monster_cannot_be_played_into_their_row():
    state = rocky("monster_1 41", "50 51", grid=laid(i18=40, i24=50), monsters=3)
    assert refusal(state, 0, PlayMonster("monster_1", (0, 3))) == "row-blocked"
    assert refusal(state, 0, PlayMonster("monster_1", (0, 4))) is None


@pytest.mark.rule("TRA-37")
def test_after_every_action_the_rocks_move_or_are_paid_for_before_the_draw():
    state = rocky("1 2 3 4 5", "50 51", piles=["71 72 73 74 75", ""])
    events = play(state, 0, DiscardTwo(cards("1 2")))
    assert kinds(events) == ["cards_discarded", "phase_entered"]
    assert phase(events) == ("rocks", (0,))
    assert len(state.hands[0]) == 3
    moved = state.copy()
    events = play(moved, 0, MoveRocks(5))
    assert events[0] == RocksMoved(0, 5)
    assert moved.rocks_row == 5
    assert drawn_by(events) == [(0, cards("71 72"))]
    events = play(state, 0, KeepRocks(cards("5 3")))
    assert events[:2] == [CardsDiscarded(0, cards("5 3"), 2, "rocks"), RocksKept(0)]
    assert state.rocks_row == 3
    assert drawn_by(events) == [(0, cards("71 72 73 74"))]


@pytest.mark.rule("TRA-37")
def test_the_new_row_is_another_one_with_a_free_cell():
    state = rocky("1 2", "50 51", phase="rocks", grid=rows_filled(1))
    for row, code in ((3, "same-row"), (0, "row-full"), (6, "no-such-row"), (-1, "no-such-row")):
        assert refusal(state, 0, MoveRocks(row)) == code
    listed = {command.row for command in GAME.legal(state, 0) if isinstance(command, MoveRocks)}
    assert listed == {1, 2, 4, 5}


@pytest.mark.rule("TRA-37")
def test_after_a_start_the_active_seat_moves_them_when_all_have_paid():
    state = rocky("start_1 1 2 3 4", "10 20 30 40", piles=["71 72 73", "60 61 62"])
    play(state, 0, PlayStart("start_1"))
    state.phase = "start_pay"
    state.pledges = [Offer(4, from_deck=False), Offer(4, from_deck=False)]
    assert phase(play(state, 0, PayStart(cards("1 2 3 4")))) == ("start_pay", (1,))
    assert phase(play(state, 1, PayStart(cards("10 20 30 40")))) == ("rocks", (0,))
    events = play(state, 0, MoveRocks(0))
    assert [seat for seat, _ in drawn_by(events)] == [0, 1]


@pytest.mark.rule("TRA-38")
def test_the_fourth_full_row_ends_the_rocks_at_once():
    grid = rows_filled(4, missing=(23,))
    state = rocky("47 48 60", "50 51", row=4, grid=grid, piles=["71 72", ""])
    events = play(state, 0, PlayCard("island_47", (5, 3), cards("60 48")))
    assert only(events, RocksRemoved)
    assert kinds(events)[:4] == [
        "island_placed",
        "cards_discarded",
        "rocks_removed",
        "draws_queued",
    ]
    assert (state.rocks_row, state.rocks_done) == (-1, True)


@pytest.mark.rule("TRA-38")
def test_three_full_rows_are_not_enough_and_gone_rocks_stay_gone():
    state = rocky("70 71", "50 51", row=4, grid=rows_filled(3))
    assert phase(play(state, 0, DiscardTwo(cards("70 71"))))[0] == "rocks"
    state = table(
        "monster_1 70", "50 51", rocks=True, rocks_done=True, monsters=3, grid=rows_filled(4)
    )
    events = play(state, 0, PlayMonster("monster_1", (0, 0)))
    assert phase(events) == ("action", (1,))
    assert state.rocks_row == -1


@pytest.mark.rule("TRA-39")
def test_who_cannot_pay_two_cards_must_move_them():
    state = rocky("1 monster_1", "50 51", phase="rocks", monsters=3, grid=rows_filled(3))
    listed = GAME.legal(state, 0)
    assert listed == [MoveRocks(4), MoveRocks(5)]
    assert refusal(state, 0, KeepRocks(("island_1", "monster_1"))) == "monster-cannot-be-discarded"


@pytest.mark.rule("TRA-40")
def test_rocks_may_share_a_row_with_a_purple_storm():
    state = rocky("1 2", "50 51", phase="rocks", storms=True)
    state.storms = [storm("storm_purple_1", row=1)]
    assert refusal(state, 0, MoveRocks(1)) is None
