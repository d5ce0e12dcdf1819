"""The bot uses only its own view, and wins far more often than chance."""

import pytest

from games.chance import Chance
from games.game import Seen
from games.playout import Watchers, at_random, play_bots, plies, seed_of
from games.tranquility import GAME
from games.tranquility.commands import DiscardTwo, MoveRocks, PlayCard, Pledge
from games.tranquility.model import Offer
from games.tranquility.players.blueprint import FLEET, LATE, PLAYOUTS, budget
from games.tranquility.players.bot import Mind
from games.tranquility.players.outlook import Gap, Outlook, Prospects, find_gaps
from games.tranquility.players.weights import TUNED
from tests.games.tranquility.table import cards, full, table

DEALS = 30
"""Number of deals; the tables in the documentation come from a thousand and more."""


def wins(seats, deals=DEALS, level="heuristic", **options):
    options = GAME.Options(**options)
    return sum(
        play_bots(GAME, seats, options, seed_of(1000 + deal), [level] * seats).result.outcome
        == "won"
        for deal in range(deals)
    )


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
def test_it_wins_most_standard_deals(seats):
    assert wins(seats) >= 0.7 * DEALS


def test_chance_wins_none():
    assert wins(2, 20, "random") == 0


@pytest.mark.parametrize(
    "options",
    [
        {"rocks": True},
        {"monsters": 5},
        {"storms": True, "wilds": 3},
        {"variant": "high_arch"},
        {"variant": "pyramid"},
        {"variant": "day_night", "rocks": True, "monsters": 3, "storms": True, "wilds": 2},
        {"variant": "competitive"},
    ],
    ids=str,
)
def test_it_plays_every_module_to_the_end(options):
    for seats in (2,) if options.get("variant") == "competitive" else (1, 3):
        state = play_bots(GAME, seats, GAME.Options(**options), seed_of(7), ["heuristic"] * seats)
        assert state.result is not None


def test_it_beats_chance_in_the_race():
    options = GAME.Options(variant="competitive")
    won = sum(
        play_bots(GAME, 2, options, seed_of(deal), ["heuristic", "random"]).result.winners == [0]
        for deal in range(10)
    )
    assert won >= 9


def test_a_last_wild_is_laid_in_a_wide_gap_where_nothing_else_may_be_done():
    state = table("wild_1", grid=full(without=range(9, 14)), start="start_1", wilds=1).state
    legal = GAME.legal(state, 0)
    assert {type(command) for command in legal} == {PlayCard}
    seen = Seen(0, 1, state.options, [])
    assert len(legal) > 1
    assert (
        GAME.players.bots["heuristic"](GAME.view(state, 0), seen, legal, Chance(seed_of(1), 1))
        in legal
    )
    assert GAME.players.blueprint.policy(state, 0, Chance(seed_of(1), 1)) in legal


def test_equal_views_get_equal_answers():
    options = GAME.Options(wilds=3)
    watchers = Watchers(GAME, 2, options)
    for state, ply in plies(GAME, 2, options, seed_of(4), at_random(Chance(seed_of(4), 1))):
        watchers.watch(ply)
        for seat in GAME.waiting(state):
            view, seen, legal = GAME.view(state, seat), watchers.seen(seat), GAME.legal(state, seat)
            first = GAME.players.bots["heuristic"](view, seen, legal, Chance(seed_of(1), 1))
            assert first in legal
            assert first == GAME.players.bots["heuristic"](view, seen, legal, Chance(seed_of(2), 1))


def test_the_expert_looks_ahead_with_few_free_cells_or_at_a_calm_table():
    def playouts(**more):
        return budget(GAME.view(table("1 2 3 4 5", "6 7 8 9 10", **more).state, 0))

    late = full(without=range(LATE))
    assert playouts(rocks=True) == 0
    assert playouts(rocks=True, grid=late) == PLAYOUTS
    assert playouts() == playouts(grid=late) == playouts(phase="start_pay") == FLEET
    assert playouts(phase="start_pledge") == playouts(grid=late, phase="start_pledge") == 0
    assert playouts(grid=full()) == PLAYOUTS
    assert playouts(grid=late, variant="competitive") == 0


def test_a_crowded_gap_looks_worse():
    odds = [0.0, *[1.0] * 80]
    roomy = Outlook([*[0] * 18, 40, *[0] * 17], odds, TUNED)
    crowded = Outlook([*[0] * 18, 20, *[0] * 17], odds, TUNED)
    assert roomy.value() > crowded.value()
    assert find_gaps([0, 5, 0, 0]) == [Gap(0, 5, 0, 1), Gap(5, 81, 2, 2)]


def chosen(state, seat=0):
    """Return the bot's command for a seat that remembers nothing."""
    seen = Seen(seat, state.players, state.options, ())
    return GAME.players.bots["heuristic"](
        GAME.view(state, seat), seen, GAME.legal(state, seat), Chance(seed_of(1), 1)
    )


def test_pledges_leave_all_seats_with_equally_many_cards():
    piles = ("1 2 3 4 5 6", "11 12 13", "21 22 23")
    hands = ("31 32 33 34", "41 42 43 44 45", "51 52 53 54 55")
    state = table(
        *hands, piles=piles, start="start_1", phase="start_pledge", pledges=[None] * 3
    ).state
    state.waiting = (0, 1, 2)
    assert [chosen(state, seat).count for seat in (0, 1, 2)] == [4, 2, 2]
    state.pledges[0] = Offer(1, from_deck=False)
    assert [chosen(state, seat).count for seat in (1, 2)] == [3, 4]


def test_a_pledge_is_mended_when_the_sum_is_wrong():
    hands = ("31 32 33 34", "41 42 43 44 45")
    offers = [Offer(3, from_deck=False), Offer(4, from_deck=False)]
    state = table(*hands, start="start_1", phase="start_pledge", pledges=offers).state
    assert chosen(state) == Pledge(4)


def test_a_finish_is_let_go_while_the_piles_hold_others():
    def value(finishes):
        state = table("7 finish_1", "60 61", grid=full(without=(10, 20))).state
        return Mind(state, 0, Prospects([0.0, *[0.5] * 80], finishes), TUNED).value(
            DiscardTwo(cards("7 finish_1"))
        )

    assert value(4.0) > value(1.0) > value(0.0)


def test_rocks_go_where_they_block_least():
    grid = full(without=(1, 8, 9, 13, 14, 15, 16, 25, 26, 30, 31, 32))
    state = table("7 60 62", "70 72", grid=grid, rocks=True, rocks_row=0, phase="rocks").state
    assert chosen(state) == MoveRocks(1)


def test_a_single_cell_is_dear_when_only_far_numbers_may_come():
    grid = [1, 3, 0, 20, *range(21, 53)]
    odds = [0.0] * 81
    near = Outlook(grid, [*odds[:4], 0.6, *odds[5:]], TUNED)
    far = Outlook(grid, [*odds[:7], 0.6, *odds[8:]], TUNED)
    gap = near.gaps[0]
    assert near.worth(gap) > far.worth(gap) > far.worth(gap, without=(7,))


def test_cards_for_one_gap_are_missed_more_together():
    state = table("10 11 60 61", "70", grid=full(without=(4, 5, 6)), start="start_1").state
    mind = Mind(state, 0, Prospects([0.0, *[0.2] * 80], 3.0), TUNED)
    ten, eleven = mind.loss(("island_10",)), mind.loss(("island_11",))
    assert mind.loss(("island_10", "island_11")) > ten + eleven


def test_a_payment_is_spread_over_the_gaps():
    """Any one number for a wide gap is missed little, as long as the others stay."""
    grid = full(without=(13, 14, 15, 20, 21, 22))
    hand = "27 29 31 41 43 45 2 4 6 8 finish_1"
    state = table(hand, grid=grid, start="start_1", phase="start_pay", paid=[False]).state
    state.pledges = [Offer(8, from_deck=False)]
    paid = {*chosen(state).cards}
    assert len(paid & {*cards("27 29 31")}) == 2
    assert len(paid & {*cards("41 43 45")}) == 1
