"""Seeks that bots complete, and players who join whatever fits."""

import asyncio
from contextlib import contextmanager

import pytest

from games.match.commands import CreateMatch, PerMove
from service.base.problems import Problem
from service.base.waiting import Signal
from service.play.blocks import Blocks
from service.play.caller import Caller
from service.play.notices import Notices
from service.play.open_seeks import Offer, SeekBots
from service.play.players import Players
from service.play.seek_store import OPEN_MAX, WAITING_FOR_BOTS
from service.play.seeks import LISTED_MAX, Seeks
from tests.service.table import ADA, BOB

EVE = Caller("p_eve")
DUEL = Offer("tranquility", 2, {}, None, None)
TRIO = Offer("tranquility", 3, {}, None, None)
SOON = SeekBots("heuristic", 30)
KEPT_S = 600


@pytest.fixture
def process(start):
    return start()


@pytest.fixture
def opened(process, store, work):
    """Return seeks as another process would open them on the same work Redis."""

    def seeks() -> Seeks:
        blocks = Blocks(Players(store, process.keys))
        return Seeks(work, process.matches, blocks, Notices(work, Signal()))

    return seeks


@pytest.fixture
def seeks(opened):
    return opened()


async def post(seeks, caller=ADA, offer=TRIO, bots=SOON):
    return (await seeks.post(caller, offer, bots, KEPT_S, "")).seek.id


async def players(process, match):
    cached = await process.cache.get(match)
    assert cached.match.status == "running"
    return [chair.player or chair.bot for chair in cached.match.chairs]


@contextmanager
def refused(code):
    with pytest.raises(Problem) as caught:
        yield
    assert caught.value.code == code


async def test_bots_take_the_free_seats_when_their_time_has_come(process, seeks, noon):
    seek = await post(seeks)
    await seeks.take(BOB, seek, "")
    noon.tick(29)
    assert await seeks.due() == []
    noon.tick(2)
    assert await seeks.due() == [seek]
    match = await seeks.fill(seek)
    assert await players(process, match) == ["p_ada", "p_bob", "heuristic"]
    assert await seeks.due() == []
    assert (await seeks.take(BOB, seek, "")).seek.match == match
    with refused("not-found"):
        await seeks.take(EVE, seek, "")


async def test_a_match_under_the_id_of_a_seek_does_not_stand_in_its_way(process, seeks):
    seek = await post(seeks, offer=DUEL, bots=None)
    other = await process.matches.create(ADA, CreateMatch("tranquility", 2, private=True), seek)
    match = (await seeks.take(BOB, seek, "")).seek.match
    assert match not in (None, other.match.header.match)
    assert await players(process, match) == ["p_ada", "p_bob"]


async def test_several_workers_fill_a_seek_once(process, opened, store, noon):
    seek = await post(opened())
    noon.tick(31)
    made = await asyncio.gather(*(opened().fill(seek) for _ in range(4)))
    (match,) = set(made) - {None}
    assert await players(process, match) == ["p_ada", "heuristic", "heuristic"]
    assert [match async for match in store.matches()] == [match]
    assert await opened().fill(seek) is None


async def test_what_was_withdrawn_or_completed_is_not_filled(seeks, store, work, noon):
    withdrawn, completed = await post(seeks), await post(seeks, offer=DUEL)
    await seeks.leave("p_ada", withdrawn)
    await seeks.take(BOB, completed, "")
    assert await work.zcard(WAITING_FOR_BOTS) == 0
    await work.zadd(WAITING_FOR_BOTS, {withdrawn: 1, completed: 1, "s_expired": 1})
    before = [match async for match in store.matches()]
    assert [await seeks.fill(seek) for seek in await seeks.due()] == [None] * 3
    assert [match async for match in store.matches()] == before
    assert await seeks.due() == []


async def test_a_place_that_was_given_up_goes_to_a_bot(process, seeks):
    seek = await post(seeks)
    await seeks.take(BOB, seek, "")
    await seeks.leave("p_bob", seek)
    match = await seeks.fill(seek)
    assert await players(process, match) == ["p_ada", "heuristic", "heuristic"]


async def test_a_failure_on_the_way_is_made_good_by_the_next_try(process, seeks, noon, monkeypatch):
    """Until then nobody takes a place, or gives one up."""
    seek = await post(seeks)
    noon.tick(31)

    async def fail(*_):
        raise Problem(503, "log-unavailable", "The log is down.")

    with monkeypatch.context() as down:
        down.setattr(process.matches, "create", fail)
        with refused("log-unavailable"):
            await seeks.fill(seek)
    assert await seeks.due() == [seek]
    for late in (seeks.take(BOB, seek, ""), seeks.leave("p_ada", seek)):
        with refused("not-found"):
            await late
    match = await seeks.fill(seek)
    assert await players(process, match) == ["p_ada", "heuristic", "heuristic"]


async def join(seeks, caller, offer=DUEL, bots=None):
    return await seeks.join(caller, offer, bots, KEPT_S, "")


async def test_who_joins_takes_what_fits_or_posts_a_seek(seeks):
    posted = await join(seeks, ADA)
    assert (posted.players, posted.seek.match) == (["p_ada"], None)
    assert await join(seeks, ADA) == posted, "the same, however often it is asked"
    taken = await join(seeks, BOB)
    assert (taken.seek.id, taken.players) == (posted.seek.id, ["p_ada", "p_bob"])
    assert taken.seek.match is not None


@pytest.mark.parametrize(
    "other",
    [
        TRIO,
        Offer("submarine", 2, {}, None, None),
        Offer("tranquility", 2, {"variant": "competitive"}, None, None),
        Offer("tranquility", 2, {}, PerMove(seconds=60), None),
        Offer("tranquility", 2, {}, None, 0),
    ],
)
async def test_another_match_does_not_fit(seeks, other):
    await post(seeks, offer=other, bots=None)
    assert (await join(seeks, BOB)).players == ["p_bob"]


async def test_who_wants_no_bots_joins_no_seek_that_they_may_complete(seeks):
    filled = await post(seeks)
    assert (await join(seeks, BOB, TRIO)).players == ["p_bob"]
    assert (await join(seeks, EVE, TRIO, SOON)).seek.id == filled
    last = Caller("p_dan")
    assert (await join(seeks, last, TRIO)).seek.id == filled, "with the last place no bot comes"


async def test_two_who_join_at_once_meet(opened):
    both = await asyncio.gather(join(opened(), ADA), join(opened(), BOB))
    assert len({one.seek.id for one in both}) == 1
    assert sorted(len(one.players) for one in both) == [1, 2]


@pytest.mark.parametrize(
    ("bots", "code"),
    [
        (SeekBots("oracle", 30), "no-such-level"),
        (SeekBots("heuristic", KEPT_S), "malformed"),
    ],
)
async def test_bots_that_cannot_come_are_refused(seeks, bots, code):
    with refused(code):
        await post(seeks, bots=bots)


async def test_whoever_leaves_a_complete_seek_learns_its_match(seeks):
    seek = await post(seeks, offer=DUEL, bots=None)
    match = (await seeks.take(BOB, seek, "")).seek.match
    with pytest.raises(Problem, match=match) as caught:
        await seeks.leave(ADA.player, seek)
    assert (caught.value.status, caught.value.code) == (404, "not-found")
    with pytest.raises(Problem) as caught:
        await seeks.leave(EVE.player, seek)
    assert match not in caught.value.detail, "strangers learn nothing"


async def flood(seeks, count=25):
    """Post more seeks than are listed, no two of them alike."""
    for guest in range(count):
        for number in range(OPEN_MAX):
            offer = Offer("nautilus", 2, {}, None, guest * OPEN_MAX + number)
            await seeks.post(Caller(f"p_guest{guest}"), offer, None, 24 * 3_600, "")


async def test_seeks_of_strangers_hide_no_seek_that_fits(seeks):
    await flood(seeks)
    duel = Offer("nautilus", 2, {}, None, None)
    posted = await join(seeks, ADA, duel)
    assert (await join(seeks, BOB, duel)).seek.id == posted.seek.id


async def test_seeks_of_one_game_hide_no_other_game(seeks):
    posted = await seeks.post(ADA, DUEL, None, KEPT_S, "")
    await flood(seeks)
    listed = await seeks.open(BOB.player, ("nautilus", "tranquility"))
    assert len(listed) == 1 + LISTED_MAX // 2
    assert posted.seek in [one.seek for one in listed]
    assert [one.seek for one in await seeks.of(ADA.player)] == [posted.seek]


async def test_a_seek_that_was_posted_after_the_look_at_the_list_is_joined(opened, monkeypatch):
    """However long the call stood still in between."""
    late, early, posted = opened(), opened(), []
    listed = late._listed

    async def look(*about):
        found = await listed(*about)
        if not posted:
            posted.append(await join(early, ADA))
        return found

    monkeypatch.setattr(late, "_listed", look)
    assert (await join(late, BOB)).seek.id == posted[0].seek.id


async def test_all_meet_of_many_who_join_at_once(opened):
    callers = [Caller(f"p_{number}") for number in range(10)]
    found = await asyncio.gather(*(join(opened(), caller) for caller in callers))
    assert len({one.seek.id for one in found}) == len(callers) // 2


async def test_who_joins_is_not_refused_while_many_others_post(opened, monkeypatch):
    """After some looks a call posts a seek of its own: two seeks are better than none."""
    monkeypatch.setattr("service.play.seeks.LOOKS_MAX", 3)
    seeks, others = opened(), iter(range(100))
    listed = seeks._listed

    async def look(*about):
        found = await listed(*about)
        await opened().post(Caller(f"p_{next(others)}"), TRIO, SOON, KEPT_S, "")
        return found

    monkeypatch.setattr(seeks, "_listed", look)
    assert (await join(seeks, ADA, TRIO)).players == [ADA.player]
