"""What the rows say of a player: results against others, filters, and the rating's course."""

import msgspec
import pytest

from games import GAMES
from projections.profiles import HeadToHead, Profiles
from projections.rebuild import settle_all
from projections.results import against, result_of
from projections.standings import Standing
from projections.summary import Outcome, Sitter
from service.base.problems import Problem
from service.play.listings import Listings, Wanted
from tests.projections.recorded import history

ADA, BOB, EVE = (Sitter(player=f"p_{name}") for name in ("ada", "bob", "eve"))
BOT = Sitter(bot="heuristic")
DUEL, TRIO = ((0,), (1,)), ((0,), (1,), (2,))


def match(number: int, sitters, teams=DUEL, places=(1, 2), winners=(0,), counts=True, **fields):
    """Return a finished match that was opened and ended at a time."""
    outcome = Outcome(number + 500, teams, places, winners, counts)
    return msgspec.structs.replace(
        history(0)[-1],
        match=f"m_{number}",
        opened=number,
        sitters=tuple(sitters),
        outcome=outcome,
        **{"private": False, "branch": None, **fields},
    )


MATCHES = [
    match(1_000, (ADA, BOB)),
    match(2_000, (BOB, ADA)),
    match(3_000, (ADA, BOB), places=(1, 1), winners=()),
    match(4_000, (ADA, BOB, EVE), TRIO, (2, 3, 1), (2,)),
    match(5_000, (ADA, BOT), private=True),
    match(6_000, (ADA, EVE), ((0, 1),), (1, 1), (0, 1)),
    match(7_000, (ADA, BOB), counts=False),
]


@pytest.fixture
async def filled(rows):
    for one in MATCHES:
        await rows.apply(one)
    await settle_all(rows, await rows.generation(), GAMES)
    return rows


def test_a_result_is_that_against_the_best_of_the_others():
    results = [result_of(one, "p_ada") for one in MATCHES]
    assert results == ["won", "lost", "drawn", "lost", "won", "won", "won"]
    assert result_of(MATCHES[0], "p_eve") is None
    assert result_of(history(0)[0], history(0)[-1].sitters[0].player) is None


def test_two_are_compared_by_their_places_whoever_won():
    assert list(against(MATCHES[3], "p_ada")) == [("p_bob", "w"), ("p_eve", "l")]
    assert list(against(MATCHES[4], "p_ada")) == [("bot:heuristic", "W")], "private"
    assert list(against(MATCHES[5], "p_ada")) == [("p_eve", "v")], "in one team"
    assert list(against(MATCHES[6], "p_ada")) == [], "an erratum says that it does not count"


async def test_results_by_opponent_and_the_private_ones_for_the_player_alone(filled):
    profiles = Profiles(filled.client)
    bot = HeadToHead("bot:heuristic", 1, 0, 0, 0, 0)
    bob = HeadToHead("p_bob", 2, 1, 1, 0, 0)
    eve = HeadToHead("p_eve", 0, 1, 0, 1, 1)
    assert await profiles.opponents("p_ada", "", 50, private=True) == ([bot, bob, eve], None)
    assert await profiles.opponents("p_ada", "", 50, private=False) == ([bob, eve], None)
    assert await profiles.opponents("p_ada", "", 2, private=True) == ([bot, bob], "p_bob")
    assert await profiles.opponents("p_ada", "p_bob", 2, private=True) == ([eve], None)
    assert await profiles.opponents("p_ada", "", 1, private=False) == ([bob], "p_bob")
    assert await profiles.opponents("p_nobody", "", 50, private=True) == ([], None)


async def test_the_course_of_a_rating_ends_with_the_standing_and_goes_on_by_pages(filled):
    profiles = Profiles(filled.client)
    whole, rest = await profiles.curve("p_ada", "tranquility", None, 50)
    assert rest is None
    assert [one.match for one in whole] == ["m_6000", "m_4000", "m_3000", "m_2000", "m_1000"]
    rankings = await profiles.rankings("p_ada", ["tranquility", "submarine"])
    assert {one.table for one in rankings} == {"rated", "together"}
    assert all(one.standing == whole[0].standing for one in rankings)
    assert whole[-1].standing.rated == 1
    assert whole[-1].standing.mu > Standing().mu
    paged, after = [], None
    for _ in range(4):
        page, after = await profiles.curve("p_ada", "tranquility", after, 2)
        paged += page
    assert (paged, after) == (whole, None)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Wanted(), [7, 6, 5, 4, 3, 2, 1]),
        (Wanted(game="submarine"), []),
        (Wanted(opponent="p_eve"), [6, 4]),
        (Wanted(opponent="bot:heuristic"), [5]),
        (Wanted(opponent="p_ada"), []),
        (Wanted(result="lost"), [4, 2]),
        (Wanted(result="drawn", opponent="p_bob"), [3]),
        (Wanted(since=3_000, until=6_000), [5, 4, 3]),
        (Wanted(status="running"), []),
    ],
)
async def test_filters_choose_among_a_players_matches(filled, wanted, found):
    listings = Listings(filled.client)
    page = await listings.history("p_ada", wanted, private=True)
    assert [one.match for one in page.matches] == [f"m_{number}000" for number in found]
    assert page.next is None
    pages, after = [], None
    for _ in range(len(found) + 1):
        page = await listings.history("p_ada", wanted, private=True, after=after, count=1)
        pages += [one.match for one in page.matches]
        if (after := page.next) is None:
            break
    assert pages == [f"m_{number}000" for number in found]


async def test_a_private_match_is_in_no_list_of_others(filled):
    listings = Listings(filled.client)
    page = await listings.history("p_ada", Wanted(opponent="bot:heuristic"), private=False)
    assert page.matches == []
    with pytest.raises(Problem):
        await listings.history("p_ada", Wanted(), after="nonsense")
