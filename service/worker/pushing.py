"""Messages to subscribed browsers: whether a notice is still due, and how it is written.

A notice is pushed unless the player has seen it, or it no longer holds. In quiet hours it waits.
"""

import tomllib
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace
from redis.exceptions import RedisError

from events.record import at_micros, at_text
from events.release import RELEASE
from games import GAMES
from games.match.clocks import SECOND
from projections.notices import ProposalNotice, StandingNotice, TurnNotice
from projections.rows import NoRows, Rows
from service.base.base64url import encoded
from service.base.clock import DAY_S, now_micros
from service.play.deliveries import TEST
from service.play.notices import STANDING_MAX
from service.play.outbox import Address, Message
from service.play.player_record import Subscription
from service.play.push import encrypt
from service.play.quiet import Quiet
from service.process.context import Context

TEXTS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_name("pushed.toml").read_text()
)
REMINDER = "reminder"
KEPT_S = 12 * 3_600
"""Time for which a push service keeps a message for a browser that is away (seconds)."""
URGENT = frozenset(("turn", REMINDER, "proposal", TEST))
LEAD_MAX_S = 12 * 3_600
"""Longest time between a reminder and the end of a clock (seconds)."""
LEAD_SHARE = 5
"""A reminder comes when this part of the time is left: a fifth."""
REMINDED_S = 600
"""Shortest time of a turn for which there is a reminder (seconds)."""
LOOK_S = 5 * DAY_S
"""A later reminder is looked at again after this time: messages are not kept longer (seconds)."""


class Post(NamedTuple):
    """A message as it is posted."""

    body: bytes
    headers: dict[str, str]


class Later(NamedTuple):
    """A message is due at another time (microseconds)."""

    at: int


class Told(msgspec.Struct, frozen=True):
    """The part of a notice that a message needs."""

    match: str = ""
    game: str = ""
    after: int = 0
    proposal: int = 0
    by: str = ""
    deadline: str | None = None


class Body(msgspec.Struct, frozen=True):
    """The body of a message in the outbox."""

    type: str
    timestamp: str
    data: Told


class Due(NamedTuple):
    """A notice that is due now."""

    told: Told
    standing: list[StandingNotice] | None
    """What the player is asked to do; None while that is being rebuilt."""
    deadline: int | None
    """When the clock runs out of which a reminder reminds (microseconds)."""


class Shown(msgspec.Struct, frozen=True):
    """What the service worker of the page shows (`web/src/offline/worker.ts`)."""

    title: str
    body: str
    tag: str
    url: str
    turns: int | None


BODY = msgspec.json.Decoder(Body)


def remind_at(noticed: int, deadline: int) -> int | None:
    """Return when to remind of a turn (all in microseconds); None if its time is short."""
    left = deadline - noticed
    if left < REMINDED_S * SECOND:
        return None
    return deadline - min(left // LEAD_SHARE, LEAD_MAX_S * SECOND)


async def find_due(
    context: Context, player: str, quiet: Quiet | None, message: Message
) -> Due | Later | None:
    """Return what to tell of a notice now, or when it is due; None if nobody needs it."""
    kind, now = message.delivery.type, now_micros()
    body = BODY.decode(message.body)
    standing = await _standing(context, player)
    deadline = None
    if kind == REMINDER:
        turn = _same(body, standing or ())
        if turn is None or not isinstance(turn, TurnNotice) or turn.deadline is None:
            return None
        deadline = at_micros(turn.deadline)
        due = remind_at(at_micros(body.timestamp), deadline)
        if due is None:
            return None
        if due > now:
            return Later(min(due, now + LOOK_S * SECOND))
    elif kind != TEST:
        if await context.notices.has_seen(player, message.place):
            return None
        if kind in ("turn", "proposal") and standing is not None and not _same(body, standing):
            return None
    if kind != TEST and quiet is not None:
        until = quiet.until(now)
        if until is not None:
            return Later(until)
    return Due(body.data, standing, deadline)


async def prepare(
    context: Context, to: Address, subscription: Subscription, message: Message
) -> Post | Later | None:
    """Return a message as it is posted now, or when it is due; None if nobody needs it."""
    due = await find_due(context, to.player, subscription.quiet, message)
    if not isinstance(due, Due):
        return due
    kind, now = message.delivery.type, now_micros()
    kept_s = KEPT_S if due.deadline is None else max(0, (due.deadline - now) // SECOND)
    shown = await _shown(context, due, kind, subscription.language)
    topic = sha256(f"{subscription.id} {shown.tag}".encode()).digest()
    headers = {
        "Authorization": context.push.authorization(subscription.endpoint, now),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(kept_s),
        "Topic": encoded(topic)[:32],
        "Urgency": "high" if kind in URGENT else "normal",
        "User-Agent": f"Shiplog/{RELEASE}",
    }
    return Post(encrypt(msgspec.json.encode(shown), subscription), headers)


def unsent(message: Message, later: Later | None) -> Message:
    """Return a message that is due later, or that nobody needs any more."""
    delivery = message.delivery
    if later is None:
        return replace(message, delivery=replace(delivery, state="dropped", due=None))
    return replace(message, delivery=replace(delivery, due=at_text(later.at)))


def tag_of(message: Message) -> str:
    """Return the tag of a message. Messages with the same tag replace each other."""
    return _tag(message.delivery.type, BODY.decode(message.body).data)


def _tag(kind: str, told: Told) -> str:
    return f"{kind} {told.match}".strip()


def title_of(told: Told, language: str) -> str:
    """Return the title of the game that a notice is about."""
    game = GAMES.get(told.game)
    return "Shiplog" if game is None else game.titles.get(language, game.titles["en"])


def path_of(kind: str, told: Told) -> str:
    """Return the address in the page at which to answer a notice."""
    return "/" if kind in ("invitation", TEST) else f"/match/{told.match}"


async def _shown(context: Context, due: Due, kind: str, language: str) -> Shown:
    told, standing = due.told, due.standing
    names = await context.players.names([told.by] if told.by else [])
    turns = None if standing is None else sum(isinstance(one, TurnNotice) for one in standing)
    return Shown(
        title_of(told, language),
        TEXTS[kind][language].format(name=names.get(told.by, "?")),
        _tag(kind, told),
        path_of(kind, told),
        turns,
    )


async def _standing(context: Context, player: str) -> list[StandingNotice] | None:
    """Return what the player is asked to do; None while that is being rebuilt."""
    try:
        return await Rows(context.work).standing(player, STANDING_MAX)
    except (NoRows, RedisError):
        return None


def _same(body: Body, standing: Sequence[StandingNotice]) -> StandingNotice | None:
    """Return what still stands of a notice."""
    told = body.data
    for one in standing:
        if one.match != told.match:
            continue
        if isinstance(one, ProposalNotice):
            if body.type == "proposal" and one.proposal == told.proposal:
                return one
        elif body.type != "proposal" and one.after == told.after:
            return one
    return None
