"""Documents in Redis, beside the logs: each is a stream of one entry.

Each write adds an entry under the next version and removes the one before. So of two writes that
were decided on the same version, the server refuses the second, and nothing of an earlier version
is kept.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from events.append_lane import Write, outcome
from events.connection import pack
from events.store import Document, Gap, Kind, Unavailable

PREFIX: dict[Kind, str] = {"player": "player:kept:", "talk": "talk:"}
"""Prefix of the keys, by kind."""
EARLIER: dict[Kind, str] = {"player": "player:"}
"""Prefix of the plain keys in which releases before 0.2 had such documents."""


class RedisDocuments:
    """The documents of a `RedisStore`."""

    def __init__(
        self,
        execute: Callable[..., Awaitable[Any]],
        send: Callable[[Write], Awaitable[None]],
        scan: Callable[[str, str], AsyncIterator[str]],
        seconds: float,
    ) -> None:
        """Read and write through a store, whose writes fail after `seconds`."""
        self._execute = execute
        self._send = send
        self._scan = scan
        self._seconds = seconds

    async def names(self, kind: Kind) -> AsyncIterator[str]:
        """Yield the ids of all documents of a kind, each at least once. Raises `Unavailable`."""
        async for name in self._scan(PREFIX[kind], "STREAM"):
            yield name
        if kind in EARLIER:
            async for name in self._scan(EARLIER[kind], "STRING"):
                yield name

    async def get(self, kind: Kind, name: str) -> Document | None:
        """Read a document; None if there is none. Raises `Unavailable`."""
        found = await self._newest(kind, name)
        if found is None and kind in EARLIER:
            data = await self._execute("GET", EARLIER[kind] + name)
            # Without data, a first write may just have moved the document.
            found = await self._newest(kind, name) if data is None else Document(0, data)
        return found

    async def put(self, kind: Kind, name: str, data: bytes, before: Document | None) -> Document:
        """Overwrite a document as it was read before. Raises `Taken`, `Unavailable`.

        A write that is sent again misses the entry before it, if the first attempt has replaced
        that entry.
        """
        base = before or Document(0, b"")
        after = Document(base.version + 1, data)
        key = f"{PREFIX[kind]}{name}".encode()
        option = (b"NOMKSTREAM",) if base.version else ()
        command = pack(b"XADD", key, *option, b"MAXLEN", b"1", b"0-%d" % after.version, b"r", data)
        verified = base.data if base.version else b""
        write = Write(key, command, after.version, data, verified, self._seconds)
        try:
            await self._send(write)
        except Gap:
            if await self._newest(kind, name) != after:
                if write.tries > 1:
                    raise Unavailable(outcome(sent=True)) from None
                raise
        if kind in EARLIER and before is not None and base.version < 2:
            await self._remove_earlier(f"{EARLIER[kind]}{name}".encode())
        return after

    async def remove(self, kind: Kind, name: str) -> None:
        """Remove a document. Needs the archiver's account. Raises `Unavailable`."""
        key = f"{PREFIX[kind]}{name}".encode()
        await self._send(Write(key, pack(b"UNLINK", key), 0, b"", b"", self._seconds))

    async def _newest(self, kind: Kind, name: str) -> Document | None:
        entries = await self._execute("XRANGE", PREFIX[kind] + name, "-", "+")
        if not entries:
            return None
        place, fields = entries[-1]
        return Document(int(place.partition(b"-")[2]), fields[b"r"])

    async def _remove_earlier(self, key: bytes) -> None:
        """Remove what an earlier release had written, now that a later version is on disk.

        The second write repeats this, in case the process was killed after the first one.
        """
        await self._send(Write(key, pack(b"GETDEL", key), 0, b"", b"", self._seconds))
