"""One store over two: Redis for matches in play, and the archive for finished ones.

A match is in one of them or, for a moment, in both: `retire` removes it from Redis only after the
archived copy has been read back. So a match that is not in Redis is in the archive, and listings
read Redis first.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Protocol

from events.archive import MATCH, ArchiveStore
from events.chain import Head
from events.redis_store import PAGE
from events.store import Document, Gap, Kind, Store, Taken, Unavailable


class LiveStore(Store, Protocol):
    """A store from which a log can be removed."""

    async def forget(self, match: str) -> None:
        """Remove the talk and the log of a match. The caller must have archived the log."""
        ...


class TieredStore:
    """A `Store` over a live store and an archive."""

    def __init__(
        self, live: LiveStore, archive: ArchiveStore | None, remover: LiveStore | None = None
    ) -> None:
        """Combine two stores. Without an archive every match stays in the live store.

        `remover` is the live store under the account that may remove logs.
        """
        self.live = live
        self.archive = archive
        self._remover = remover or live

    async def append(
        self,
        match: str,
        version: int,
        data: bytes,
        before: bytes = b"",
        head: Head | None = None,
    ) -> None:
        """Append a record and wait until it is on disk. Raises `Taken`, `Gap`, `Unavailable`.

        An archived match has ended. A record that is sent again is compared with the archived one,
        and nothing is added. Record 1 would create a second log of the match, so the archive is
        checked before the append, and again after it, in case the match was moved in between.
        """
        if version == 1 and await self._is_archived(match, version, data):
            return
        try:
            await self.live.append(match, version, data, before, head)
        except Gap:
            if not await self._is_archived(match, version, data):
                raise
        if version == 1 and await self._is_archived(match, version, data):
            with suppress(Unavailable):  # without the account for it, the archiver removes it
                await self.forget(match)

    async def confirm(self, match: str) -> None:
        """Wait until all records of a match are safe. Raises `Unavailable`.

        Archived records are always safe.
        """
        await self.live.confirm(match)

    async def _is_archived(self, match: str, version: int, data: bytes) -> bool:
        """Return whether the archive has a record. Raises `Taken` if it has another one."""
        lines = await self._archived(match)
        if not lines:
            return False
        if lines[version - 1 : version] != [data]:
            raise Taken(f"{match} has ended at version {len(lines)}")
        return True

    async def read(self, match: str, after: int = 0, count: int | None = None) -> list[bytes]:
        """Return the bytes of the records after version `after`, in order, at most `count`.

        Returns an empty list for an unknown match. Raises `Unavailable`.

        The record at `after` is read as well. If it is missing, the match is not in the live
        store; otherwise there may just be no later records. A log that is read in several pages
        may have been moved between two of them, so a long answer is read again from the archive.
        """
        known = min(after, 1)
        limit = None if count is None else count + known
        lines = await self.live.read(match, after - known, limit)
        if lines and len(lines) < PAGE:
            return lines[known:]
        archived = await self._archived(match)
        if not archived:
            return lines[known:]
        return archived[after:] if count is None else archived[after : after + count]

    async def read_many(
        self, matches: Sequence[str], count: int | None = None
    ) -> dict[str, list[bytes]]:
        """Return the records of logs in the live store, by match, as the live store does."""
        return await self.live.read_many(matches, count)

    async def head(self, match: str, version: int) -> Head | None:
        """Return the signed head that was kept with a record, if any. Raises `Unavailable`."""
        kept = await self.live.head(match, version)
        if kept is None and self.archive is not None and MATCH.fullmatch(match):
            kept = await self.archive.head(match)
        return kept if kept is not None and kept.version == version else None

    async def errata(self, match: str) -> list[bytes]:
        """Return the lines of a match's errata. Without an archive, there are none.

        Raises `Unavailable`.
        """
        if self.archive is None or not MATCH.fullmatch(match):
            return []
        return await self.archive.errata(match)

    async def _archived(self, match: str) -> list[bytes]:
        if self.archive is None or not MATCH.fullmatch(match):
            return []
        return await self.archive.read(match)

    async def matches(self) -> AsyncIterator[str]:
        """Yield the ids of all matches, unordered, each at least once. Raises `Unavailable`."""
        async for match in self.live.matches():
            yield match
        if self.archive is not None:
            async for match in self.archive.matches():
                yield match

    async def retire(self, match: str, lines: Sequence[bytes], head: Head) -> None:
        """Move a finished match to the archive. An interrupted move can be repeated.

        Raises `Taken`, `NotArchived`, `Unavailable`. After an error the match is still in the live
        store.
        """
        assert self.archive is not None, "there is an archive"
        await self.archive.store(match, lines, head)
        await self.forget(match)

    async def forget(self, match: str) -> None:
        """Remove an archived match from the live store, with its talk. Raises `Unavailable`."""
        await self._remover.forget(match)

    def documents(self, kind: Kind) -> AsyncIterator[str]:
        """Yield the ids of all documents of a kind, unordered, each at least once.

        Raises `Unavailable`.
        """
        return self.live.documents(kind)

    async def put_document(
        self, kind: Kind, name: str, data: bytes, before: Document | None = None
    ) -> Document:
        """Overwrite a document as it was read before, and wait until it is on disk.

        Raises `Taken` if it has been written in the meantime. Raises `Unavailable`.
        """
        return await self.live.put_document(kind, name, data, before)

    async def document(self, kind: Kind, name: str) -> Document | None:
        """Read a document; None if there is none. Raises `Unavailable`."""
        return await self.live.document(kind, name)

    async def epoch(self) -> str:
        """Return the id of the live store's current epoch."""
        return await self.live.epoch()
