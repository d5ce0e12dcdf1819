"""The bot knows its view alone, and wins far more often than chance."""

import time

import pytest

from games.chance import Chance
from games.playout import Watchers, at_random, play_bots, plies, seed_of
from games.tranquility import GAME
from games.tranquility.outlook import Gap, Outlook, Weights, find_gaps

DEALS = 30
"""Few deals: the tables in the documentation come from a thousand and more."""


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


def test_equal_views_get_equal_answers_and_soon():
    options = GAME.Options(wilds=3)
    watchers = Watchers(GAME, 2, options)
    slowest = 0.0
    for state, ply in plies(GAME, 2, options, seed_of(4), at_random(Chance(seed_of(4), 1))):
        watchers.watch(ply)
        for seat in GAME.waiting(state):
            view, seen, legal = GAME.view(state, seat), watchers.seen(seat), GAME.legal(state, seat)
            began = time.perf_counter()
            first = GAME.bots["heuristic"](view, seen, legal, Chance(seed_of(1), 1))
            slowest = max(slowest, time.perf_counter() - began)
            assert first in legal
            assert first == GAME.bots["heuristic"](view, seen, legal, Chance(seed_of(2), 1))
    assert slowest < 0.5


def test_a_crowded_gap_looks_worse():
    weights = Weights()
    odds = [0.0, *[1.0] * 80]
    roomy = Outlook([*[0] * 18, 40, *[0] * 17], odds, weights)
    crowded = Outlook([*[0] * 18, 20, *[0] * 17], odds, weights)
    assert roomy.value() > crowded.value()
    assert find_gaps([0, 5, 0, 0]) == [Gap(0, 5, 0, 1), Gap(5, 81, 2, 2)]
