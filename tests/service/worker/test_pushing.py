"""What is pushed to a browser, when, and for how long, on a real work Redis."""

import asyncio

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from freezegun import freeze_time

from games.match.clocks import SECOND
from projections.notices import EndNotice, InvitationNotice, TalkNotice, TurnNotice
from service.base.base64url import decoded
from service.base.clock import now_micros
from service.base.keys import Keys, SecretFile
from service.base.problems import Problem
from service.play.caller import Caller
from service.play.deliveries import Try
from service.play.outbox import Address, Outbox
from service.play.player_record import Subscription
from service.play.push import SUBSCRIPTIONS_MAX
from service.play.quiet import Quiet
from service.play.webhooks import message
from service.worker import pushing
from service.worker.pushing import remind_at
from service.worker.webhook_feed import WebhookFeed
from service.worker.webhooks import send_round
from tests.e2e.browser import Subscribed

pytestmark = pytest.mark.usefixtures("own_clock")


ENDPOINT = "https://push.example/v1/3hZ9"
HOUR = 3_600 * SECOND
TURN = TurnNotice("m_1", "tranquility", 0, 4, None)
OVER = EndNotice("m_1", "tranquility", 0, "finished", (0,))


class PushService:
    """What arrives at a push service, and the status of each answer."""

    def __init__(self, *statuses):
        self.arrived = []
        self._statuses = iter(statuses)

    async def post(self, url, body, headers, limit_s):
        self.arrived.append((url, body, headers))
        return Try("2026-11-21T12:00:00.000000Z", next(self._statuses, 201), None, 5)

    def read(self, browser):
        return [browser.read(body) for _, body, _ in self.arrived]


@pytest.fixture
def browser():
    return Subscribed(ENDPOINT)


@pytest.fixture
def stands(monkeypatch):
    """Set what players are asked to do."""
    notices = [TURN]

    async def standing(*_):
        return notices

    monkeypatch.setattr(pushing, "_standing", standing)
    return notices


def wanted(browser, *events, endpoint=ENDPOINT, language="en", quiet=None):
    keys = browser.keys
    return Subscription(
        "", "", "", endpoint, keys["p256dh"], keys["auth"], events or ("turn",), language, quiet
    )


async def subscribed(context, browser, *events, **more):
    """Create a player with a subscribed browser."""
    player, _ = await context.players.create("Ada")
    made = await context.push.subscribe(Caller(player), wanted(browser, *events, **more))
    return Address(player, made.id)


async def collect(context, to, *notices):
    """Send notices and collect them, in a later millisecond than the subscription."""
    if notices:
        await asyncio.sleep(0.002)
    await context.notices.send([(to.player, notice) for notice in notices])
    feed = WebhookFeed(context)
    await feed.step()
    for queue in feed._queues.values():
        queue.empty()


async def sent(context, to, *statuses):
    """Send a round, and return what arrived."""
    service = PushService(*statuses)
    await send_round(context, service, to, 1)
    return service


async def state(context, to):
    (one,) = await Outbox(context.work).log(to.target)
    return one.state


async def test_a_turn_is_pushed_encrypted_and_signed(context, browser, stands):
    to = await subscribed(context, browser, language="cs")
    await collect(context, to, TURN)
    service = await sent(context, to)
    ((url, body, headers),) = service.arrived
    assert url == ENDPOINT
    assert b"tahu" not in body
    assert browser.read(body) == {
        "title": "Poklidná plavba",
        "body": "Jste na tahu.",
        "tag": "turn m_1",
        "url": "/match/m_1",
        "turns": 1,
    }
    assert headers["Content-Encoding"] == "aes128gcm"
    assert int(headers["TTL"]) > 0
    assert len(headers["Topic"]) == 32
    scheme, _, parts = headers["Authorization"].partition(" ")
    token, key = (part.split("=", 1)[1] for part in parts.split(", "))
    assert (scheme, key) == ("vapid", context.push.key)
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(key))
    claims = jwt.decode(token, point, ["ES256"], audience="https://push.example")
    assert claims["sub"] == "mailto:ops@play.example"
    assert claims["exp"] <= now_micros() // SECOND + 24 * 3_600


async def test_who_has_seen_a_notice_gets_no_push(context, browser, stands):
    to = await subscribed(context, browser, "turn", "match_over")
    await collect(context, to, OVER)
    ((place, _),) = await context.work.xrange(f"notices:{to.player}")
    await context.notices.note_seen(to.player, place.decode())
    assert (await sent(context, to)).arrived == []
    assert await state(context, to) == "dropped"


async def test_a_turn_that_was_played_meanwhile_is_not_pushed(context, browser, stands):
    to = await subscribed(context, browser)
    await collect(context, to, TURN)
    stands[:] = [TurnNotice("m_1", "tranquility", 0, 6, None)]
    assert (await sent(context, to)).arrived == []


async def test_doubles_collapse_before_they_are_sent(context, browser, stands):
    to = await subscribed(context, browser, "talk")
    talk = [TalkNotice("m_1", "tranquility", 1, "table", f"t_{n}") for n in range(3)]
    await collect(context, to, *talk, TalkNotice("m_2", "tranquility", 1, "table", "t_9"))
    await asyncio.sleep(0.002)
    service = await sent(context, to)
    assert sorted(one["tag"] for one in service.read(browser)) == ["talk m_1", "talk m_2"]
    topics = [headers["Topic"] for _, _, headers in service.arrived]
    assert len(set(topics)) == 2


async def test_an_invitation_names_who_invites(context, browser, stands):
    to = await subscribed(context, browser, "invitation")
    bob, _ = await context.players.create("Bob")
    await collect(context, to, InvitationNotice("i_1", "m_2", "tranquility", bob))
    ((shown),) = (await sent(context, to)).read(browser)
    assert shown["body"] == "Bob invites you to play."
    assert shown["url"] == "/"


async def test_quiet_hours_hold_a_message_back_until_they_end(context, browser, stands):
    with freeze_time("2026-11-21 22:00:00") as clock:
        night = Quiet("22:00", "07:00", "Europe/Prague")
        to = await subscribed(context, browser, quiet=night)
        outbox = Outbox(context.work)
        body = b'{"match":"m_1","game":"tranquility","after":4}'
        await outbox.add(to, [message("msg_1", "turn", now_micros(), body)])
        assert (await sent(context, to)).arrived == []
        assert await outbox.claim("slow_webhooks", 10) == []
        clock.move_to("2026-11-22 06:00:00")
        assert await outbox.claim("slow_webhooks", 10) == [to]
        assert len((await sent(context, to)).arrived) == 1


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_is_gone_is_forgotten(context, browser, stands, status):
    to = await subscribed(context, browser)
    await collect(context, to, TURN)
    await sent(context, to, status)
    assert await context.push.of(Caller(to.player)) == ()
    assert await Outbox(context.work).log(to.target) == []


async def test_a_push_service_that_is_down_loses_nothing(context, browser, stands):
    to = await subscribed(context, browser)
    await collect(context, to, TURN)
    assert len((await sent(context, to, 503)).arrived) == 1
    assert await state(context, to) == "waiting"
    with freeze_time(auto_tick_seconds=0) as clock:
        clock.tick(10)
        (shown,) = (await sent(context, to, 201)).read(browser)
    assert shown["tag"] == "turn m_1"
    assert await state(context, to) == "delivered"


async def test_a_reminder_waits_until_little_time_is_left(context, browser, stands):
    with freeze_time("2026-11-21 12:00:00") as clock:
        to = await subscribed(context, browser, "reminder")
        turn = TurnNotice("m_1", "tranquility", 0, 4, "2026-11-21T17:00:00.000000Z")
        stands[:] = [turn]
        await context.work.xadd(
            f"notices:{to.player}",
            {b"n": b'{"type":"turn","match":"m_1","game":"tranquility","seat":0,"after":4,'
                   b'"deadline":"2026-11-21T17:00:00.000000Z"}'},
            id=f"{now_micros() // 1_000}-1",
        )  # fmt: skip
        await collect(context, to)
        outbox = Outbox(context.work)
        assert await outbox.count(to.target) == 1
        clock.move_to("2026-11-21 15:59:00")
        assert await outbox.claim("slow_webhooks", 10) == []
        clock.move_to("2026-11-21 16:00:00")
        assert await outbox.claim("slow_webhooks", 10) == [to]
        service = await sent(context, to)
        (shown,) = service.read(browser)
        assert shown["tag"] == "reminder m_1"
        assert service.arrived[0][2]["TTL"] == "3600"


def test_a_reminder_comes_with_a_fifth_of_the_time_left_but_no_earlier_than_half_a_day():
    assert remind_at(0, 5 * HOUR) == 4 * HOUR
    assert remind_at(0, 240 * HOUR) == 228 * HOUR
    assert remind_at(0, HOUR // 10) is None


async def test_a_browser_is_subscribed_once_and_a_player_has_few(context, browser):
    player, _ = await context.players.create("Ada")
    first = await context.push.subscribe(Caller(player), wanted(browser))
    again = await context.push.subscribe(Caller(player), wanted(browser, "talk"))
    assert (again.id, again.events) == (first.id, ("talk",))
    for number in range(SUBSCRIPTIONS_MAX - 1):
        await context.push.subscribe(
            Caller(player), wanted(browser, endpoint=f"{ENDPOINT}{number}")
        )
    with pytest.raises(Problem) as refused:
        await context.push.subscribe(Caller(player), wanted(browser, endpoint=f"{ENDPOINT}x"))
    assert refused.value.code == "too-many-subscriptions"


async def test_subscriptions_end_with_the_players_tokens_and_with_the_player(context, browser):
    to = await subscribed(context, browser)
    await context.players.rotate(to.player)
    assert await context.push.of(Caller(to.player)) == ()
    other = await subscribed(context, browser)
    await collect(context, other, TURN)
    await context.erasure.erase(other.player)
    assert await Outbox(context.work).log(other.target) == []
    assert (await context.players.stored(other.player)).subscriptions == ()


def test_the_key_of_an_installation_stays_and_is_its_own():
    files = [SecretFile({"k": "11" * 32}, "k", f"{n}2" * 32, "33" * 32) for n in (2, 2, 4)]
    first, same, other = (Keys(file).push_key().private_numbers().private_value for file in files)
    assert first == same != other
