"""Logs in memory: for tests, and as the model that the other stores are compared with."""

from collections.abc import AsyncIterator

from events.store import Gap, Taken


class MemoryStore:
    """A `Store` that holds everything in this process. Refuses gaps."""

    def __init__(self) -> None:
        """Start empty."""
        self._logs: dict[str, list[bytes]] = {}
        self._players: dict[str, bytes] = {}

    async def append(self, match: str, version: int, data: bytes) -> None:
        """Keep a record, or raise `Taken` or `Gap`."""
        assert version >= 1, "versions count from 1"
        lines = self._logs.get(match, [])
        if version <= len(lines):
            if lines[version - 1] != data:
                raise Taken(f"{match} has another record {version}")
            return
        if version > len(lines) + 1:
            raise Gap(f"{match} has no record {version - 1}")
        self._logs.setdefault(match, lines).append(data)

    async def confirm(self, match: str) -> None:
        """Do nothing: what is kept is kept."""

    async def read(self, match: str, after: int = 0, count: int | None = None) -> list[bytes]:
        """Give the bytes of the records after a version."""
        lines = self._logs.get(match, [])
        return lines[after:] if count is None else lines[after : after + count]

    async def matches(self) -> AsyncIterator[str]:
        """Give the ids of all matches."""
        for match in list(self._logs):
            yield match

    async def players(self) -> AsyncIterator[str]:
        """Give the ids of all players."""
        for player in list(self._players):
            yield player

    async def forget(self, match: str) -> None:
        """Remove a match's log; whoever asks has made sure that the archive holds it."""
        self._logs.pop(match, None)

    async def put_player(self, player: str, data: bytes) -> None:
        """Keep a player's record."""
        self._players[player] = data

    async def player(self, player: str) -> bytes | None:
        """Give a player's record."""
        return self._players.get(player)

    async def epoch(self) -> str:
        """Give the same id always: this store lives as long as its process."""
        return "memory"

    async def aclose(self) -> None:
        """Do nothing."""
