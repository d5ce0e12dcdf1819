"""Notices of players: sent through the work Redis, and followed by open streams.

Each player's notices are a short Redis stream. One more stream names the players with new ones, so
that a process reads one stream for all of its followers. Notices may be lost with the work Redis.
Followers then get a `ResetNotice`, and read what they need from the log.
"""

from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
from redis.exceptions import RedisError

from projections.notices import Notice, ResetNotice
from projections.rows import NOTICES, NOTICES_KEPT, NOTICES_KEPT_S, NoRows, Rows
from service.base.waiting import Signal, wait_for_any
from service.play.changes import Changes
from service.play.work_needed import work_needed

QUIET_S = 15.0
"""Time after which a quiet stream yields None (seconds)."""
PAGE = 100
"""Maximum number of notices in one read."""
STANDING_MAX = 1_000
OPENED = b""
"""Stands in a player's stream for its beginning. It is not a notice."""


class Told(NamedTuple):
    """A notice as it is sent."""

    place: str
    """Its place in the player's notices, from which a stream resumes."""
    type: str
    data: bytes
    """The notice in JSON."""


class _Typed(msgspec.Struct):
    type: str


TYPED = msgspec.json.Decoder(_Typed)


class Notices:
    """The notices of all players."""

    def __init__(self, work: Any, closing: Signal) -> None:
        """Use an asyncio client of the work Redis (of bytes). Streams end once `closing` is set."""
        self._work = work
        self._rows = Rows(work)
        self._closing = closing
        self._changes = Changes(work, NOTICES, NOTICES_KEPT)

    async def send(self, notices: Iterable[tuple[str, Notice]]) -> None:
        """Send notices, each to a player. If the work Redis is unreachable, they are lost."""
        with suppress(RedisError, OSError):
            await self._append((player, msgspec.json.encode(notice)) for player, notice in notices)

    async def forget(self, player: str) -> None:
        """Delete a player's notices; raises `Problem` 503."""
        with work_needed():
            await self._work.delete(_key(player), _seen(player))

    async def note_seen(self, player: str, place: str) -> None:
        """Note up to which place the player has seen notices. Does not raise."""
        with suppress(RedisError, OSError):
            await self._work.set(_seen(player), place, ex=NOTICES_KEPT_S)

    async def has_seen(self, player: str, place: str) -> bool:
        """Return whether the player has seen the notice at a place; raises `RedisError`."""
        found = await self._work.get(_seen(player))
        return found is not None and _order(place) <= _order(found.decode())

    async def follow(self, player: str, place: str | None = None) -> AsyncIterator[Told | None]:
        """Return a player's notices after a place as they come, and None after a quiet time.

        A `ResetNotice` comes first without a place, and whenever notices may have been lost. Raises
        `Problem` 503 if the work Redis is unreachable. Later on, the notices are then just quiet.
        """
        with work_needed():
            return self._told(player, await self._after(player, place), place)

    async def _told(
        self, player: str, found: list[tuple[str, bytes]], place: str | None
    ) -> AsyncIterator[Told | None]:
        with self._changes.following(player):
            while True:
                for at, data in found:
                    place = at
                    if data != OPENED:
                        yield Told(place, TYPED.decode(data).type, data)
                if self._closing.is_set():
                    return
                changed = self._changes.next(player)
                try:
                    found = await self._after(player, place)
                except (RedisError, OSError):
                    found = []
                if not found and not await wait_for_any(QUIET_S, changed, self._closing):
                    yield None

    async def _after(self, player: str, place: str | None) -> list[tuple[str, bytes]]:
        """Return the next notices by place, or a reset if that place is unknown."""
        if place is not None:
            entries = await self._work.xrange(_key(player), min=place, count=PAGE + 1)
            if entries and entries[0][0] == place.encode():
                return [(entry.decode(), fields[b"n"]) for entry, fields in entries[1:]]
        return [await self._reset(player)]

    async def _reset(self, player: str) -> tuple[str, bytes]:
        """Return a reset at the last place, which is read before what stands."""
        last = await self._work.xrevrange(_key(player), count=1)
        place = last[0][0] if last else (await self._append([(player, OPENED)]))[0]
        try:
            standing = await self._rows.standing(player, STANDING_MAX)
        except NoRows:
            standing = []
        return place.decode(), msgspec.json.encode(ResetNotice(tuple(standing)))

    async def _append(self, notices: Iterable[tuple[str, bytes]]) -> list[Any]:
        pipe = self._work.pipeline(transaction=False)
        for player, data in notices:
            pipe.xadd(_key(player), {b"n": data}, maxlen=NOTICES_KEPT, approximate=True)
            pipe.expire(_key(player), NOTICES_KEPT_S)
            self._changes.tell(pipe, player)
        return await pipe.execute()


def _key(player: str) -> str:
    return f"{NOTICES}:{player}"


def _seen(player: str) -> str:
    return f"{NOTICES}:{player}:seen"


def _order(place: str) -> tuple[int, ...]:
    return tuple(map(int, place.split("-")))
