"""The projector: follows the feed, updates cached matches, and writes the rows of projections.

Every process follows the feed, so that its open streams learn what other processes have appended.
The processes share the partitions of the feed: each writes the rows of the matches in its
partitions. When a process comes or goes, the shares change, and who takes a partition over starts
shortly before the position of the last holder. Two that hold a partition for a moment do no harm,
since an older row never replaces a newer one. One process leads: it also folds all logs again where
rows may be missing, and counts results for the standings.

An announcement precedes its record, so a record that is not in the log yet is looked for again for
ten seconds. If the work Redis was wiped or restarted, or announcements were trimmed before they
were read, all logs are folded again, while play goes on.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import msgspec
import structlog
from anyio import BrokenWorkerProcess
from redis.exceptions import RedisError

from events.store import Store, Unavailable
from games.game import AnyGame
from games.match.clocks import SECOND
from projections.folded import why_not
from projections.notices import Notice
from projections.rebuild import settle_all
from projections.refold import LoadErrata, Stopped, refold
from projections.rows import NoRows, Rows
from projections.summary import Summary, status_notices, summary
from service.base.background import in_background
from service.base.clock import now_micros
from service.base.problems import Problem
from service.play.feed import (
    Announcement,
    Feed,
    FellBehind,
    Positions,
    key_of,
    overlapping,
    starts,
)
from service.play.leases import Leased, Leases
from service.play.match_cache import CachedMatch, MatchCache

TICK_S = 0.5
"""Interval of checks of lease, generation and results (seconds)."""
WAIT_MS = 500
LOOK_AGAIN_MS = 10
LOOK_AGAIN_S = 10.0
"""Time for which an announced record is looked for (seconds)."""
POSITIONS = "projector:positions"
PARKED = "projector:parked"
RETRY_S = 0.5
LANDED_S = 0.5
"""Time after which the records announced to a wiped Redis are in the log (seconds)."""
ROWS_MS = 50
ROWS_S = ROWS_MS / 1_000
"""Interval between two writes of a match's row: short for people in the lobby, cheap for play."""
NEWS_S = 60
"""Time for which the start or end of a match is news (seconds)."""
AT_ONCE = 16
"""Number of matches caught up together."""

log = structlog.get_logger("shiplog")


class Parked(msgspec.Struct, frozen=True):
    """A match whose log cannot be folded here."""

    version: int
    why: str


class Projector:
    """Follows the feed for one process."""

    def __init__(
        self,
        cache: MatchCache,
        store: Store,
        feed: Feed,
        work: Any,
        games: Mapping[str, AnyGame],
        errata: LoadErrata,
        *,
        noted: bool = False,
    ) -> None:
        """Follow for a match cache; `work` is an asyncio client of the work Redis (of bytes).

        `errata` loads the errata of all matches. `noted`: matches whose rows are written are also
        noted for who extends the checkpoint log (`Rows.written_after`).
        """
        self._noted = noted
        self._errata = errata
        self.rows = Rows(work)
        self.leading = False
        """Whether this process sees to the rows as a whole."""
        self.held: frozenset[bytes] = frozenset()
        """Partitions of the feed whose rows this process writes."""
        self.moved = asyncio.Event()
        """Set when rows have changed; the waiting task clears it."""
        self._cache = cache
        self._store = store
        self._feed = feed
        self._work = work
        self._games = games
        self._leases = Leases(work)
        self._generation = ""
        self._positions: Positions = {}
        self._sought: dict[str, tuple[int, float]] = {}
        """By match, the announced version and until when it is looked for."""
        self._parked: set[str] = set()
        self._freed: set[str] = set()
        """Matches parked by an earlier holder that are tried again."""
        self._changed: dict[str, CachedMatch] = {}
        """Matches whose rows are to be written."""
        self._put_at = 0.0
        self._refolding: asyncio.Task[None] | None = None
        self._ticked = 0.0

    async def run(self) -> None:
        """Follow until cancelled."""
        failing = False
        try:
            while True:
                try:
                    await self.step()
                    failing = False
                except (RedisError, OSError, Unavailable, NoRows) as error:
                    if not failing:
                        log.warning("projector", error=type(error).__name__)
                    failing = True
                    self.leading, self.held = False, frozenset()
                    self._ticked = 0.0
                    await asyncio.sleep(RETRY_S)
        finally:
            await self._stop()

    async def step(self) -> None:
        """Read announcements, and now and then check everything else."""
        now = _now()
        if not self._positions:
            self._positions = overlapping(await self._feed.ends())
        if now - self._ticked >= TICK_S:
            await self._tick()
            self._ticked = now
        try:
            batch = await self._feed.read(self._positions, self._patience_ms(now))
        except FellBehind:
            await self._skip()
            return
        self._seek(batch)
        await self._look()
        if self._changed and _now() - self._put_at >= ROWS_S:
            await self._put_changed()
        if batch and self.held:
            kept = {key: self._positions[key] for key in self.held}
            await self._work.hset(POSITIONS, mapping=kept)

    async def _skip(self) -> None:
        """Continue at the end of the feed; the logs have what was missed."""
        log.warning("projector", fell_behind=True)
        self._positions = await self._feed.ends()
        await self._wake_all()
        if self.held:
            await self._doubt()

    def _seek(self, batch: Sequence[Announcement]) -> None:
        """Note announced versions to look for. They may come twice, and out of order."""
        until = _now() + LOOK_AGAIN_S
        for match, version in batch:
            sought, _ = self._sought.get(match, (0, 0.0))
            self._sought[match] = (max(version, sought), until)

    def _patience_ms(self, now: float) -> int:
        """Return how long to wait for announcements: shortly while new ones are looked for."""
        if self._changed:
            return ROWS_MS
        if not self._sought:
            return WAIT_MS
        newest = max(until for _, until in self._sought.values())
        return LOOK_AGAIN_MS if newest - now > LOOK_AGAIN_S - 1 else WAIT_MS // 2

    async def _tick(self) -> None:
        """Renew the leases, and check the generation and the standings."""
        leads, held = await self._leases.renew()
        if gained := held - self.held:
            await self._take_over(gained)
        self.leading, self.held = leads, held
        try:
            generation = await self.rows.generation()
        except NoRows:
            generation = await self.rows.begin("current") if leads else ""
        if generation != self._generation:
            await self._begin_again(generation)
        if leads:
            await self._see_to_restart()
            await self._see_to_rows(generation)

    async def _see_to_restart(self) -> None:
        """Doubt the rows of a server that was started anew: a crash loses its last second."""
        server, noted = await self.rows.server(), await self.rows.noted_server()
        if server == noted:
            return
        if noted is not None:
            await self._doubt()
        await self.rows.note_server(server)

    async def _begin_again(self, generation: str) -> None:
        """Read all announcements again for a new generation of rows, except at the start."""
        if self._generation:
            self._positions = starts()
            await self._wake_all()
            self._parked.clear()
        self._generation = generation

    async def _take_over(self, gained: frozenset[bytes]) -> None:
        """Start shortly before the last holders' positions, and retry what they could not fold."""
        kept = await self._work.hgetall(POSITIONS)
        before = overlapping({key: kept[key] for key in gained if key in kept})
        self._positions |= {key: before.get(key, starts()[key]) for key in gained}
        parked = {match.decode() for match in await self._work.hkeys(PARKED)}
        retried = {match for match in parked if _partition(match) in gained}
        self._parked = {match for match in self._parked if _partition(match) not in gained}
        self._freed |= retried
        self._seek([Announcement(match, 1) for match in retried])

    async def _see_to_rows(self, generation: str) -> None:
        if self._refolding is not None and self._refolding.done():
            self._refolding = None
        if self._refolding is not None:
            return
        if await self.rows.is_complete(generation):
            await settle_all(self.rows, generation, self._games)
        else:
            self._refolding = asyncio.create_task(self._refold(generation))

    async def _doubt(self) -> None:
        """Have the leader fold all logs again, from the beginning if that is under way."""
        await self.rows.doubt()
        if self._refolding is not None:
            self._refolding.cancel()

    async def _refold(self, generation: str) -> None:
        """Fold all logs, and park those that cannot be folded."""
        log.info("projector", refolding=generation)
        await asyncio.sleep(LANDED_S)
        try:
            doubt = await self.rows.doubted()
            parts = (self._store, self._games, self._put)
            count = await refold(*parts, _unseen, self._park, self._errata)
            await settle_all(self.rows, generation, self._games)
            await self.rows.complete(generation, doubt)
            log.info("projector", refolded=count)
        except (RedisError, OSError, Unavailable, NoRows, BrokenWorkerProcess) as error:
            log.warning("projector", error=type(error).__name__)

    async def _look(self) -> None:
        """Search the log for the announced records; those not there yet stay on the list."""
        sought = list(self._sought.items())
        for start in range(0, len(sought), AT_ONCE):
            some = sought[start : start + AT_ONCE]
            found = await asyncio.gather(
                *(self._take(Announcement(match, version)) for match, (version, _) in some),
                return_exceptions=True,
            )
            for (match, (version, until)), here in zip(some, found, strict=True):
                if isinstance(here, BaseException):
                    raise here
                same = self._sought.get(match) == (version, until)
                if same and (here or _now() > until):
                    del self._sought[match]

    async def _take(self, announced: Announcement) -> bool:
        """Catch a match up with an announced version; return whether it has been reached."""
        match, version = announced
        if match in self._parked:
            return True
        try:
            if _partition(match) not in self.held:
                return await self._cache.reach(match, version)
            cached = await self._cache.known(match)
            await self._cache.reach(match, version)
            here = cached.folded.version >= version
            if here:
                self._changed[match] = cached
        except Problem as problem:
            if problem.status == 404:
                return False
            if problem.code == "rules-version-not-here":
                await self._park(Stopped(match, 1, problem.detail))
                return True
            raise Unavailable(problem.detail) from None
        except (RedisError, OSError, NoRows):
            raise
        except Exception as error:  # noqa: BLE001 - the rules may fail in any way
            await self._park(Stopped(match, version, why_not(error)))
            return True
        return here

    async def _put_changed(self) -> None:
        """Write the rows of changed matches; several records of a fast match share a write."""
        changed, self._changed = self._changed, {}
        self._put_at = _now()
        try:
            summaries: list[Summary] = []
            for match, cached in list(changed.items()):
                try:
                    summaries.append(summary(cached.match))
                except Exception as error:  # noqa: BLE001 - one match must not stop the others
                    await self._park(Stopped(match, cached.folded.version, repr(error)))
                    del changed[match]
            await self._put(summaries)
            changed.clear()
        finally:
            self._changed = changed | self._changed

    async def _put(self, summaries: Sequence[Summary]) -> None:
        """Write rows. Players are told of a new status, unless the match is only folded again."""
        if any(await self.rows.apply_all(summaries, news=_news, noted=self._noted)):
            self.moved.set()
        for one in summaries:
            if one.match in self._freed:
                self._freed.discard(one.match)
                await self._work.hdel(PARKED, one.match)

    async def _park(self, stop: Stopped) -> None:
        log.error("projector", parked=stop.match, version=stop.version, why=stop.why)
        self._parked.add(stop.match)
        parked = msgspec.json.encode(Parked(stop.version, stop.why))
        await self._work.hset(PARKED, stop.match, parked)

    async def _wake_all(self) -> None:
        """Catch all cached matches up, since any of them may have changed."""
        for cached in self._cache.open():
            await self._take(Announcement(cached.match.header.match, cached.folded.version + 1))

    async def _stop(self) -> None:
        if self._refolding is not None:
            self._refolding.cancel()
            with suppress(asyncio.CancelledError):
                await self._refolding
        with suppress(RedisError, OSError):
            await self._leases.end(Leased(self.leading, self.held))


@asynccontextmanager
async def following(projector: Projector) -> AsyncIterator[Projector]:
    """Run a projector in the background."""
    async with in_background(projector.run()):
        yield projector


def _partition(match: str) -> bytes:
    return key_of(match).encode()


def _news(one: Summary) -> Iterable[tuple[str, Notice]]:
    recent = one.told_at > now_micros() - NEWS_S * SECOND
    return status_notices(one) if recent else ()


def _unseen(_done: int, _all: int) -> None:
    """Show no progress."""


def _now() -> float:
    return asyncio.get_running_loop().time()
