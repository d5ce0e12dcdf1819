"""The match cache: folds of recent matches, kept up to date with the log."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar
from weakref import WeakMethod, WeakValueDictionary

from cachetools import LRUCache

from events.chain import ChainBroken
from events.codec import Newer, unseal_header
from events.store import Store, Unavailable
from games.game import AnyGame
from games.match.clocks import SECOND
from games.match.model import Match
from projections.folded import Folded, UnknownGame, Viewer
from projections.transcript import Transcript
from replay.branch import recall
from service.base import metrics
from service.base.clock import now_micros
from service.base.keys import Keys
from service.base.problems import Problem, log_unavailable, not_found, rules_not_here
from service.base.waiting import Signal
from service.play.caller import Caller

ANCESTORS_MAX = 16
"""Maximum number of ancestors of a branch whose logs are read."""
NOT_FOUND = 404
LONG = 400
"""Logs longer than this are folded in a thread, so that the event loop is not blocked."""

T = TypeVar("T")


async def folding(records: int, fold: Callable[[], T]) -> T:
    """Return what a fold of so many records returns, without blocking the event loop for long."""
    return await asyncio.to_thread(fold) if records > LONG else fold()


class CachedMatch:
    """A match in memory: its fold, the lock for appending, and the event that wakes readers."""

    __slots__ = ("__weakref__", "_changed", "delayed", "folded", "lock", "refused", "service_seed")

    def __init__(self, folded: Folded, service_seed: bytes) -> None:
        """Store a fold and the service seed of its match."""
        self.folded = folded
        self.service_seed = service_seed
        self.lock = asyncio.Lock()
        self.delayed: DelayedMatch | None = None
        """What spectators are shown, if they are behind and somebody has asked for it."""
        self.refused = ""
        """Code with which the rules last refused what was due, which is logged once."""
        self._changed: Signal | None = None

    @property
    def match(self) -> Match:
        """The folded match."""
        return self.folded.match

    @property
    def size(self) -> int:
        """Estimated size in memory (bytes). `python -m tests.bench.bench_pure` measures it."""
        followed, read = len(self.folded.followed), self.folded.bytes_read
        own = 22_000 + read // 2 + followed * (7_000 + read // 11)
        return own if self.delayed is None else own + self.delayed.size

    @property
    def changed(self) -> Signal:
        """The signal of the next record."""
        if self._changed is None:
            self._changed = Signal()
        return self._changed

    def wake(self) -> None:
        """Wake those who wait for new records."""
        if self._changed is not None:
            self._changed.set()
            self._changed = None
        if self.delayed is not None:
            self.delayed.expect(self.folded)


class DelayedMatch(CachedMatch):
    """A match with a spectator delay as spectators are shown it: all but its latest records."""

    __slots__ = ("_timer",)

    def __init__(self, folded: Folded, service_seed: bytes) -> None:
        """Store a fold of the earlier records."""
        super().__init__(folded, service_seed)
        self._timer: asyncio.TimerHandle | None = None

    def expect(self, whole: Folded) -> None:
        """Wake readers when the next record of the whole match may be shown: one timer for all."""
        version, now = self.folded.version, now_micros()
        if whole.public_version(now) > version:
            self._due()
        elif whole.version > version and self._timer is None:
            wait = whole.trail.times[version] + whole.match.spectators_behind - now
            due = WeakMethod(self._due)
            self._timer = asyncio.get_running_loop().call_later(wait / SECOND, _call, due)

    def _due(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.wake()


def _call(method: WeakMethod[Callable[[], None]]) -> None:
    """Call the method of an object, if that still exists."""
    if (found := method()) is not None:
        found()


def is_spectator(cached: CachedMatch, caller: Caller) -> bool:
    """Return whether the caller has neither a seat in the match nor a role."""
    return not caller.sees_all and caller.player not in cached.folded.players


class MatchCache:
    """Caches the matches of a store."""

    def __init__(
        self, store: Store, keys: Keys, games: Mapping[str, AnyGame], cache_bytes: int
    ) -> None:
        """Cache matches of a store, up to a number of bytes."""
        self._store = store
        self._keys = keys
        self._games = games
        self._recent: LRUCache[str, CachedMatch] = LRUCache(
            cache_bytes, getsizeof=lambda cached: cached.size
        )
        self._cached: WeakValueDictionary[str, CachedMatch] = WeakValueDictionary()
        self._epoch = ""

    async def get(self, match: str) -> CachedMatch:
        """Return a match that is up to date with the log; raises `Problem` 404, 503."""
        if (cached := await self._held(match)) is None:
            return await self._load(match)
        return await self._caught_up(cached)

    async def recalled(self, match: str) -> CachedMatch:
        """Return a match as `get` does. Its viewers know what they had seen before a branch."""
        cached = await self.get(match)
        if not cached.match.past and (ancestors := await self.ancestors(cached)):
            await asyncio.to_thread(recall, self._games, cached.match, ancestors)
        return cached

    async def known(self, match: str) -> CachedMatch:
        """Return a match as this process knows it; raises `Problem` 404, 503.

        That is enough to decide a command, since the log refuses a version that exists.
        """
        return await self._held(match) or await self._load(match)

    def peek(self, match: str) -> CachedMatch | None:
        """Return a match if it is in memory, as this process knows it."""
        return self._cached.get(match)

    async def _held(self, match: str) -> CachedMatch | None:
        await self._drop_if_restarted()
        if (cached := self._cached.get(match)) is not None:
            metrics.CACHE_READS.add("memory")
        return cached

    async def _caught_up(self, cached: CachedMatch) -> CachedMatch:
        async with cached.lock:
            await self.catch_up(cached)
        return cached

    async def _load(self, match: str) -> CachedMatch:
        """Fold a match from its log. If another task has loaded it by then, use that copy."""
        lines = await self._read(match, 0)
        metrics.CACHE_READS.add("log")
        if not lines:
            raise not_found("match")
        try:
            folded = await self._fold(lines)
        except (UnknownGame, Newer):
            raise rules_not_here() from None
        header = folded.match.header
        cached = CachedMatch(folded, self._keys.service_seed(match, header.key))
        other = self._cached.get(match)
        return self.keep(match, cached) if other is None else await self._caught_up(other)

    async def _fold(self, lines: list[bytes]) -> Folded:
        return await folding(len(lines), partial(Folded.of, self._games, lines))

    async def ancestors(self, cached: CachedMatch) -> list[list[bytes]]:
        """Return the logs of a branch's ancestors, its parent's first, as far as they are known."""
        logs: list[list[bytes]] = []
        fork = cached.match.header.branch
        while fork is not None and len(logs) < ANCESTORS_MAX:
            lines = await self._read(fork.parent, 0)
            if not lines:
                break
            logs.append(lines)
            fork = unseal_header(lines[0]).events[0].branch
        return logs

    async def is_closed(self, cached: CachedMatch) -> bool:
        """Return whether a branch comes from a match that is still being played.

        Such a branch is for officers only.
        """
        header = cached.match.header
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
        """Catch a cached match up with an announced version.

        Return whether the match has reached the version, or is not cached.
        """
        if (cached := self._cached.get(match)) is None or cached.folded.version >= version:
            return True
        async with cached.lock:
            if cached.folded.version < version:
                await self.catch_up(cached)
        return cached.folded.version >= version

    async def catch_up(self, cached: CachedMatch) -> bool:
        """Fold records of other processes; return whether there were any.

        Raises `Problem` 503 if the log no longer has the last record of the fold: a failover may
        lose records, and those that follow now must not be folded onto the lost ones.
        """
        assert not isinstance(cached, DelayedMatch), "only time brings it further"
        if cached.match.over:
            return False
        name = cached.match.header.match
        last, *lines = await self._read(name, cached.folded.version - 1) or [b""]
        if last != cached.folded.last:
            self.forget(name)
            raise log_unavailable()
        try:
            for data in lines:
                cached.folded.extend(data)
        except Exception:
            self.forget(name)
            raise
        if lines:
            self.keep(name, cached)
            cached.wake()
        return bool(lines)

    def keep(self, match: str, cached: CachedMatch) -> CachedMatch:
        """Cache a match, as far as memory allows."""
        for one in filter(None, (cached, cached.delayed)):
            one.folded.pack()
        self._cached[match] = cached
        if cached.size <= self._recent.maxsize:
            self._recent[match] = cached
        return cached

    def forget(self, match: str) -> None:
        """Drop a match that the log contradicts."""
        self._recent.pop(match, None)
        self._cached.pop(match, None)

    async def lines(self, cached: CachedMatch) -> list[bytes]:
        """Return the encoded records of the fold."""
        lines = await self._read(cached.match.header.match, 0)
        return lines[: cached.folded.version]

    async def shown(self, cached: CachedMatch, caller: Caller) -> CachedMatch:
        """Return a match as the caller may see it now: to spectators, with the delay of the match.

        Raises `Problem` 503.
        """
        match = cached.match
        if match.spectator_delay is None or match.over or not is_spectator(cached, caller):
            return cached
        delayed = cached.delayed or await self._delay(cached)
        if delayed.folded.version < cached.folded.public_version(now_micros()):
            async with delayed.lock:
                await self._advance(delayed, cached)
        delayed.expect(cached.folded)
        return delayed

    async def _delay(self, cached: CachedMatch) -> DelayedMatch:
        """Return a copy of a match without the records that spectators are not shown yet."""
        async with cached.lock:
            if cached.delayed is None:
                match = cached.match.header.match
                lines = await self._read(match, 0, cached.folded.public_version(now_micros()))
                folded = await self._fold(lines)
                cached.delayed = DelayedMatch(folded, cached.service_seed)
                self.keep(match, cached)
        return cached.delayed

    async def _advance(self, delayed: DelayedMatch, cached: CachedMatch) -> None:
        """Add the records that spectators may be shown by now."""
        version = delayed.folded.version
        count = cached.folded.public_version(now_micros()) - version
        if count > 0:
            for data in await self._read(cached.match.header.match, version, count):
                delayed.folded.extend(data)
            delayed.wake()

    async def follow(self, cached: CachedMatch, viewer: Viewer) -> Transcript:
        """Return all records as redacted for a viewer; they grow with the match."""
        told = cached.folded.told(viewer)
        if told is None:
            async with cached.lock:
                await self.follow_locked(cached, viewer)
            told = cached.folded.told(viewer)
        assert told is not None, "the viewer is followed now"
        return told

    async def follow_locked(self, cached: CachedMatch, viewer: Viewer) -> None:
        """Start to redact records for a viewer; the caller holds the lock of the match."""
        if cached.folded.told(viewer) is not None:
            return
        name = cached.match.header.match
        lines = await self.lines(cached)
        try:
            await folding(len(lines), partial(cached.folded.follow, (viewer,), lines))
        except ChainBroken:
            self.forget(name)
            raise log_unavailable() from None
        if self._cached.get(name) is cached:
            self.keep(name, cached)

    @property
    def memory(self) -> int:
        """Estimated size of the recent matches (bytes)."""
        return int(self._recent.currsize)

    def open(self) -> list[CachedMatch]:
        """Return the matches in memory."""
        return list(self._cached.values())

    async def _read(self, match: str, after: int, count: int | None = None) -> list[bytes]:
        try:
            return await self._store.read(match, after, count)
        except Unavailable:
            raise log_unavailable() from None

    async def _drop_if_restarted(self) -> None:
        """Drop all matches if the server has been restarted: it may have lost records."""
        try:
            epoch = await self._store.epoch()
        except Unavailable:
            return
        if self._epoch and epoch != self._epoch:
            dropped = self.open()
            self._recent.clear()
            self._cached.clear()
            for cached in dropped:
                cached.wake()
        self._epoch = epoch
