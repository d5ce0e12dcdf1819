"""The interface of a store of logs, and its errors. One test suite runs over all stores."""

from collections.abc import AsyncIterator, Sequence
from typing import Literal, NamedTuple, Protocol

from events.chain import Head

Kind = Literal["player", "talk"]
"""What a document beside the logs is: the record of a player, or the talk of a match. Unlike a log,
a document can be overwritten.
"""


class Document(NamedTuple):
    """A document as it was read or written."""

    version: int
    """Number of times that it was written; 0 if only an earlier release has written it."""
    data: bytes


class StoreError(Exception):
    """A store failed."""


class Taken(StoreError):
    """The version exists with other bytes. Read what is new and decide again."""


class Gap(Taken):
    """The log lacks the record before this one: it has lost its end, or it is another log.

    Caches of the log are wrong. Read it from the start and decide again.
    """


class Unavailable(StoreError):
    """The log cannot be reached or written now. After an append the outcome is unknown.

    The append may still arrive later as a whole. Send it again with the same command id.
    """


class NotDurable(StoreError):
    """The server's settings could lose acknowledged records. The message names each of them."""


class Store(Protocol):
    """The logs of matches, and documents beside them."""

    async def append(
        self,
        match: str,
        version: int,
        data: bytes,
        before: bytes = b"",
        head: Head | None = None,
    ) -> None:
        """Append a record and wait until it is on disk. Raises `Taken`, `Gap`, `Unavailable`.

        Appending the same bytes at the same version again succeeds. `version` must follow the
        last version that the caller has read, so a process appends to a match one record at a
        time. `before` is the record at that version: if the log has another one, or none, nothing
        is appended. `head` is the signed head after the record, which is kept with it.
        """
        ...

    async def head(self, match: str, version: int) -> Head | None:
        """Return the signed head that was kept with a record, if any. Raises `Unavailable`."""
        ...

    async def confirm(self, match: str) -> None:
        """Wait until all records of a match are as safe as an append that returned.

        The append of a stored record may have failed before enough replicas had the record.
        Raises `Unavailable`.
        """
        ...

    async def read(self, match: str, after: int = 0, count: int | None = None) -> list[bytes]:
        """Return the bytes of the records after version `after`, in order, at most `count`.

        Returns an empty list for an unknown match. Raises `Unavailable`.
        """
        ...

    async def read_many(
        self, matches: Sequence[str], count: int | None = None
    ) -> dict[str, list[bytes]]:
        """Return the records of logs, by match, at most `count` of each. Raises `Unavailable`.

        Logs that take calls of their own are left out: long ones, archived ones, unknown ones.
        """
        ...

    def matches(self) -> AsyncIterator[str]:
        """Yield the ids of all matches, unordered, each at least once. Raises `Unavailable`."""
        ...

    def documents(self, kind: Kind) -> AsyncIterator[str]:
        """Yield the ids of all documents of a kind, unordered, each at least once.

        Raises `Unavailable`.
        """
        ...

    async def put_document(
        self, kind: Kind, name: str, data: bytes, before: Document | None = None
    ) -> Document:
        """Overwrite a document as it was read before, and wait until it is on disk.

        Nothing else is kept of what stood there. None creates it. Writing the same bytes over the
        same document again succeeds. Raises `Taken` if it has been written in the meantime: read
        it and decide again. Raises `Unavailable`.
        """
        ...

    async def document(self, kind: Kind, name: str) -> Document | None:
        """Read a document; None if there is none. Raises `Unavailable`."""
        ...

    async def epoch(self) -> str:
        """Return the id of the current epoch. When it changes, drop all caches of logs.

        An epoch ends when a server was restarted or replaced, and so may have lost records.
        """
        ...


async def append_all(
    store: Store,
    match: str,
    lines: Sequence[bytes],
    there: Sequence[bytes] = (),
    head: Head | None = None,
) -> None:
    """Append the records of a whole log, except those that are there already.

    The signed head is kept with the last record. Raises `Taken`, `Gap`, `Unavailable`.
    """
    before = there[-1] if there else b""
    for version in range(len(there) + 1, len(lines) + 1):
        kept = head if version == len(lines) else None
        await store.append(match, version, lines[version - 1], before, kept)
        before = lines[version - 1]
