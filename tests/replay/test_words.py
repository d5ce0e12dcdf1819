"""A diff in words: what a person at the table would say, and nothing that the views do not show."""

import msgspec
import pytest

from games import GAMES
from replay.history import History
from replay.words import by_seat, words
from tests.corpus import load, recorded_of
from tests.games.match.toy import TOY

TRANQUILITY = GAMES["tranquility"]


def said(before, after, game=TRANQUILITY):
    return words(game, {"state": before}, {"state": after})


def test_a_seats_things_are_said_together():
    """The card left seat 2's hand, and the pile went down."""
    before = {"hands": [[], [], ["seal", "crab"]], "piles": [[], [], ["?"] * 14]}
    after = {"hands": [[], [], ["crab"]], "piles": [[], [], ["?"] * 13]}
    assert said(before, after) == ["seat 2's hands: −seal; piles: 14→13"]


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ({"turn": 3}, {"turn": 4}, "turn: 3→4"),
        ({"open": False}, {"open": True}, "open: no→yes"),
        ({"winner": None}, {"winner": 2}, "winner: none→2"),
        ({"at": [3, 4]}, {"at": [3, 5]}, "at: [3,4]→[3,5]"),
        ({"damage": [0, 0, 0, 1]}, {"damage": [0, 0, 2, 1]}, "damage 2: 0→2"),
        ({"shop": ["a", "b"]}, {"shop": ["b", "c"]}, "shop: −a +c"),
        ({"shop": ["a", "b"]}, {"shop": ["b", "a"]}, "shop: in another order"),
        ({"shop": ["a"]}, {"shop": ["a", "x", "x"]}, "shop: +x ×2"),
        ({"shop": list("abcdef")}, {"shop": list("abcde")}, "shop: −f (6→5)"),
        ({"slots": {"a": 1}}, {"slots": {"a": 1, "b": 2}}, "slots b: +2"),
        ({"slots": {"a": 1}}, {"slots": {}}, "slots a: −1"),
        ({"waiting": [0]}, {"waiting": [1, 2]}, "waiting: seat 0→seat 1 and seat 2"),
        ({"waiting": [0]}, {"waiting": []}, "waiting: seat 0→nobody"),
    ],
)  # fmt: skip
def test_a_change_is_one_short_line(before, after, line):
    assert said(before, after) == [line]


def test_things_with_names_are_told_apart_by_them():
    before = {"board": [{"card": "rose", "tired": False}, {"card": "anchor", "tired": False}]}
    after = {"board": [{"card": "anchor", "tired": True}]}
    assert said(before, after) == ["board: −rose; board anchor tired: no→yes"]


def test_numbers_and_clocks_that_always_change_are_left_out():
    before = {
        "version": 1,
        "head": "a",
        "at": "x",
        "clocks": [1],
        "seats": [{"clock": 1, "left": False}],
    }
    after = {
        "version": 2,
        "head": "b",
        "at": "y",
        "clocks": [2],
        "seats": [{"clock": 2, "left": True}],
    }
    assert words(TOY, before, after) == ["seat 0's left: no→yes"]


@pytest.mark.parametrize("slug", GAMES)
def test_each_game_has_lists_by_seat(slug):
    assert by_seat(GAMES[slug]) > {"seats", "chairs"}


@pytest.mark.parametrize("slug", GAMES)
def test_recorded_matches_are_told_in_short_lines(slug):
    """For each sight, every record that changes the game is described, in short lines."""
    history = History(GAMES, load(min(recorded_of(slug))))
    for sight in ("full", 0, None):
        past = history.plain(sight, 1)
        for number in range(2, history.last(sight) + 1):
            now = history.plain(sight, number)
            lines = words(GAMES[slug], past, now)
            assert all(0 < len(line) < 2_000 for line in lines), lines
            part = "state" if sight == "full" else "view"
            if past[part] != now[part]:
                assert lines, (sight, number)
            past = now
    assert msgspec.json.encode(lines)
