"""Matches that nobody completes end by themselves."""

from types import SimpleNamespace

import pytest

from events.tiered_store import TieredStore
from games.match.commands import CreateMatch, TakeSeat
from service.base.clock import DAY_S
from service.base.settings import Settings
from service.play.caller import Caller
from service.play.listings import Listings
from service.process.expiry import expire_due
from tests.service.process.rebuilt import built
from tests.service.table import ADA, BOB


@pytest.fixture
def context(start, store, work):
    process = start()
    return SimpleNamespace(
        store=TieredStore(store, None),
        settings=Settings(waiting_s=DAY_S),
        work=work,
        cache=process.cache,
        matches=process.matches,
    )


async def test_a_match_that_waited_too_long_is_abandoned_and_recorded(context, store, work, noon):
    waiting = await context.matches.create(ADA, CreateMatch("tranquility", 2), "waiting")
    private = await context.matches.create(
        ADA, CreateMatch("tranquility", 2, private=True), "private"
    )
    running = await context.matches.create(ADA, CreateMatch("tranquility", 2), "running")
    for caller, seat in ((ADA, 0), (BOB, 1)):
        await context.matches.play(running, caller, TakeSeat(seat), None)
    noon.tick(DAY_S - 1)
    young = await context.matches.create(ADA, CreateMatch("tranquility", 2), "young")
    await built(store, work)
    assert await expire_due(context) == 0
    noon.tick(2)
    assert await expire_due(context) == 2
    assert [one.match.status for one in (waiting, private)] == ["abandoned"] * 2
    assert [one.match.status for one in (running, young)] == ["running", "waiting"]
    last = (await store.read(waiting.match.header.match))[-1]
    assert b'"by":{"operator":"p_expiry"}' in last
    assert b"match_abandoned" in last
    assert await expire_due(context) == 0, "though the rows still say that they wait"
    await built(store, work)
    for status, listed in (("waiting", young), ("abandoned", waiting)):
        page = await Listings(work).lobby(status=status)
        assert [one.match for one in page.matches] == [listed.match.header.match]


async def test_a_match_that_starts_in_the_meantime_goes_on(context, store, work, noon):
    late = await context.matches.create(ADA, CreateMatch("tranquility", 1), "late")
    await built(store, work)
    noon.tick(DAY_S + 1)
    await context.matches.play(late, ADA, TakeSeat(), None)
    assert await expire_due(context) == 0
    assert late.match.status == "running"


async def test_no_match_expires_if_the_setting_says_so(context, store, work, noon):
    await context.matches.create(Caller("p_eve"), CreateMatch("tranquility", 2), "waiting")
    await built(store, work)
    noon.tick(100 * DAY_S)
    context.settings = Settings(waiting_s=0)
    assert await expire_due(context) == 0
