"""Players. Each has one record, which can be erased, and tokens (`tokens.py`)."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import msgspec
from cachetools import LRUCache
from msgspec.structs import replace

from events.record import at_text
from events.store import Document, Store, StoreError, Taken, Unavailable
from games.match.clocks import SECOND
from service.base.clock import DAY_S, now_micros
from service.base.expiring import Expiring
from service.base.keys import Keys
from service.base.problems import Problem, not_found, revoked, unauthenticated
from service.base.waiting import Signal
from service.play.caller import Caller
from service.play.leads import TRIES, Leads
from service.play.look_alikes import told_apart
from service.play.names import LENGTH_MAX, nickname
from service.play.own_names import OwnNames
from service.play.player_record import (
    DECODER,
    ERASED,
    NOBODY,
    WITHOUT_CREDENTIALS,
    Device,
    Identity,
    Mailbox,
    Player,
    Role,
)
from service.play.tokens import Tokens, caller_of, is_valid

Tell = Callable[[str], Awaitable[None]]
"""Tells other processes that they have to read a player's record again."""
KNOWN_S = 30
"""Time for which a cached record is trusted if no other process tells of a change (seconds)."""
KNOWN_MAX = 50_000
DEVICES_MAX = 20
"""Maximum number of devices of a player. One more signs out the one that was seen least recently.
"""
DAY_MICROS = DAY_S * SECOND
PROGRAM = "Program"
"""Name of a device that is not a browser."""
ERASED_NAME = "erased player"
"""Shown in place of an erased player's name."""
IDENTITIES_MAX = 100
"""Maximum number of players, one after the other, of the same identity."""


class _Known(NamedTuple):
    """What is known of a player."""

    record: Player | None
    """None if there is no such player."""


class Players:
    """The records and tokens of players."""

    def __init__(self, store: Store, keys: Keys, tell: Tell | None = None) -> None:
        """Use a store and the service's keys. `tell` tells other processes of a changed record."""
        self._store = store
        self._tell = tell
        self._keys = keys
        self._tokens = Tokens(keys)
        self._leads = Leads(store)
        self._own_names = OwnNames(self._leads, keys)
        self._known: Expiring[_Known] = Expiring(KNOWN_MAX, KNOWN_S)
        self._callers: Expiring[tuple[Caller, _Known, int]] = Expiring(KNOWN_MAX, KNOWN_S)
        """Recent callers by token, each with the record that says so, and the day of the call."""
        self._seen: LRUCache[str, int] = LRUCache(KNOWN_MAX)
        """The day that this process noted last, by device."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._changed: WeakValueDictionary[str, Signal] = WeakValueDictionary()
        """By watched player, the event that is set when the record changes."""

    async def create(
        self,
        name: str,
        *,
        roles: tuple[Role, ...] = (),
        player: str | None = None,
        external: str = "",
        owner: str = "",
        device: str = PROGRAM,
    ) -> tuple[str, str]:
        """Create a player; return its id, and the token of its first device.

        A player of an identity provider begins without a device. Raises `Problem` 400, 409.
        """
        player = player or f"p_{secrets.token_urlsafe(12)}"
        first = _new_device(device)
        record = Player(
            nickname(name),
            at_text(now_micros()),
            generation=0,
            devices=() if external else (first,),
            roles=roles,
            external=external,
            owner=owner,
        )
        if not roles:
            record = await self._own_names.settled(player, NOBODY, record)
        await self._put(player, record, None)
        return player, self.token(player, first.id)

    async def external(self, issuer: str, subject: str, name: Any) -> Caller:
        """Return the player of an identity, created at its first visit.

        `name` is what the identity provider says. If that cannot be a name, the player is a guest.
        If it is another player's own, it gets a number.
        """
        async with self._lock(self._lead(issuer, subject)):
            player, record = await self.of_identity(issuer, subject)
            if record is None:
                shown = await self._free(_name_of_identity(name))
                with suppress(Taken):  # another process has just created the player
                    await self.create(shown, player=player, external=f"{issuer} {subject}")
                player, record = await self.of_identity(issuer, subject)
            return Caller(player, () if record is None else record.roles)

    async def of_identity(self, issuer: str, subject: str) -> tuple[str, Player | None]:
        """Return the player of an identity, with the record; None at its first visit.

        That is the player who linked the identity, or else one of its own, whose id follows from
        the identity. If that one was erased, the identity gets a new one.
        """
        lead = self._lead(issuer, subject)
        player = await self._leads.follow(lead)
        record = await self.fresh(player) if player else None
        if record is not None and record.identity is not None and record.identity.lead == lead:
            return player, record
        for life in range(IDENTITIES_MAX):
            names = (issuer, subject) if life == 0 else (issuer, subject, str(life))
            player = "p_" + self._keys.derive("external", *names).hex()[:24]
            record = await self.fresh(player)
            if record is None or not record.erased:
                return player, record
        raise unauthenticated("This identity was erased too often.")

    async def link(self, player: str, issuer: str, subject: str) -> None:
        """Link an identity to a player, in place of an earlier one. Raises `Problem` 404, 409."""
        made = Identity(self._lead(issuer, subject), at_text(now_micros()))
        async with self._lock(made.lead):
            owner, record = await self.of_identity(issuer, subject)
            if record is None:
                await self.update(player, lambda record: replace(record, identity=made))
            elif owner != player:
                raise Problem(
                    409,
                    "identity-taken",
                    "This identity belongs to another player. Sign in with it, or unlink it there.",
                )

    async def unlink(self, player: str) -> None:
        """Unlink a player's identity, if one is linked. Raises `Problem` 404."""
        await self.update(player, lambda record: replace(record, identity=None))

    async def sign_in(self, player: str, name: str) -> tuple[Device, str]:
        """Add a device to a player; return it and its token. Raises `Problem` 404."""
        made = _new_device(name)

        def add(record: Player) -> Player:
            kept = record.devices
            if len(kept) >= DEVICES_MAX:
                oldest = min(kept, key=lambda device: device.day)
                kept = tuple(device for device in kept if device is not oldest)
            return replace(record, devices=(*kept, made))

        await self.update(player, add)
        return made, self.token(player, made.id)

    async def rotate(self, player: str, device: str = PROGRAM) -> str:
        """End all credentials of a player and return the token of a new device.

        Passkeys and the recovery code end too: a thief may have made them. Raises `Problem` 404.
        """
        made = _new_device(device)
        await self._end_credentials(player, (made,))
        return self.token(player, made.id)

    async def revoke(self, player: str) -> None:
        """End all credentials of a player, with the webhooks of apps. Raises `Problem` 404."""
        await self._end_credentials(player, ())

    async def set_code(self, player: str, lead: str) -> None:
        """Replace the lead from a player's recovery code. Raises `Problem` 404.

        An empty id only deletes the earlier one.
        """
        await self.update(player, lambda record: replace(record, code_lead=lead))

    async def recovered(self, lead: str, new: str) -> str | None:
        """Return the player to whom the lead from a code leads, and replace the lead.

        Returns None if the code is not valid.
        """
        player = await self._leads.follow(lead)
        if not player:
            return None
        valid = False

        def renew(record: Player) -> Player:
            nonlocal valid
            valid = record.code_lead == lead
            return replace(record, code_lead=new) if valid else record

        await self._rewrite(player, renew)
        return player if valid else None

    async def set_mailbox(self, player: str, change: Callable[[Player], Mailbox | None]) -> None:
        """Change a player's mailbox as stored now; raises `Problem` 404."""
        await self.update(player, lambda record: replace(record, mailbox=change(record)))

    async def with_address(self, lead: str) -> tuple[str, Mailbox] | None:
        """Return the player who has confirmed an address, and the mailbox."""
        player = await self._leads.follow(lead)
        if not player:
            return None
        record = await self.fresh(player)
        mailbox = None if record is None else record.mailbox
        return None if mailbox is None or mailbox.lead != lead else (player, mailbox)

    async def stands(self, caller: Caller) -> bool:
        """Return whether the caller's token is still valid."""
        record = await self.get(caller.player)
        return record is not None and is_valid(record, caller)

    def changed(self, player: str) -> Signal:
        """Return an event that is set when a player's record next changes, or may have."""
        return self._changed.setdefault(player, Signal())

    async def rename(self, player: str, name: str) -> str:
        """Change a player's name, and return its normal form; raises `Problem` 400, 404, 409."""
        name = nickname(name)
        await self.update(player, lambda record: replace(record, name=name))
        return name

    async def update(self, player: str, change: Callable[[Player], Player]) -> Player:
        """Change a player's record as stored now, and return it; raises `Problem` 404.

        If another process writes the record in the meantime, `change` is called again with what
        that process has written.
        """

        def change_present(record: Player) -> Player:
            if record.erased:
                raise not_found("player")
            return change(record)

        return await self._rewrite(player, change_present)

    async def erase(self, player: str) -> Player:
        """Erase name, identity, roles and tokens; return what was erased. Raises `Problem` 404."""
        erased = ERASED

        def erase(record: Player) -> Player:
            nonlocal erased
            erased = record
            return ERASED

        await self._rewrite(player, erase)
        return erased

    async def is_erased(self, player: str) -> bool:
        """Return whether a player has been erased."""
        record = await self.get(player)
        return record is not None and record.erased

    def token(self, player: str, which: str) -> str:
        """Return the token of a player's device, or of an app, by its id."""
        return self._tokens.token(player, which)

    def recognised(self, token: str) -> Caller | None:
        """Return the caller with a token that was valid a moment ago, unless anything changed.

        Tokens of apps are not remembered, since they expire.
        """
        if (found := self._callers.get(token)) is None:
            return None
        caller, known, day = found
        same = self._known.get(caller.player) is known and day == _today()
        return caller if same else None

    async def caller(self, token: str) -> Caller:
        """Return the caller with a token; raises `Problem` 401."""
        if (recognised := self.recognised(token)) is not None:
            return recognised
        player, which = self._tokens.parse(token)
        record = await self.get(player)
        if record is None or record.erased:
            raise revoked()
        caller = caller_of(player, record, which)
        if caller.device:
            await self._see(player, record, caller.device)
            if (known := self._known.get(player)) is not None and known.record is record:
                self._callers.put(token, (caller, known, _today()))
        return caller

    async def get(self, player: str) -> Player | None:
        """Return a player's record, if there is one."""
        if (known := self._known.get(player)) is not None:
            return known.record
        kept = await self._store.document("player", player)
        record = None if kept is None else DECODER.decode(kept.data)
        self._known.put(player, _Known(record))
        return record

    async def fresh(self, player: str) -> Player | None:
        """Return a player's record as stored now, if there is one."""
        self._known.pop(player)
        return await self.get(player)

    def drop_cached(self, player: str = "") -> None:
        """Read a player's record again that another process has changed; by default all records."""
        if player:
            self._known.pop(player)
            self._wake(player)
        else:
            self._known.clear()
            for watched in list(self._changed):
                self._wake(watched)

    async def names(self, players: list[str]) -> dict[str, str]:
        """Return the names of players who are shown together, without unknown ones.

        Names that look alike are numbered. The player who owns the name keeps it plain, or else
        the one who came first.
        """
        found = {player: await self.get(player) for player in players}
        present = {player: record for player, record in found.items() if record is not None}
        living = [player for player, record in present.items() if not record.erased]
        living.sort(key=lambda one: (not present[one].own_name, present[one].created, one))
        _, *names = told_apart((ERASED_NAME, *(present[player].name for player in living)))
        return dict.fromkeys(present, ERASED_NAME) | dict(zip(living, names, strict=True))

    async def require_own_name(self, player: str) -> Player:
        """Return a player's record. Raises `Problem` 404, and 409 if the name is another one's own.

        A player who can come back already may go on with such a name.
        """
        record = await self.stored(player)
        if not record.can_come_back:
            await self._own_names.require_free(record.name, player)
        return record

    async def suggested_name(self, player: str) -> str | None:
        """Return a free name for a player whose name is another one's own. Raises `Problem` 404."""
        record = await self.stored(player)
        free = await self._free(record.name, player)
        return None if free == record.name else free

    async def _free(self, name: str, player: str = "") -> str:
        """Return a name, with a number if it is another player's own."""
        is_free = await self._own_names.is_free(name, player)
        return name if is_free else await self._own_names.free(name)

    async def _end_credentials(self, player: str, devices: tuple[Device, ...]) -> None:
        await self.update(
            player, lambda record: replace(record, **WITHOUT_CREDENTIALS, devices=devices)
        )

    async def _see(self, player: str, record: Player, device: str) -> None:
        """Note on which day a device was seen last: one write a day, or none if it fails."""
        today = _today()
        found = record.device(device)
        if found is None or found.day == today or self._seen.get(device) == today:
            return
        self._seen[device] = today

        def see(record: Player) -> Player:
            return replace(
                record,
                devices=tuple(
                    replace(one, day=today) if one.id == device else one for one in record.devices
                ),
            )

        with suppress(StoreError, Problem):
            await self.update(player, see)

    async def _rewrite(self, player: str, change: Callable[[Player], Player]) -> Player:
        """Change a record as stored now, unless `change` returns the same. Raises `Problem`.

        The record is written after what newly leads to it, and before what no longer does ends.
        What leads to an erased player ends first, since nothing would name it afterwards.
        """
        leads: set[str] = set()
        async with self._lock(player):
            for _ in range(TRIES):
                kept = await self._store.document("player", player)
                if kept is None:
                    raise not_found("player")
                before = DECODER.decode(kept.data)
                try:
                    after = change(before)
                    if after is before:
                        return before
                    after = await self._own_names.settled(player, before, after)
                except Problem:
                    await self._leads.end(leads - set(before.leads), player)
                    raise
                for lead in set(after.ways_back) - set(before.ways_back):
                    await self._leads.point(lead, player)
                leads |= {*before.leads, *after.leads}
                if after.erased:
                    await self._leads.end(leads, player)
                with suppress(Taken):
                    await self._put(player, after, kept)
                    await self._leads.end(leads - set(after.leads), player)
                    return after
        raise Unavailable(f"the record of {player} was changed {TRIES} times in the meantime")

    def _lead(self, issuer: str, subject: str) -> str:
        return "i_" + self._keys.derive("identity", issuer, subject).hex()[:40]

    def _lock(self, player: str) -> asyncio.Lock:
        return self._locks.setdefault(player, asyncio.Lock())

    async def stored(self, player: str) -> Player:
        """Return a record as stored now; raises `Problem` 404. A write must not undo an erasure."""
        if (record := await self.fresh(player)) is None:
            raise not_found("player")
        return record

    async def _put(self, player: str, record: Player, before: Document | None) -> None:
        """Write a record in place of the one read before. Raises `Taken`."""
        await self._store.put_document("player", player, msgspec.json.encode(record), before)
        self._known.put(player, _Known(record))
        self._wake(player)
        if self._tell is not None:
            await self._tell(player)

    def _wake(self, player: str) -> None:
        if (changed := self._changed.pop(player, None)) is not None:
            changed.set()


def _today() -> int:
    """Return the day, since 1970."""
    return now_micros() // DAY_MICROS


def _new_device(name: str) -> Device:
    now = now_micros()
    return Device(f"d_{secrets.token_urlsafe(9)}", name, at_text(now), now // DAY_MICROS)


def _name_of_identity(name: Any) -> str:
    try:
        return nickname(name[:LENGTH_MAX] if isinstance(name, str) else "")
    except Problem:
        return "guest"
