"""What every store of logs promises, and how it fails. One suite of tests runs over all of them."""

from collections.abc import AsyncIterator
from typing import Protocol


class StoreError(Exception):
    """The store could not do it."""


class Taken(StoreError):
    """That version exists with other bytes: catch up and decide again."""


class Gap(Taken):
    """The record that this one follows is not in the log: the log has lost its end, or is another one.

    Caches are wrong: read from the start, and decide again.
    """


class Unavailable(StoreError):
    """The log can't be reached or written now. After an append this means: nothing is known to be written.

    The append may still arrive later, whole; whoever sent it asks again with the same command id.
    """


class NotDurable(StoreError):
    """The server's settings would lose acknowledged records; the message names each of them."""


class Store(Protocol):
    """Matches' logs, and players' records beside them."""

    async def append(self, match: str, version: int, data: bytes) -> None:
        """Put a record on disk, or raise.

        Appending the same bytes at the same version again succeeds. The caller's version follows the last it has
        read: at most one append per match is under way in a process. Raises `Taken`, `Unavailable`.
        """
        ...

    async def confirm(self, match: str) -> None:
        """Return when what stands in a match's log is as safe as an append that returned; raises `Unavailable`.

        A record may stand there whose own append was given up before enough replicas had it.
        """
        ...

    async def read(self, match: str, after: int = 0, count: int | None = None) -> list[bytes]:
        """Give the bytes of the records after a version, in order; [] for an unknown match."""
        ...

    def matches(self) -> AsyncIterator[str]:
        """Give the ids of all matches, in no order, each at least once."""
        ...

    def players(self) -> AsyncIterator[str]:
        """Give the ids of all players, in no order, each at least once."""
        ...

    async def put_player(self, player: str, data: bytes) -> None:
        """Write a player's record, on disk when it returns."""
        ...

    async def player(self, player: str) -> bytes | None:
        """Read a player's record."""
        ...

    async def epoch(self) -> str:
        """Give an id of the server's present life: when it changes, caches of logs are dropped."""
        ...
