"""The featured match: public, played by people, and one of the best in turn."""

import msgspec
import pytest

from projections.featured import FRESH_S, TOP, TURN_S, candidates, featured
from projections.summary import Sitter, summary
from projections.views import Lineage
from tests.replay.logs import toy

SECOND = 1_000_000
ADA, BOB, BOT, PROGRAM = Sitter("p_ada"), Sitter("p_bob"), Sitter(bot="strong"), Sitter("b_x")
NOW = 1_800_000_000 * SECOND


def played(match: str, *sitters: Sitter, ago_s: int = 10, **fields):
    shown = {"match": match, "sitters": sitters, "told_at": NOW - ago_s * SECOND, **fields}
    return msgspec.structs.replace(summary(toy().match), **shown)


@pytest.mark.parametrize(
    "fields",
    [
        {"private": True},
        {"status": "waiting"},
        {"status": "finished"},
        {"sitters": (BOT, PROGRAM)},
        {"branch": Lineage("m_p", 3, 0)},
        {"told_at": NOW - (FRESH_S + 1) * SECOND},
    ],
    ids=str,
)
def test_what_is_private_over_without_people_or_quiet_is_never_featured(fields):
    one = played("m_1", ADA, BOB)
    assert candidates([one], NOW) == [one]
    assert candidates([msgspec.structs.replace(one, **fields)], NOW) == []


def test_people_come_before_ratings_and_ratings_before_the_newest_move():
    lone = played("m_lone", ADA, BOT, ago_s=1)
    rated = played("m_rated", ADA, BOB, ago_s=9)
    newer = played("m_newer", ADA, BOB, ago_s=5)
    ratings = {"m_rated": 20.0, "m_lone": 30.0}
    turns = [featured([lone, newer, rated], ratings, turn * TURN_S * SECOND) for turn in range(3)]
    assert turns == [rated, newer, lone]


def test_only_the_first_few_take_turns():
    found = [played(f"m_{number}", ADA, BOB, ago_s=number) for number in range(TOP + 3)]
    turns = {featured(found, {}, turn * TURN_S * SECOND).match for turn in range(2 * TOP)}
    assert turns == {f"m_{number}" for number in range(TOP)}


def test_there_may_be_none():
    assert featured([], {}, NOW) is None
