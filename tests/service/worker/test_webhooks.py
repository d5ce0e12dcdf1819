"""The outbox of webhooks on a real work Redis: at least once, in bounds, and after a loss."""

import asyncio
from base64 import b64decode
from typing import get_args

import pytest
from freezegun import freeze_time

from games.match.clocks import SECOND
from projections.notices import EndNotice, InvitationNotice, Notice, ResetNotice, StartNotice
from service.base.clock import now_micros
from service.play.caller import Caller
from service.play.deliveries import Health, Try
from service.play.outbox import KEPT, ROUND, WAITING_MAX, Address, Outbox
from service.play.player_record import Told
from service.play.webhooks import message, sign
from service.worker.webhooks import send_round
from tests.service.worker.feed import step

pytestmark = pytest.mark.usefixtures("own_clock")


URL = "https://bot.example/"
TO = Address("p_ada", "wh_1")
STARTED = StartNotice("m_1", "tranquility", 0)
OVER = EndNotice("m_1", "tranquility", 0, "finished", (0,))
INVITED = InvitationNotice("i_1", "m_2", "tranquility", "p_bob")


class Posts:
    """What is posted, and the status of each answer."""

    def __init__(self, *statuses):
        self.sent = []
        self._statuses = iter(statuses)

    async def post(self, url, body, headers, limit_s):
        self.sent.append((url, headers["webhook-id"], body.decode()))
        status = next(self._statuses, 200)
        return Try("2026-11-21T12:00:00.000000Z", status, None, 5)


def messages(count, start=0):
    return [message(f"msg_{n:04}", "turn", n, b'{"n":%d}' % n) for n in range(start, start + count)]


@pytest.fixture
def outbox(context):
    return Outbox(context.work)


async def owner_of(context, *events):
    """Create a player with a webhook."""
    player, _ = await context.players.create("Ada")
    made, _ = await context.webhooks.create(Caller(player), URL, events or ("turn", "match_over"))
    return Address(player, made.id)


async def states(outbox, to):
    return {one.id: one.state for one in await outbox.log(to.target)}


def test_webhooks_may_send_all_notices_except_those_about_streams_accounts_and_themselves():
    tags = {kind.__struct_config__.tag for kind in get_args(Notice)}
    left = {ResetNotice.__struct_config__.tag, "device", "webhook_disabled"}
    assert set(get_args(Told)) == tags - left


def test_a_message_is_signed_as_standard_webhooks_has_it():
    """The vector is that of the tests of its reference libraries."""
    key = b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    signed = sign(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, '{"test": 2432232314}')
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


async def test_messages_are_queued_once_and_claimed_once(outbox):
    await outbox.add(TO, messages(2))
    await outbox.add(TO, messages(2))
    assert await outbox.count(TO.target) == 2
    assert await outbox.claim("slow_webhooks", 10) == [TO]
    assert await outbox.claim("slow_webhooks", 10) == []
    assert await outbox.claim("webhooks", 10) == []


async def test_a_round_that_does_not_end_is_begun_again(outbox):
    with freeze_time("2026-11-21 12:00:00") as clock:
        await outbox.add(TO, messages(1))
        assert await outbox.claim("slow_webhooks", 10) == [TO]
        clock.tick(60)
        assert await outbox.claim("slow_webhooks", 10) == []
        clock.tick(61)
        assert await outbox.claim("slow_webhooks", 10) == [TO]


async def test_more_messages_than_allowed_drop_the_oldest_and_the_log_is_trimmed(outbox):
    await outbox.add(TO, messages(WAITING_MAX))
    await outbox.add(TO, messages(KEPT + 50, WAITING_MAX))
    found = await states(outbox, TO)
    waiting = {name for name, state in found.items() if state == "waiting"}
    assert len(waiting) == WAITING_MAX
    assert "msg_0000" not in waiting
    assert f"msg_{WAITING_MAX + KEPT + 49:04}" in waiting
    assert len(found) == WAITING_MAX + KEPT
    assert set(found.values()) == {"waiting", "dropped"}


async def test_a_test_comes_first_and_does_not_wait_for_a_pause(outbox):
    with freeze_time("2026-11-21 12:00:00") as clock:
        down = Health(failures=4, since=1, last=now_micros())
        await outbox.add(TO, messages(1))
        (waiting,) = await outbox.due(TO.target, Health())
        await outbox.put(TO.target, waiting, down)
        await outbox.rest(TO, down)
        clock.tick(1)
        assert await outbox.claim("slow_webhooks", 10) == []
        test = message("msg_test", "test", 1, b"{}")
        assert (await outbox.add_urgent(TO, test)).id == "msg_test"
        again = message("msg_again", "test", 1, b"{}")
        assert (await outbox.add_urgent(TO, again)).id == "msg_test", "it still waits"
        assert await outbox.claim("slow_webhooks", 10) == [TO]
        (due,) = await outbox.due(TO.target, down)
        assert due.delivery.type == "test"


async def test_a_round_ends_with_a_failure_and_goes_on_after_the_pause(context, outbox):
    with freeze_time("2026-11-21 12:00:00") as clock:
        to = await owner_of(context)
        await outbox.add(to, messages(ROUND))
        posts = Posts(200, 500)
        await send_round(context, posts, to, 1)
        assert [name for _, name, _ in posts.sent] == ["msg_0000", "msg_0001"]
        await send_round(context, posts, to, 1)
        assert len(posts.sent) == 2, "it pauses"
        clock.tick(5)
        await send_round(context, posts, to, 1)
        assert [name for _, name, _ in posts.sent[2:]] == ["msg_0002", "msg_0003", "msg_0004"]
        clock.tick(1)
        await send_round(context, posts, to, 1)
        assert posts.sent[-1] == posts.sent[1], "the same message under the same id"
        assert set((await states(outbox, to)).values()) == {"delivered"}


async def test_a_disabled_webhook_is_told_to_its_owner_once(context, outbox):
    to = await owner_of(context)
    await outbox.add(to, messages(3))
    await send_round(context, Posts(410), to, 1)
    assert set((await states(outbox, to)).values()) == {"dropped"}
    [(_, health, waiting)] = await context.webhooks.of(Caller(to.player))
    assert (health.disabled, waiting) == ("gone", 0)
    await context.notices.send([(to.player, STARTED), (to.player, OVER)])
    await step(context)
    assert await outbox.count(to.target) == 0, "nothing is queued while it is disabled"
    told = await context.work.xrange(f"notices:{to.player}")
    assert [b"webhook_disabled" in fields[b"n"] for _, fields in told] == [True, False, False]


async def test_a_deleted_webhook_gets_nothing_more_and_leaves_nothing(context, outbox):
    to = await owner_of(context)
    await outbox.add(to, messages(1))
    await context.players.rotate(to.player)
    posts = Posts()
    await send_round(context, posts, to, 1)
    assert posts.sent == []
    assert [key async for key in context.work.scan_iter(f"webhook:{to.target}*")] == []


async def test_notices_become_messages_of_the_chosen_types(context, outbox):
    await context.notices.send([("p_none", STARTED)])
    to = await owner_of(context, "match_over", "invitation")
    other, _ = await context.players.create("Bob")
    await context.notices.send(
        [(to.player, STARTED), (to.player, OVER), (other, OVER), (to.player, INVITED)]
    )
    await step(context)
    log = await outbox.log(to.target)
    assert sorted(one.type for one in log) == ["invitation", "match_over"]
    await step(context)
    assert len(await outbox.log(to.target)) == 2, "once each"


async def test_what_happened_before_the_webhook_was_made_is_not_sent(context, outbox):
    player, _ = await context.players.create("Ada")
    await context.notices.send([(player, OVER)])
    await asyncio.sleep(0.002)
    made, _ = await context.webhooks.create(Caller(player), URL, ("match_over",))
    await step(context)
    assert await outbox.log(made.id) == []


async def test_several_workers_queue_a_notice_once(context, outbox):
    to = await owner_of(context)
    await step(context)
    await context.notices.send([(to.player, OVER)])
    await asyncio.gather(step(context), step(context))
    assert len(await outbox.log(to.target)) == 1


async def test_an_emptied_work_redis_costs_no_later_notice(context, outbox):
    to = await owner_of(context)
    await step(context)
    await context.work.flushall()
    await context.notices.send([(to.player, OVER)])
    await step(context)
    assert [one.type for one in await outbox.log(to.target)] == ["match_over"]


async def test_a_worker_that_was_away_for_long_misses_nothing(context, outbox):
    """Others have had so many notices that the list of players was trimmed meanwhile."""
    to = await owner_of(context)
    await step(context)
    await context.notices.send([(to.player, OVER)])
    for _ in range(15):
        await context.notices.send([("p_busy", STARTED)] * 200)
    await step(context)
    await step(context)
    assert [one.type for one in await outbox.log(to.target)] == ["match_over"]


async def test_an_erased_player_has_no_webhook(context, outbox):
    to = await owner_of(context)
    await outbox.add(to, messages(1))
    await context.erasure.erase(to.player)
    assert await outbox.log(to.target) == []
    assert not await context.work.sismember("webhooks:owners", to.player)


async def test_a_webhook_is_not_sent_faster_than_its_pace(outbox):
    with freeze_time("2026-11-21 12:00:00") as clock:
        quick = Health(quick=True, last=now_micros())
        await outbox.add(TO, messages(1))
        await outbox.rest(TO, quick)
        assert await outbox.claim("webhooks", 10) == []
        clock.tick(0.2)
        assert await outbox.claim("webhooks", 10) == [TO]
        assert quick.soonest - quick.last == SECOND // 5
