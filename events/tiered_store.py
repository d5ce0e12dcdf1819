"""A log's two places as one: matches that are played in Redis, those that are over in the archive.

A match is in one of them or, for a moment, in both: `retire` takes it out of the first when the second has been read
back. So whoever finds nothing in the first will find it in the second, and listings begin with the first.
"""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from events.archive import MATCH, ArchiveStore
from events.chain import Head
from events.redis_store import PAGE
from events.store import Gap, Store, Taken


class LiveStore(Store, Protocol):
    """A store that can forget."""

    async def forget(self, match: str) -> None:
        """Remove a match's log."""
        ...


class TieredStore:
    """A `Store` over both places."""

    def __init__(self, live: LiveStore, archive: ArchiveStore | None) -> None:
        """Join two places; without an archive everything stays in the first."""
        self.live = live
        self.archive = archive

    async def append(self, match: str, version: int, data: bytes) -> None:
        """Put a record on disk; raises `Taken`, `Gap`, `Unavailable`.

        A match that is in the archive has ended: what is sent again is compared, and nothing is added. Record 1 would
        open it anew, so it is looked for before, and after lest it was moved in between.
        """
        if version == 1 and await self._is_kept(match, version, data):
            return
        try:
            await self.live.append(match, version, data)
        except Gap:
            if not await self._is_kept(match, version, data):
                raise
        if version == 1 and await self._is_kept(match, version, data):
            await self.live.forget(match)

    async def confirm(self, match: str) -> None:
        """Return when what stands in a match's log is safe; raises `Unavailable`. The archive's copy was read back."""
        await self.live.confirm(match)

    async def _is_kept(self, match: str, version: int, data: bytes) -> bool:
        """Tell whether the archive has that record; raises `Taken` where it has the match, but another record."""
        lines = await self._archived(match)
        if not lines:
            return False
        if lines[version - 1 : version] != [data]:
            raise Taken(f"{match} has ended at version {len(lines)}")
        return True

    async def read(self, match: str, after: int = 0, count: int | None = None) -> list[bytes]:
        """Give the bytes of the records after a version, in order; raises `Unavailable`.

        The record of that version is read along: where it is missing, the match is not there, rather than not further. A
        log that is read in pages may have been moved between two of them.
        """
        known = min(after, 1)
        more = None if count is None else count + known
        lines = await self.live.read(match, after - known, more)
        if lines and len(lines) < PAGE:
            return lines[known:]
        archived = await self._archived(match)
        if not archived:
            return lines[known:]
        return archived[after:] if count is None else archived[after : after + count]

    async def _archived(self, match: str) -> list[bytes]:
        if self.archive is None or not MATCH.fullmatch(match):
            return []
        return await self.archive.read(match)

    async def matches(self) -> AsyncIterator[str]:
        """Give the ids of all matches, in no order, each at least once; raises `Unavailable`."""
        async for match in self.live.matches():
            yield match
        if self.archive is not None:
            async for match in self.archive.matches():
                yield match

    async def retire(self, match: str, lines: Sequence[bytes], head: Head) -> None:
        """Move a match that has ended; raises `Taken`, `NotArchived`, `Unavailable`, and then it stays where it was.

        It may be broken off anywhere, and done again.
        """
        assert self.archive is not None, "there is an archive"
        await self.archive.store(match, lines, head)
        await self.live.forget(match)

    def players(self) -> AsyncIterator[str]:
        """Give the ids of all players, in no order, each at least once; raises `Unavailable`."""
        return self.live.players()

    async def put_player(self, player: str, data: bytes) -> None:
        """Write a player's record, on disk when it returns."""
        await self.live.put_player(player, data)

    async def player(self, player: str) -> bytes | None:
        """Read a player's record."""
        return await self.live.player(player)

    async def epoch(self) -> str:
        """Give an id of the server's present life."""
        return await self.live.epoch()
