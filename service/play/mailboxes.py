"""Mailboxes: the e-mail addresses of players, as a way back and as a way to hear of a turn.

An address stands in its player's record, and a keyed hash of it leads to the player. A link has its
purpose, its time and a MAC, so nothing has to be stored for it. Only the worker looks addresses up,
so that nobody learns from an answer, or from the time that it takes, whether an address is known.
"""

import hmac
import re
import secrets
from typing import Any, Literal, NamedTuple, get_args

from msgspec.structs import replace

from events.record import at_text
from games.match.clocks import SECOND
from service.base.clock import DAY_S, now_micros
from service.base.keys import Keys
from service.base.problems import Problem, not_found
from service.play.outbox import MAILBOX, Address, Outbox
from service.play.player_record import Language, Mailbox, Pace, Player, Pushed
from service.play.players import Players
from service.play.quiet import Quiet
from service.play.webhooks import OWNERS, message
from service.play.work_needed import work_needed

VALID_S = 900
"""Time for which a link is valid after it was sent (seconds)."""
HOURLY_MAX, DAILY_MAX = 3, 10
"""Maximum number of links to the same address in an hour, and in a day."""
HOUR_S = 3_600
ASKED = "mail:asked"
"""Stream of the addresses for which somebody has asked for a sign-in link."""
ASKED_MAX = 1_000
"""Maximum number of waiting addresses. Above it, the oldest are dropped."""
ASKED_PAGE = 100
LENGTH_MAX, LOCAL_MAX = 254, 64
ADDRESS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
TOKEN = re.compile(r"[A-Za-z0-9._-]{1,300}")
LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")

Link = Literal["confirm", "sign_in"]
"""What a link is for. The type of its message is the same."""
LINKS: tuple[Link, ...] = get_args(Link)


class Choice(NamedTuple):
    """What a player wants to be mailed."""

    events: tuple[Pushed, ...]
    pace: Pace
    quiet: Quiet | None
    language: Language


class Mailboxes:
    """The mailboxes of players."""

    def __init__(
        self, players: Players, keys: Keys, work: Any, *, on: bool, daily_max: int
    ) -> None:
        """Keep mailboxes in the players' records. Nothing is mailed unless `on`.

        `work` is an asyncio client of the work Redis (of bytes). `daily_max` limits the links that
        are sent to unconfirmed addresses in a day.
        """
        self._players = players
        self._keys = keys
        self._work = work
        self._outbox = Outbox(work)
        self._daily_max = daily_max
        self.on = on

    async def of(self, player: str) -> Mailbox | None:
        """Return a player's mailbox. Raises `Problem` 404."""
        return (await self._players.stored(player)).mailbox

    async def add(self, player: str, address: str, language: Language) -> Mailbox:
        """Add an address, and queue the mail that confirms it. One that waits is replaced.

        Raises `Problem` 400, 404, 409, 422, 429, 503.
        """
        self._require_on()
        address = normal(address)
        made = Mailbox(
            f"{MAILBOX}{secrets.token_urlsafe(12)}", address, at_text(now_micros()), language
        )
        earlier: Mailbox | None = None

        def put(record: Player) -> Mailbox:
            nonlocal earlier, made
            earlier = record.mailbox
            if earlier is None:
                return made
            if earlier.confirmed and not earlier.refused:
                raise Problem(
                    422,
                    "too-many-mail-addresses",
                    "You have a confirmed e-mail address. Delete it before you add another one.",
                )
            if earlier.address == address:
                made = replace(earlier, language=language, lead="", refused=False)
            return made

        await self._players.require_own_name(player)
        if not (await self._count_link(address) and await self._count_day()):
            raise Problem(
                429,
                "too-many-mails",
                f"This address was sent {HOURLY_MAX} links within an hour, or {DAILY_MAX} within a "
                "day, or this service has sent too many today. Use the link in the last mail, or "
                "try again later.",
                retry_after=HOUR_S,
            )
        await self._players.set_mailbox(player, put)
        with work_needed():
            if earlier is not None and earlier.id != made.id:
                await self._outbox.forget(Address(player, earlier.id))
            await self._work.sadd(OWNERS, player)
            await self._queue(Address(player, made.id), "confirm", secrets.token_urlsafe(18))
        return made

    async def confirm(self, token: str) -> None:
        """Confirm the address to which a link was sent. Raises `Problem` 403, 409."""
        player, mailbox, _ = await self._opened("confirm", token)
        lead = self._lead(mailbox.address)
        other = await self._players.with_address(lead)
        if other is not None and other[0] != player:
            raise Problem(
                409,
                "mail-taken",
                "This address belongs to another player. Sign in with it, or delete it there.",
            )

        def put(record: Player) -> Mailbox:
            if record.mailbox is None or record.mailbox.id != mailbox.id:
                raise wrong_link()
            return replace(record.mailbox, lead=lead, refused=False)

        await self._players.set_mailbox(player, put)

    async def ask(self, address: str) -> None:
        """Ask for a sign-in link to an address, known or not. Raises `Problem` 400, 422, 503."""
        self._require_on()
        address = normal(address)
        with work_needed():
            await self._work.xadd(ASKED, {b"a": address}, maxlen=ASKED_MAX, approximate=False)
            await self._work.expire(ASKED, VALID_S)

    async def queue_asked(self) -> None:
        """Queue the sign-in links that were asked for, to known addresses."""
        for name, fields in await self._work.xrange(ASKED, count=ASKED_PAGE):
            address = fields[b"a"].decode()
            found = await self._players.with_address(self._lead(address))
            allowed = await self._count_link(address)
            if found is not None and allowed and not found[1].refused:
                player, mailbox = found
                await self._queue(Address(player, mailbox.id), "sign_in", name.decode())
            await self._work.xdel(ASKED, name)

    async def use(self, token: str) -> str:
        """Return the player whom a sign-in link was sent, once. Raises `Problem` 403, 503."""
        player, mailbox, name = await self._opened("sign_in", token)
        if not mailbox.confirmed:
            raise wrong_link()
        with work_needed():
            if not await self._work.set(f"mail:used:{name}", b"", nx=True, ex=2 * VALID_S):
                raise wrong_link()
        return player

    async def choose(self, player: str, choice: Choice) -> Mailbox:
        """Set what is mailed to a player. Raises `Problem` 404, 422."""
        if choice.quiet is not None:
            choice.quiet.check()

        def put(record: Player) -> Mailbox:
            nonlocal changed
            if record.mailbox is None or not record.mailbox.confirmed:
                raise not_found("confirmed e-mail address")
            changed = replace(record.mailbox, **choice._asdict())
            return changed

        changed: Mailbox | None = None
        await self._players.set_mailbox(player, put)
        assert changed is not None
        return changed

    async def stop(self, token: str) -> None:
        """Mail a player no more notices; the token is that of a mail. Raises `Problem` 403."""
        player, _, mac = token.partition(".")
        mailbox = await self._find(player) if TOKEN.fullmatch(token) else None
        if mailbox is None or not hmac.compare_digest(mac.encode(), self._mac(player, mailbox.id)):
            raise wrong_link()

        def put(record: Player) -> Mailbox | None:
            return None if record.mailbox is None else replace(record.mailbox, events=())

        await self._players.set_mailbox(player, put)
        with work_needed():
            await self._outbox.forget(Address(player, mailbox.id))

    async def refuse(self, to: Address) -> None:
        """Note that there is no such mailbox. Nothing is mailed until it is confirmed again."""

        def put(record: Player) -> Mailbox | None:
            mailbox = record.mailbox
            if mailbox is None or mailbox.id != to.target:
                return mailbox
            return replace(mailbox, refused=True)

        await self._players.set_mailbox(to.player, put)
        with work_needed():
            await self._outbox.forget(to)

    async def delete(self, player: str) -> None:
        """Delete a player's address, and what waits for it. Raises `Problem` 404, 503."""
        await self.forget(player)
        await self._players.set_mailbox(player, lambda _: None)

    async def forget(self, player: str) -> None:
        """Delete what waits for a player's mailbox. Raises `Problem` 404, 503."""
        mailbox = await self.of(player)
        if mailbox is not None:
            with work_needed():
                await self._outbox.forget(Address(player, mailbox.id))

    def standing(self, record: Player) -> tuple[Mailbox, ...]:
        """Return the mailbox to which a player's messages go; none if nothing is mailed."""
        mailbox = record.mailbox
        return () if mailbox is None or mailbox.refused or not self.on else (mailbox,)

    def token(self, link: Link, to: Address, name: str) -> str:
        """Return the token of a link that is sent now in the message with an id."""
        seconds = now_micros() // SECOND
        mac = self._mac(to.player, to.target, link, name, str(seconds)).decode()
        return f"{to.player}.{name}.{seconds}.{mac}"

    def stop_token(self, to: Address) -> str:
        """Return the token with which a mailbox stops the notices to it."""
        return f"{to.player}.{self._mac(*to).decode()}"

    async def _opened(self, link: Link, token: str) -> tuple[str, Mailbox, str]:
        """Return the player, the mailbox and the message of a token. Raises `Problem` 403."""
        player, name, seconds, mac = (*token.split("."), "", "", "", "")[:4]
        mailbox = await self._find(player) if TOKEN.fullmatch(token) else None
        if mailbox is None:
            raise wrong_link()
        known = self._mac(player, mailbox.id, link, name, seconds)
        if not hmac.compare_digest(mac.encode(), known):
            raise wrong_link()
        if now_micros() // SECOND - int(seconds) > VALID_S:
            raise wrong_link()
        return player, mailbox, name

    async def _find(self, player: str) -> Mailbox | None:
        record = await self._players.fresh(player)
        return None if record is None else record.mailbox

    async def _queue(self, to: Address, link: Link, name: str) -> None:
        made = message(f"msg_{self._hash('message', name)[:24]}", link, now_micros(), b"{}")
        await self._outbox.add_urgent(to, made)

    async def _count_link(self, address: str) -> bool:
        """Count a link to an address, known or not; return whether it may be sent."""
        now, of = now_micros() // SECOND, self._hash("quota", address)
        hourly = await self._count(f"{of}:hour:{now // HOUR_S}", HOUR_S)
        daily = await self._count(f"{of}:day:{now // DAY_S}", DAY_S)
        return hourly <= HOURLY_MAX and daily <= DAILY_MAX

    async def _count_day(self) -> bool:
        """Count a link to an unconfirmed address; return whether it may be sent."""
        today = now_micros() // SECOND // DAY_S
        return await self._count(f"all:{today}", DAY_S) <= self._daily_max

    async def _count(self, what: str, seconds: int) -> int:
        with work_needed():
            async with self._work.pipeline(transaction=True) as pipe:
                pipe.incr(f"mail:count:{what}")
                pipe.expire(f"mail:count:{what}", seconds)
                count, _ = await pipe.execute()
        return count

    def _require_on(self) -> None:
        if not self.on:
            raise Problem(
                422,
                "mail-off",
                "This service sends no e-mail. Its operator can set SHIPLOG_SMTP_HOST.",
            )

    def _lead(self, address: str) -> str:
        return "a_" + self._hash("address", address)[:40]

    def _hash(self, purpose: str, text: str) -> str:
        return self._keys.derive("mail", purpose, text.lower()).hex()

    def _mac(self, *names: str) -> bytes:
        return self._keys.derive("mail link", *names).hex()[:43].encode()


def normal(address: str) -> str:
    """Return an address with its domain as DNS has it. Raises `Problem` 400."""
    local, _, domain = address.strip().rpartition("@")
    try:
        domain = domain.encode("idna").decode().lower()
    except UnicodeError:
        domain = ""
    labels = domain.split(".")
    found = f"{local}@{domain}"
    fits = (
        ADDRESS.fullmatch(local)
        and len(local) <= LOCAL_MAX
        and len(labels) > 1
        and all(map(LABEL.fullmatch, labels))
        and not labels[-1].isdigit()
        and len(found) <= LENGTH_MAX
    )
    if not fits:
        raise Problem(
            400,
            "bad-mail-address",
            "This is not an e-mail address that the service can write to. Expected one such as "
            "ada@play.example.",
        ).at(pointer="/address")
    return found


def wrong_link() -> Problem:
    """Refuse a link, without telling why it is not valid."""
    return Problem(
        403,
        "wrong-link",
        "This link is not valid. It may be used up or too old. Ask for another e-mail.",
    )
