"""Logs in memory, for tests and as the reference that other stores are compared with."""

from collections.abc import AsyncIterator, Sequence

from events.chain import Head
from events.store import Document, Gap, Kind, Taken


class MemoryStore:
    """A `Store` that keeps everything in this process."""

    def __init__(self) -> None:
        """Start without records."""
        self._logs: dict[str, list[bytes]] = {}
        self._heads: dict[tuple[str, int], Head] = {}
        self._documents: dict[tuple[Kind, str], Document] = {}

    async def append(
        self,
        match: str,
        version: int,
        data: bytes,
        before: bytes = b"",
        head: Head | None = None,
    ) -> None:
        """Append a record. Raises `Taken`, `Gap`."""
        assert version >= 1, "versions count from 1"
        lines = self._logs.get(match, [])
        if version <= len(lines):
            if lines[version - 1] != data:
                raise Taken(f"{match} already has another record at version {version}")
            return
        if version > len(lines) + 1 or (before and lines[-1] != before):
            raise Gap(f"{match} lacks the record that version {version} was decided on")
        self._logs.setdefault(match, lines).append(data)
        if head is not None:
            self._heads[match, version] = head

    async def head(self, match: str, version: int) -> Head | None:
        """Return the signed head that was kept with a record, if any."""
        return self._heads.get((match, version))

    async def confirm(self, match: str) -> None:
        """Do nothing: memory has no replicas."""

    async def read(self, match: str, after: int = 0, count: int | None = None) -> list[bytes]:
        """Return the bytes of the records after version `after`, in order, at most `count`."""
        lines = self._logs.get(match, [])
        return lines[after:] if count is None else lines[after : after + count]

    async def read_many(
        self, matches: Sequence[str], count: int | None = None
    ) -> dict[str, list[bytes]]:
        """Return the records of logs, by match, at most `count` of each."""
        return {match: self._logs[match][:count] for match in matches if match in self._logs}

    async def matches(self) -> AsyncIterator[str]:
        """Yield the ids of all matches."""
        for match in list(self._logs):
            yield match

    async def documents(self, kind: Kind) -> AsyncIterator[str]:
        """Yield the ids of all documents of a kind."""
        for found, name in list(self._documents):
            if found == kind:
                yield name

    async def forget(self, match: str) -> None:
        """Remove the talk and the log of a match. The caller must have archived the log."""
        self._documents.pop(("talk", match), None)
        self._logs.pop(match, None)

    async def put_document(
        self, kind: Kind, name: str, data: bytes, before: Document | None = None
    ) -> Document:
        """Overwrite a document as it was read before. Raises `Taken`."""
        after = Document(1 if before is None else before.version + 1, data)
        if self._documents.get((kind, name)) not in (before, after):
            raise Taken(f"{kind} {name} has been written in the meantime")
        self._documents[kind, name] = after
        return after

    async def document(self, kind: Kind, name: str) -> Document | None:
        """Read a document; None if there is none."""
        return self._documents.get((kind, name))

    async def epoch(self) -> str:
        """Return a constant id: records in memory are not lost while the process runs."""
        return "memory"

    async def aclose(self) -> None:
        """Do nothing."""
