"""Folds of matches in memory: kept while they are recent, brought up to date from the log, dropped when in doubt."""

import asyncio
from collections.abc import Mapping
from weakref import WeakValueDictionary

from cachetools import LRUCache

from events.codec import Newer, unseal_header
from events.store import Store, StoreError, Unavailable
from games.game import AnyGame
from games.match.model import Match
from projections.folded import Folded, UnknownGame, Viewer
from replay.branch import recall
from service.base import metrics
from service.base.keys import Keys
from service.base.problems import Problem, log_unavailable, not_found, rules_not_here

ANCESTORS_MAX = 16
"""Generations of a branch whose logs are read for what everyone had seen."""
NOT_FOUND = 404
LONG = 400
"""Records of a log that is folded beside the event loop, lest it stand still."""


class Live:
    """A match in memory: its fold, whose turn it is to append, and who waits for what comes."""

    __slots__ = ("__weakref__", "changed", "folded", "lock", "part")

    def __init__(self, folded: Folded, part: bytes) -> None:
        """Hold a fold and the service's part of its seed."""
        self.folded = folded
        self.part = part
        self.lock = asyncio.Lock()
        self.changed = asyncio.Event()

    @property
    def match(self) -> Match:
        """The match as folded."""
        return self.folded.match

    @property
    def size(self) -> int:
        """Estimate the bytes in memory; `make bench` measures them."""
        return 20_000 + 4 * self.folded.bytes_read

    def wake(self) -> None:
        """Tell those who wait that records have come."""
        self.changed.set()
        self.changed = asyncio.Event()


class Lives:
    """The matches in memory, of all that a store has."""

    def __init__(
        self, store: Store, keys: Keys, games: Mapping[str, AnyGame], cache_bytes: int
    ) -> None:
        """Hold folds of a store's matches in so much memory."""
        self._store = store
        self._keys = keys
        self._games = games
        self._recent: LRUCache[str, Live] = LRUCache(cache_bytes, getsizeof=lambda live: live.size)
        self._lives: WeakValueDictionary[str, Live] = WeakValueDictionary()
        self._epoch = ""

    async def get(self, match: str) -> Live:
        """Give a match as far as the log goes now; raises `Problem` 404, 503."""
        if (live := await self._held(match)) is None:
            return await self._load(match)
        return await self._caught_up(live)

    async def known(self, match: str) -> Live:
        """Give a match as far as this process knows it: enough to decide on, since the log refuses what is stale."""
        return await self._held(match) or await self._load(match)

    async def _held(self, match: str) -> Live | None:
        await self._drop_if_restarted()
        if (live := self._lives.get(match)) is not None:
            metrics.CACHE_HITS.inc()
        return live

    async def _caught_up(self, live: Live) -> Live:
        async with live.lock:
            await self.catch_up(live)
        return live

    async def _load(self, match: str) -> Live:
        """Fold a match from its log; one that somebody else has loaded meanwhile is brought as far."""
        lines = await self._read(match, 0)
        metrics.CACHE_MISSES.inc()
        if not lines:
            raise not_found("match")
        try:
            folded = (
                await asyncio.to_thread(Folded.of, self._games, lines)
                if len(lines) > LONG
                else Folded.of(self._games, lines)
            )
        except (UnknownGame, Newer):
            raise rules_not_here() from None
        header = folded.match.header
        live = Live(folded, self._keys.part(match, header.key))
        await self.remember(live)
        other = self._lives.get(match)
        return self.keep(match, live) if other is None else await self._caught_up(other)

    async def remember(self, live: Live) -> None:
        """Give a branch what everyone had seen before the fork."""
        lineage = await self.lineage(live)
        if lineage:
            await asyncio.to_thread(recall, self._games, live.match, lineage)

    async def lineage(self, live: Live) -> list[list[bytes]]:
        """Give the logs that a branch comes from, its parent's first, as far as they are here."""
        logs: list[list[bytes]] = []
        fork = live.match.header.branch
        while fork is not None and len(logs) < ANCESTORS_MAX:
            lines = await self._read(fork.parent, 0)
            if not lines:
                break
            logs.append(lines)
            fork = unseal_header(lines[0]).events[0].branch
        return logs

    async def is_closed(self, live: Live) -> bool:
        """Tell whether a branch was forked from what is still being played: then it is for officers alone."""
        header = live.match.header
        while header.branch is not None and header.branch.closed:
            try:
                parent = (await self.get(header.branch.parent)).match
            except Problem as problem:
                if problem.status != NOT_FOUND:
                    raise
                return True
            if not parent.over:
                return True
            header = parent.header
        return False

    async def reach(self, match: str, version: int) -> bool:
        """Bring a match that is in memory up to an announced version; tell whether it is there, or not in memory."""
        if (live := self._lives.get(match)) is None or live.folded.version >= version:
            return True
        async with live.lock:
            if live.folded.version < version:
                await self.catch_up(live)
        return live.folded.version >= version

    async def catch_up(self, live: Live) -> bool:
        """Fold what other processes have appended; tell whether there was any. What is over stays as it is."""
        if live.match.over:
            return False
        name = live.match.header.match
        lines = await self._read(name, live.folded.version)
        try:
            for data in lines:
                live.folded.extend(data)
        except Exception:
            self.forget(name)
            raise
        if lines:
            self.keep(name, live)
            live.wake()
        return bool(lines)

    def keep(self, match: str, live: Live) -> Live:
        """Hold a fold while it is recent, as far as memory goes."""
        self._lives[match] = live
        if live.size <= self._recent.maxsize:
            self._recent[match] = live
        return live

    def forget(self, match: str) -> None:
        """Drop a fold that the log contradicts."""
        self._recent.pop(match, None)
        self._lives.pop(match, None)

    async def lines(self, live: Live, after: int = 0) -> list[bytes]:
        """Give the bytes of the records of the fold that come after a version."""
        lines = await self._read(live.match.header.match, after)
        return lines[: live.folded.version - after]

    async def follow(self, live: Live, viewer: Viewer) -> list[bytes]:
        """Give all records as told to a viewer, and keep them coming."""
        told = live.folded.told(viewer)
        if told is None:
            async with live.lock:
                await self.follow_locked(live, viewer)
            told = live.folded.told(viewer)
        assert told is not None, "followed now"
        return told

    async def follow_locked(self, live: Live, viewer: Viewer) -> None:
        """Start to keep what a viewer is told; the caller holds the match's lock."""
        if live.folded.told(viewer) is None:
            live.folded.follow((viewer,), await self.lines(live))

    @property
    def memory(self) -> int:
        """The memory that recent folds take, as estimated."""
        return int(self._recent.currsize)

    def open(self) -> list[Live]:
        """Give the matches in memory."""
        return list(self._lives.values())

    async def _read(self, match: str, after: int) -> list[bytes]:
        try:
            return await self._store.read(match, after)
        except StoreError:
            raise log_unavailable() from None

    async def _drop_if_restarted(self) -> None:
        """Forget all folds when the server was restarted: it may know less than we do."""
        try:
            epoch = await self._store.epoch()
        except Unavailable:
            return
        if self._epoch and epoch != self._epoch:
            dropped = self.open()
            self._recent.clear()
            self._lives.clear()
            for live in dropped:
                live.wake()
        self._epoch = epoch
