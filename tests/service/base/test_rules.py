"""New matches get the newest rules, or those that the operator set; old matches keep their own."""

import dataclasses

import pytest

from events.codec import Newer, unseal_header
from games import GAMES
from games.match.commands import CreateMatch, TakeSeat
from service.base.problems import Problem
from service.base.rules import offered_games
from service.base.settings import BadSetting
from service.play.caller import Caller
from tests.e2e import next_release

ADA = Caller("p_ada")
FIRST = GAMES["tranquility"]
SECOND = next_release.second(FIRST)
THIRD = dataclasses.replace(SECOND, version=3, earlier=(SECOND,))
"""It has forgotten the first."""


def released(start, game, rules=""):
    """Start a process of a release that has this game."""
    process = start()
    games = GAMES | {"tranquility": game}
    process.cache._games = games
    process.matches._games = games
    process.matches._offered = offered_games(rules, games)
    return process


@pytest.mark.parametrize(
    ("rules", "version"), [("", 2), ("tranquility=1", 1), (" tranquility=2 , ke_dnu=1,", 2)]
)
async def test_a_match_is_opened_under_the_rules_that_are_set(start, rules, version):
    process = released(start, SECOND, rules)
    cached = await process.matches.create(ADA, CreateMatch("tranquility", 1), None)
    assert cached.match.header.rules == version


@pytest.mark.parametrize(
    ("rules", "word"),
    [
        ("tranquility=3", r"this release has \[1, 2\] of tranquility"),
        ("tranquility", "this release has"),
        ("tranquility=-1", "this release has"),
        ("chess=1", "Unknown game 'chess'"),
    ],
)
def test_rules_that_are_not_here_stop_the_start(rules, word):
    with pytest.raises(BadSetting, match=word):
        offered_games(rules, GAMES | {"tranquility": SECOND})


async def test_the_same_key_opens_one_match_across_releases(start):
    """The retry may reach the other release."""
    held, free = released(start, SECOND, "tranquility=1"), released(start, SECOND)
    command = CreateMatch("tranquility", 1)
    first = await held.matches.create(ADA, command, "open")
    again = await free.matches.create(ADA, command, "open")
    assert again.match.header == first.match.header


async def test_a_match_whose_rules_are_gone_can_be_read_and_no_more(start):
    process = released(start, FIRST)
    cached = await process.matches.create(ADA, CreateMatch("tranquility", 2), None)
    match = cached.match.header.match

    later = released(start, THIRD)
    cached = await later.cache.get(match)
    assert cached.folded.version == 1
    with pytest.raises(Problem) as caught:
        await later.matches.play(cached, ADA, TakeSeat(), "sit")
    assert (caught.value.status, caught.value.code) == (503, "rules-version-not-here")
    assert await later.matches.run_clocks(cached) == 0


async def test_a_match_of_a_later_release_is_not_for_this_one(start):
    cached = await released(start, SECOND).matches.create(ADA, CreateMatch("tranquility", 1), None)
    with pytest.raises(Problem) as caught:
        await released(start, FIRST).cache.get(cached.match.header.match)
    assert caught.value.code == "rules-version-not-here"


async def test_a_header_in_a_later_format_is_told_from_a_broken_one(start, store):
    process = released(start, FIRST)
    cached = await process.matches.create(ADA, CreateMatch("tranquility", 1), None)
    (line,) = await store.read(cached.match.header.match)
    later = line.replace(b'"format":2', b'"format":3,"league":"north"')
    with pytest.raises(Newer, match="unsupported record format 3"):
        unseal_header(later)
