"""New matches get the newest rules, or those that the operator holds them to; old matches keep their own."""

import dataclasses

import pytest

from events.codec import Newer, unseal_header
from games import GAMES
from games.match.commands import CreateMatch, TakeSeat
from service.players import Caller
from service.problems import Problem
from service.rules import openings
from service.settings import BadSetting
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
    process.lives._games = games
    process.matches._games = games
    process.matches._opening = openings(rules, games)
    return process


@pytest.mark.parametrize(
    ("rules", "version"), [("", 2), ("tranquility=1", 1), (" tranquility=2 , ke_dnu=1,", 2)]
)
async def test_a_match_is_opened_under_the_rules_that_are_set(start, rules, version):
    process = released(start, SECOND, rules)
    live = await process.matches.create(ADA, CreateMatch("tranquility", 1), None)
    assert live.match.header.rules == version


@pytest.mark.parametrize(
    ("rules", "word"),
    [
        ("tranquility=3", r"of tranquility there are versions \[1, 2\]"),
        ("tranquility", "there are versions"),
        ("tranquility=-1", "there are versions"),
        ("chess=1", "no game 'chess'"),
    ],
)
def test_rules_that_are_not_here_stop_the_start(rules, word):
    with pytest.raises(BadSetting, match=word):
        openings(rules, GAMES | {"tranquility": SECOND})


async def test_the_same_key_opens_one_match_across_releases(start):
    """The retry may reach the other release."""
    held, free = released(start, SECOND, "tranquility=1"), released(start, SECOND)
    command = CreateMatch("tranquility", 1)
    first = await held.matches.create(ADA, command, "open")
    again = await free.matches.create(ADA, command, "open")
    assert again.match.header == first.match.header


async def test_a_match_whose_rules_are_gone_can_be_read_and_no_more(start):
    process = released(start, FIRST)
    live = await process.matches.create(ADA, CreateMatch("tranquility", 2), None)
    match = live.match.header.match

    later = released(start, THIRD)
    live = await later.lives.get(match)
    assert live.folded.version == 1
    with pytest.raises(Problem) as caught:
        await later.matches.play(live, ADA, TakeSeat(), "sit")
    assert (caught.value.status, caught.value.code) == (503, "rules-version-not-here")
    assert await later.matches.run_clocks(live) == 0


async def test_a_match_of_a_later_release_is_not_for_this_one(start):
    live = await released(start, SECOND).matches.create(ADA, CreateMatch("tranquility", 1), None)
    with pytest.raises(Problem) as caught:
        await released(start, FIRST).lives.get(live.match.header.match)
    assert caught.value.code == "rules-version-not-here"


async def test_a_header_in_a_later_format_is_told_from_a_broken_one(start, store):
    process = released(start, FIRST)
    live = await process.matches.create(ADA, CreateMatch("tranquility", 1), None)
    (line,) = await store.read(live.match.header.match)
    later = line.replace(b'"format":1', b'"format":2,"league":"north"')
    with pytest.raises(Newer, match=r"unsupported record format 2 \(this release reads format 1\)"):
        unseal_header(later)
