"""What is mailed to a player, when, and what becomes of it, on a real work Redis."""

import asyncio

import msgspec
import pytest
from freezegun import freeze_time
from msgspec.structs import replace

from projections.notices import EndNotice, InvitationNotice, TalkNotice, TurnNotice
from projections.rows import NOTICES
from service.base.clock import now_micros
from service.base.problems import Problem
from service.play.mailboxes import HOURLY_MAX, VALID_S, Choice, normal
from service.play.outbox import Address, Outbox
from service.play.quiet import Quiet
from service.worker import pushing
from service.worker.mailer import Mailer, is_gone
from service.worker.mailing import mail_round
from tests.e2e.mail_server import link_of, mail_serving, text_of, token_of
from tests.service.worker.feed import step

pytestmark = pytest.mark.usefixtures("own_clock")


ADDRESS = "ada@play.example"
NOON = "2026-11-21 12:00:00"
TURN = TurnNotice("m_1", "tranquility", 0, 4, None)
OTHER_TURN = TurnNotice("m_2", "submarine", 0, 7, None)
OVER = EndNotice("m_1", "tranquility", 0, "finished", (0,))


@pytest.fixture
def stands(monkeypatch):
    """Set what players are asked to do."""
    notices = [TURN, OTHER_TURN]

    async def standing(*_):
        return notices

    monkeypatch.setattr(pushing, "_standing", standing)
    return notices


@pytest.fixture
def server():
    with mail_serving() as server:
        yield server


async def added(context, address=ADDRESS, name="Ada"):
    """Create a player with an unconfirmed address."""
    player, _ = await context.players.create(name)
    made = await context.mailboxes.add(player, address, "en")
    return Address(player, made.id)


async def send(context, server, to):
    """Send a round, and return what arrived in it."""
    before = len(server.arrived)
    mailer = Mailer(replace(context.settings, smtp_port=server.port))
    await mail_round(context, mailer, to)
    await mailer.close()
    return server.arrived[before:]


async def confirmed(context, server, *events, **more):
    """Create a player with a confirmed address."""
    to = await added(context)
    (mail,) = await send(context, server, to)
    await context.mailboxes.confirm(token_of(mail))
    choice = {"events": events, "pace": "each", "quiet": None, "language": "en", **more}
    await context.mailboxes.choose(to.player, Choice(**choice))
    return to


async def collect(context, to, *notices):
    """Send notices at the time of the test's clock, and collect them."""
    await asyncio.sleep(0.002)
    time = now_micros() // 1_000
    for number, notice in enumerate(notices):
        data = msgspec.json.encode(notice)
        await context.work.xadd(f"{NOTICES}:{to.player}", {b"n": data}, id=f"{time}-{number + 1}")
    await context.work.xadd(NOTICES, {b"p": to.player})
    await step(context)


async def states(context, to):
    return [one.state for one in await Outbox(context.work).log(to.target)]


async def asked(context, server, to):
    """Ask for a sign-in link, and return what was mailed."""
    await context.mailboxes.ask(ADDRESS)
    await step(context)
    return await send(context, server, to)


async def refused(call):
    with pytest.raises(Problem) as caught:
        await call
    return caught.value.code


async def test_a_link_confirms_an_address_and_a_link_signs_in_once(context, server):
    to = await added(context)
    (mail,) = await send(context, server, to)
    assert link_of(mail).startswith("https://play.example/mail#confirm.")
    assert "<a href" in text_of(mail, "html")
    assert mail["Message-ID"].endswith("@play.example>")
    assert "List-Unsubscribe" not in mail
    assert await asked(context, server, to) == [], "not confirmed yet"
    await context.mailboxes.confirm(token_of(mail))
    (link,) = await asked(context, server, to)
    token = token_of(link)
    assert await refused(context.mailboxes.confirm(token)) == "wrong-link"
    assert await context.mailboxes.use(token) == to.player
    assert await refused(context.mailboxes.use(token)) == "wrong-link"
    for wrong in ("", "x", "a.b.c.d", token[:-1] + ("A" if token[-1] != "A" else "B")):
        assert await refused(context.mailboxes.use(wrong)) == "wrong-link"


async def test_a_link_ends_with_its_time_its_address_and_its_player(context, server):
    with freeze_time(NOON, real_asyncio=True) as clock:
        to = await confirmed(context, server)
        (late,) = await asked(context, server, to)
        clock.tick(VALID_S + 1)
        assert await refused(context.mailboxes.use(token_of(late))) == "wrong-link"
        (link,) = await asked(context, server, to)
        await context.mailboxes.delete(to.player)
        assert await refused(context.mailboxes.use(token_of(link))) == "wrong-link"
    to = Address(to.player, (await context.mailboxes.add(to.player, ADDRESS, "en")).id)
    (mail,) = await send(context, server, to)
    await context.erasure.erase(to.player)
    assert await refused(context.mailboxes.confirm(token_of(mail))) == "wrong-link"
    assert await asked(context, server, to) == []
    async for key in context.work.scan_iter():
        assert ADDRESS.encode() not in key


async def test_an_address_leads_to_one_player_and_to_none_after_all_credentials_ended(
    context, server
):
    to = await confirmed(context, server)
    other = await added(context, ADDRESS.upper().replace("PLAY.EXAMPLE", "play.example"), "Eve")
    (mail,) = await send(context, server, other)
    assert await refused(context.mailboxes.confirm(token_of(mail))) == "mail-taken"
    again = context.mailboxes.add(to.player, "else@play.example", "en")
    assert await refused(again) == "too-many-mail-addresses"
    await context.players.rotate(to.player)
    assert await context.mailboxes.of(to.player) is None
    await context.mailboxes.confirm(token_of(mail))


async def test_only_so_many_links_are_sent_to_an_address(context, server):
    to = await confirmed(context, server)
    mails = [await asked(context, server, to) for _ in range(HOURLY_MAX + 1)]
    assert [len(one) for one in mails] == [1, 1, 0, 0], "the confirmation counts too"
    player, _ = await context.players.create("Eve")
    assert await refused(context.mailboxes.add(player, ADDRESS, "en")) == "too-many-mails"


async def test_a_turn_is_mailed_with_a_link_to_stop(context, server, stands):
    to = await confirmed(context, server, "turn", language="cs")
    await collect(context, to, TURN, OVER)
    (mail,) = await send(context, server, to)
    assert (mail["Subject"], mail["To"]) == ("Poklidná plavba: Jste na tahu.", ADDRESS)
    assert link_of(mail) == "https://play.example/match/m_1"
    stop = mail["List-Unsubscribe"].strip("<>")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert stop in text_of(mail)
    assert stop in text_of(mail, "html")
    await context.mailboxes.stop(stop.rpartition("/")[2])
    await collect(context, to, OTHER_TURN)
    assert await send(context, server, to) == []
    assert await asked(context, server, to), "the address is still a way back"


async def test_what_was_seen_or_played_is_not_mailed(context, server, stands):
    to = await confirmed(context, server, "turn", "match_over")
    await collect(context, to, OVER, TURN)
    ((place, _), _) = await context.work.xrange(f"notices:{to.player}")
    await context.notices.note_seen(to.player, place.decode())
    stands[:] = [replace(TURN, after=6)]
    assert await send(context, server, to) == []
    assert (await states(context, to)).count("dropped") == 2


async def test_a_digest_comes_at_most_once_an_hour_and_says_what_still_holds(
    context, server, stands
):
    with freeze_time(NOON, real_asyncio=True) as clock:
        to = await confirmed(context, server, "turn", "talk", pace="hour")
        clock.tick(4_000)
        await collect(context, to, TURN, OTHER_TURN)
        (first,) = await send(context, server, to)
        assert first["Subject"] == "2 turns are waiting for you"
        clock.tick(60)
        talk = [TalkNotice("m_1", "tranquility", 1, "table", f"t_{n}") for n in range(3)]
        stands[:] = [replace(TURN, after=8), replace(OTHER_TURN, after=9)]
        await collect(context, to, *stands, *talk)
        clock.tick(1)
        assert await send(context, server, to) == []
        del stands[0]
        clock.tick(3_600)
        (second,) = await send(context, server, to)
        assert second["Subject"] == "News from your matches"
        assert text_of(second).count("https://play.example/match/") == 2


async def test_a_reminder_does_not_wait_for_the_digest(context, server, stands):
    with freeze_time(NOON, real_asyncio=True) as clock:
        to = await confirmed(context, server, "match_over", "reminder", pace="day")
        await collect(context, to, OVER)
        clock.tick(1)
        assert len(await send(context, server, to)) == 1
        stands[:] = [replace(TURN, deadline="2026-11-21T22:00:00.000000Z")]
        await collect(context, to, *stands)
        clock.move_to("2026-11-21 21:00:00")
        (mail,) = await send(context, server, to)
        assert "your clock is running out" in mail["Subject"]


async def test_quiet_hours_hold_a_mail_back_until_they_end(context, server, stands):
    with freeze_time("2026-11-21 22:00:00", real_asyncio=True) as clock:
        night = Quiet("22:00", "07:00", "Europe/Prague")
        to = await confirmed(context, server, "turn", quiet=night)
        await collect(context, to, TURN)
        clock.tick(1)
        assert await send(context, server, to) == []
        clock.move_to("2026-11-22 06:00:01")
        assert len(await send(context, server, to)) == 1


async def test_a_mail_whose_server_was_down_is_sent_again_under_the_same_id(
    context, server, stands
):
    with freeze_time(NOON, real_asyncio=True) as clock:
        to = await confirmed(context, server, "turn")
        await collect(context, to, TURN)
        clock.tick(1)
        ids = []

        def lost() -> str:
            ids.append("tried")
            return "451 4.3.0 Try again later"

        server.data = lost
        assert await send(context, server, to) == []
        assert ids == ["tried"]
        log = await Outbox(context.work).log(to.target)
        (name,) = (one.id for one in log if one.type == "turn")
        down = Mailer(replace(context.settings, smtp_port=1))
        clock.tick(20)
        await mail_round(context, down, to)
        clock.tick(2 * 86_400)
        server.data = lambda: "250 OK"
        (mail,) = await send(context, server, to)
        assert mail["Message-ID"] == f"<{name}@play.example>"
        assert (await states(context, to)).count("delivered") == 2, "the confirmation and the turn"


async def test_an_address_without_a_mailbox_is_written_to_once(context, server, stands):
    to = await confirmed(context, server, "turn")
    server.recipient = lambda _: "550 5.7.1 Your network is blocked"
    await collect(context, to, TURN)
    await send(context, server, to)
    assert not (await context.mailboxes.of(to.player)).refused, "the sender was refused"
    server.recipient = lambda _: "550 5.1.1 No such user"
    await collect(context, to, replace(OTHER_TURN))
    with freeze_time(tz_offset=0, real_asyncio=True) as clock:
        clock.tick(60)
        await send(context, server, to)
    assert (await context.mailboxes.of(to.player)).refused
    assert context.mailboxes.standing(await context.players.stored(to.player)) == ()
    server.recipient = lambda _: "250 OK"
    assert await asked(context, server, to) == []
    to = Address(to.player, (await context.mailboxes.add(to.player, ADDRESS, "en")).id)
    (mail,) = await send(context, server, to)
    await context.mailboxes.confirm(token_of(mail))
    assert not (await context.mailboxes.of(to.player)).refused


async def test_a_name_cannot_smuggle_a_link_into_a_mail(context, server, stands):
    to = await confirmed(context, server, "invitation")
    for name, shown in (("Bob", "Bob"), ("evil.example", "Somebody"), ("<b>Eve", "<b>Eve")):
        by, _ = await context.players.create(name)
        await collect(context, to, InvitationNotice(f"i_{by}", f"m_{by}", "tranquility", by))
        (mail,) = await send(context, server, to)
        assert f"{shown} invites you to play." in text_of(mail)
        assert "<b>" not in text_of(mail, "html")
        await context.work.delete(f"webhook:{to.target}")


@pytest.mark.parametrize(
    ("code", "text", "gone"),
    [
        (550, "5.1.1 No such user", True),
        (550, "No such user", True),
        (551, "5.1.6 Moved", True),
        (550, "5.7.1 Blocked", False),
        (552, "5.2.2 Full", False),
        (450, "4.2.1 Greylisted", False),
        (554, "5.7.0 Policy", False),
    ],
)
def test_only_a_server_that_knows_no_such_mailbox_ends_an_address(code, text, gone):
    assert is_gone(code, text) is gone


def test_an_address_has_a_domain_as_dns_has_it():
    assert normal(" Ada.L+x@PLAY.Example ") == "Ada.L+x@play.example"
    assert normal("ada@příklad.cz") == "ada@xn--pklad-zsa96e.cz"
    for wrong in (
        "", "ada", "@play.example", "ada@", "ada@localhost", "a b@play.example", "ada@10.0.0.1",
        "ada@play.example\nBcc: eve@play.example", "áda@play.example", "ada@-x.cz", "a..b@x.cz",
        f"{'a' * 65}@play.example", f"ada@{'a' * 64}.cz", '"a"@x.cz', "ada@x.cz, eve@x.cz",
    ):  # fmt: skip
        with pytest.raises(Problem, match="not an e-mail address"):
            normal(wrong)
