"""E-mails to players: links to sign in, and notices of what waits for them.

Notices that are due at the same time are one e-mail. What the player has seen, or what no longer
holds, is not in it.
"""

import re
import time
import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.headerregistry import Address as HeaderAddress
from email.message import EmailMessage
from email.policy import SMTP as POLICY
from email.utils import format_datetime, parseaddr
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import structlog
from msgspec.structs import replace

from events.record import at_micros
from games.match.clocks import SECOND
from service.base.clock import DAY_S, now_micros
from service.base.metrics import MAIL_TRIES
from service.base.problems import Problem
from service.play.deliveries import Health
from service.play.mailboxes import LINKS, VALID_S, Link
from service.play.match_cache import NOT_FOUND
from service.play.outbox import Address, Message, Outbox
from service.play.player_record import Mailbox, Pace
from service.process.context import Context
from service.worker.mailer import Mailed, Mailer, mailing
from service.worker.pushing import (
    REMINDER,
    TEXTS,
    Due,
    Later,
    find_due,
    path_of,
    tag_of,
    title_of,
    unsent,
)
from service.worker.runtime import runtime

TOGETHER_MAX = 100
"""Maximum number of notices in an e-mail."""
JOB_S = 60
"""Time after which a job begins no other mailbox (seconds). The others are claimed again."""
PACE_S: Mapping[Pace, int] = {"each": 0, "hour": 3_600, "day": DAY_S}
"""Shortest time between two e-mails with notices (seconds)."""
WORDS: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("mails.toml").read_text())
LINKED = re.compile(r"\S[.:/@]\S")
"""What mail programs may turn into a link. A name with such a part is not shown."""
FEW = 5
"""In Czech, nouns with a smaller number have a form of their own."""

log = structlog.get_logger("shiplog")


class Line(NamedTuple):
    """A notice in an e-mail."""

    title: str
    text: str
    url: str


class Found(NamedTuple):
    """Notices that are due now."""

    messages: list[Message]
    lines: list[Line]
    """How they read, in the same order."""


def send_mails(mailboxes: Sequence[tuple[str, str]]) -> None:
    """Send what is due to mailboxes, each named with its player. RQ calls this."""

    async def send(context: Context) -> None:
        began = time.monotonic()
        async with mailing(context.settings) as mailer:
            for each in mailboxes:
                if time.monotonic() - began > JOB_S:
                    break
                await mail_round(context, mailer, Address(*each))

    runtime().run(send)


async def mail_round(context: Context, mailer: Mailer, to: Address) -> None:
    """Send the links that are due to a mailbox, each by itself, and the notices together."""
    outbox = Outbox(context.work)
    record = await context.players.fresh(to.player)
    standing = () if record is None else context.mailboxes.standing(record)
    mailbox = next((one for one in standing if one.id == to.target), None)
    if mailbox is None:
        await outbox.forget(to)
        return
    health = await outbox.health(to.target)
    notices: list[Message] = []
    for message in await outbox.due(to.target, health, TOGETHER_MAX):
        if message.delivery.type not in LINKS:
            notices.append(message)
            continue
        made = _link_mail(context, to, mailbox, message, message.delivery.type)
        if made is None:
            await outbox.put(to.target, unsent(message, None), health)
            continue
        mailed = await _send(mailer, made, to)
        if mailed.gone:
            await _refuse(context, to)
            return
        delivery = message.delivery.after(mailed.tried, now_micros())
        await outbox.put(to.target, replace(message, delivery=delivery), health)
    found = await _find_lines(context, outbox, to, mailbox, health, notices)
    soonest = 0 if health.failures else health.last + PACE_S[mailbox.pace] * SECOND
    hurried = any(one.delivery.type == REMINDER for one in found.messages)
    if soonest > now_micros() and not hurried:
        for message in found.messages:
            await outbox.put(to.target, unsent(message, Later(soonest)), health)
    elif found.messages:
        mailed = await _send(mailer, _notice_mail(context, to, mailbox, found), to)
        if mailed.gone:
            await _refuse(context, to)
            return
        # The mail server serves all mailboxes: if it is down, no mailbox is to blame.
        health = replace(health.after(mailed.tried, now_micros()), disabled=None)
        for message in found.messages:
            delivery = message.delivery.after(mailed.tried, now_micros())
            await outbox.put(to.target, replace(message, delivery=delivery), health)
    await outbox.rest(to, health)


async def _find_lines(
    context: Context,
    outbox: Outbox,
    to: Address,
    mailbox: Mailbox,
    health: Health,
    notices: Sequence[Message],
) -> Found:
    """Return the notices to mail now, and how they read.

    Those that are due later are put off, and those that nobody needs are dropped.
    """
    newest = {tag_of(one): one for one in notices}
    messages: list[Message] = []
    lines: list[Line] = []
    for message in notices:
        kind = message.delivery.type
        due: Due | Later | None = None
        if newest[tag_of(message)] is message and mailbox.confirmed and kind in mailbox.events:
            due = await find_due(context, to.player, mailbox.quiet, message)
        if isinstance(due, Due):
            messages.append(message)
            lines.append(await _line(context, mailbox.language, kind, due))
        else:
            await outbox.put(to.target, unsent(message, due), health)
    return Found(messages, lines)


async def _line(context: Context, language: str, kind: str, due: Due) -> Line:
    names = await context.players.names([due.told.by] if due.told.by else [])
    name = names.get(due.told.by, "")
    if not name or LINKED.search(name):
        name = WORDS["somebody"]["name"][language]
    return Line(
        title_of(due.told, language),
        TEXTS[kind][language].format(name=name),
        context.settings.public_url + path_of(kind, due.told),
    )


def _link_mail(
    context: Context, to: Address, mailbox: Mailbox, message: Message, link: Link
) -> EmailMessage | None:
    """Return the e-mail with a link; None if it has come too late."""
    age_s = (now_micros() - at_micros(message.delivery.created)) / SECOND
    if mailbox.confirmed if link == "confirm" else age_s > VALID_S:
        return None
    words, language = WORDS[link], mailbox.language
    token = context.mailboxes.token(link, to, message.delivery.id)
    page = "confirm" if link == "confirm" else "sign-in"
    line = Line("", words["button"][language], f"{context.settings.public_url}/mail#{page}.{token}")
    made = _mail(context, mailbox, message.delivery.id, words["subject"][language])
    _write(made, language, words["text"][language], [line], words["more"][language], "")
    return made


def _notice_mail(context: Context, to: Address, mailbox: Mailbox, found: Found) -> EmailMessage:
    words, language = WORDS["notices"], mailbox.language
    count = len(found.lines)
    if count == 1:
        (line,) = found.lines
        subject = f"{line.title}: {line.text}"
    elif all(one.delivery.type == "turn" for one in found.messages):
        subject = words["turns"][language]["few" if count < FEW else "many"].format(count=count)
    else:
        subject = words["news"][language]
    made = _mail(context, mailbox, found.messages[0].delivery.id, subject)
    stop = f"{context.settings.public_url}/mail/{context.mailboxes.stop_token(to)}"
    made["List-Unsubscribe"] = f"<{stop}>"
    made["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    _write(made, language, words["text"][language], found.lines, words["more"][language], stop)
    return made


def _mail(context: Context, mailbox: Mailbox, name: str, subject: str) -> EmailMessage:
    """Return an e-mail without its text. Its Message-ID follows from the message's id."""
    shown, sender = parseaddr(context.settings.mail_from)
    made = EmailMessage(policy=POLICY)
    made["From"] = HeaderAddress(shown, addr_spec=sender)
    made["To"] = HeaderAddress(addr_spec=mailbox.address)
    made["Subject"] = subject
    made["Date"] = format_datetime(datetime.fromtimestamp(now_micros() / SECOND, UTC))
    made["Message-ID"] = f"<{name}@{urlsplit(context.settings.public_url).hostname}>"
    made["Auto-Submitted"] = "auto-generated"
    made["Content-Language"] = mailbox.language
    return made


def _write(
    made: EmailMessage, language: str, text: str, lines: Sequence[Line], more: str, stop: str
) -> None:
    """Write the text of an e-mail, plainly and as HTML."""
    stopping = WORDS["notices"]["stop"][language]
    plain = [text, ""]
    parts = [f"<p>{escape(text)}</p>"]
    for line in lines:
        title = f"{line.title}: {line.text}" if line.title else line.text
        plain += [title, line.url, ""]
        shown = f"<a href='{escape(line.url)}'>{escape(line.text)}</a>"
        parts.append(f"<p>{escape(line.title)}{': ' if line.title else ''}{shown}</p>")
    plain.append(more)
    parts.append(f"<p>{escape(more)}</p>")
    if stop:
        plain.append(f"{stopping}: {stop}")
        parts.append(f"<p><a href='{escape(stop)}'>{escape(stopping)}</a></p>")
    body = "".join(parts)
    made.set_content("\n".join(plain) + "\n", cte="quoted-printable")
    page = (
        f"<!doctype html><html lang='{language}'><meta charset='utf-8'><body>{body}</body></html>"
    )
    made.add_alternative(page, subtype="html", cte="quoted-printable")


async def _send(mailer: Mailer, made: EmailMessage, to: Address) -> Mailed:
    mailed = await mailer.send(made)
    failed = "no-mailbox" if mailed.gone else mailed.tried.error or "refused"
    outcome = "delivered" if mailed.tried.succeeded else failed
    MAIL_TRIES.labels(outcome).inc()
    log.info("sent", target=to.target, id=made["Message-ID"], outcome=outcome, ms=mailed.tried.ms)
    return mailed


async def _refuse(context: Context, to: Address) -> None:
    """Note that a mailbox does not exist. Its player is told on the account page."""
    try:
        await context.mailboxes.refuse(to)
    except Problem as problem:
        if problem.status != NOT_FOUND:
            raise
