"""Extend the checkpoint log: commit to the heads of matches at a fixed beat.

The process that leads the projectors does it, by the rows that all of them write. Nothing waits
for it. Only one process can replace the last signed checkpoint, so two that lead for a moment
cannot contradict each other.

Whether a match gets a leaf depends only on what spectators are shown (`due_leaves`). The leaves of
a beat are ordered by their bytes, which look random.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import structlog
from redis.exceptions import RedisError

from events.checkpoints.leaves import Leaf, MatchHead, commitment, due_leaves
from events.checkpoints.log import LEAVES_MAX, CheckpointLog, Entry
from events.checkpoints.reader import LogBroken
from events.folder import Folder, Swapped
from events.record import at_text
from events.store import StoreError
from games import GAMES
from games.match.clocks import SECOND
from games.match.seed import leaf_secret
from games.match.viewers import own_number
from projections.folded import Folded
from projections.refold import Stopped
from projections.rows import NoRows, Rows
from projections.summary import Summary
from service.base import metrics
from service.base.background import in_background
from service.base.clock import now_micros
from service.play.match_cache import CachedMatch
from service.play.projector import Projector, following
from service.process.context import Context
from service.process.errata import all_errata, correct_row, errata_entries

PADDING_S = 600
"""Time after which a quiet log gets a leaf as a sign of life (seconds)."""
FOLDED_MAX = 200
"""Maximum number of matches at a beat that are not in memory and have to be folded."""
LAST_BEAT_S = 10.0
"""Time that the last beat may take when the process stops (seconds)."""
TOGETHER = 100
"""Number of matches that are looked at before other tasks have a turn."""
BATCH = 500
"""Number of rows read at once."""
PENDING_MAX = 200_000
"""Maximum number of matches to look at. The others are found again by comparing all matches."""

log = structlog.get_logger("shiplog")


class Checkpointer:
    """Collects changed matches, and commits to their heads at every beat."""

    def __init__(self, context: Context, place: str) -> None:
        """Write to a folder or URL."""
        settings = context.settings
        self._context = context
        self._signer = context.keys.checkpoint_signer(settings.checkpoint_origin)
        self._place = place
        self._log: CheckpointLog | None = None
        self._pending: dict[str, Summary | None] = {}
        """Matches that may need leaves, with their row if it was seen."""
        self._errata: set[str] = set()
        """Matches whose errata may need leaves."""
        self._unreadable: set[str] = set()
        self._grown_at = 0
        self._generation = ""
        self._written = b"0-0"
        """Position in the matches whose rows were written."""

    def note(self, row: Summary) -> None:
        """Note a match whose row was written."""
        if len(self._pending) < PENDING_MAX:
            self._pending[row.match] = row
        else:
            self._log = None

    async def _note_written(self, rows: Rows) -> None:
        """Note the matches whose rows were written since the last time.

        If some of these were trimmed, all matches are compared at the next beat.
        """
        generation = await rows.generation()
        if generation != self._generation:
            self._generation, self._written = generation, b"0-0"
        try:
            names, self._written = await rows.written_after(self._written)
        except LookupError:
            self._log = None
            return
        for start in range(0, len(names), BATCH):
            for row in await rows.summaries(generation, names[start : start + BATCH]):
                self.note(row)

    async def beat(self, projector: Projector) -> int:
        """Commit to all heads that are due, if this process leads; return the number of leaves.

        Raises `LogBroken`, `StoreError`, `RedisError`, `OSError`, `NoRows`.
        """
        if not projector.leading:
            self._log = None
            self._pending.clear()
            return 0
        try:
            checkpoints = self._log or await self._open(projector)
            await self._note_written(projector.rows)
            entries, done = await self._due(checkpoints)
            errata = await self._due_errata(checkpoints)
            entries += errata
            entries = [*self._first(checkpoints, len(entries)), *entries]
            if entries:
                await asyncio.to_thread(checkpoints.append, entries)
                self._grown_at = now_micros()
                metrics.CHECKPOINT_SIZE.set(checkpoints.checkpoint.size)
        except BaseException:
            self._log = None
            raise
        for match, row in done.items():
            if self._pending.get(match) is row:
                del self._pending[match]
        self._errata.clear()
        for match in {entry.leaf.match for entry in errata}:
            with suppress(Stopped):
                await correct_row(self._context, match)
        return len(entries)

    async def _open(self, projector: Projector) -> CheckpointLog:
        """Open the log, and note every match whose leaves may be missing."""
        opened = await asyncio.to_thread(CheckpointLog, Folder(self._place), self._signer)
        self._generation = generation = await projector.rows.generation()
        self._written = await projector.rows.written_end()
        store = self._context.store
        live = [match async for match in store.live.matches() if match not in opened.ended]
        if store.archive is not None:
            archived = [match async for match in store.archive.matches()]
            self._pending |= dict.fromkeys(set(archived) - opened.ended)
            self._errata.update(await store.archive.with_errata())
        for start in range(0, len(live), BATCH):
            some = live[start : start + BATCH]
            rows = {row.match: row for row in await projector.rows.summaries(generation, some)}
            self._pending = {match: rows.get(match) for match in some} | self._pending
        self._log = opened
        self._grown_at = now_micros()
        metrics.CHECKPOINT_SIZE.set(opened.checkpoint.size)
        log.info("checkpoints", size=opened.checkpoint.size, origin=opened.checkpoint.origin)
        return opened

    def _first(self, checkpoints: CheckpointLog, count: int) -> Sequence[Entry]:
        """Return what goes before the leaves: a predecessor, or the padding of a quiet log."""
        size = checkpoints.checkpoint.size
        before = self._context.settings.checkpoint_before
        now = now_micros()
        if size == 0 and before is not None:
            return [_predecessor(before)]
        if count or (size and now < self._grown_at + PADDING_S * SECOND):
            return []
        leaf = Leaf("padding", version=size, at=at_text(now))
        return [Entry(commitment(self._context.keys.padding_secret, leaf), leaf)]

    async def _due(
        self, checkpoints: CheckpointLog
    ) -> tuple[list[Entry], dict[str, Summary | None]]:
        """Return the entries that are due, and the pending matches that need no other look."""
        entries: list[Entry] = []
        done: dict[str, Summary | None] = {}
        folded, now = 0, now_micros()
        for place, (match, row) in enumerate(list(self._pending.items())):
            if place % TOGETHER == 0:
                await asyncio.sleep(0)
            if len(entries) + 2 > LEAVES_MAX:
                break
            last = checkpoints.last(match)
            if row is not None and last is not None and not _may_be_due(row, last):
                done[match] = row
                continue
            cached = self._context.cache.peek(match)
            if cached is None and folded < FOLDED_MAX:
                folded += 1
                if (cached := await self._folded(match)) is None:
                    done[match] = row
            if cached is None:
                continue
            entries += entries_of(cached.folded, cached.service_seed, last, now)
            if cached.folded.public_version(now) == cached.folded.version:
                done[match] = row
        entries.sort(key=lambda entry: (entry.leaf.kind != "opening", entry.data))
        return entries, done

    async def _due_errata(self, checkpoints: CheckpointLog) -> list[Entry]:
        """Return the entries of errata that have no leaf.

        Who signs one commits to it at once. The others come from a copy of the store, or from a
        release that gave them no leaves.
        """
        known = checkpoints.errata
        parts = (self._context.store, self._context.keys)
        found = [await errata_entries(*parts, match, known) for match in self._errata]
        return [entry for entries in found for entry in entries]

    async def _folded(self, match: str) -> CachedMatch | None:
        """Fold a match that is not in memory. Returns None if it cannot be read."""
        if match in self._unreadable or not (lines := await self._context.store.read(match)):
            return None
        try:
            folded = await asyncio.to_thread(Folded.of, GAMES, lines)
            seed = self._context.keys.service_seed(match, folded.match.header.key)
        except Exception as error:  # noqa: BLE001 - a damaged match must not stop the others
            log.warning("checkpoints", match=match, unreadable=repr(error))
            self._unreadable.add(match)
            return None
        return CachedMatch(folded, seed)


def match_head(folded: Folded, now: int) -> MatchHead:
    """Return what the leaves of a folded match depend on at a time."""
    match = folded.match
    return MatchHead(
        match=match.header.match,
        version=match.version,
        head=folded.head,
        at=match.at,
        shown=own_number(match, None, folded.public_version(now)),
        over=match.over,
        opening=folded.trail.head_at(1),
        opened=match.opened,
    )


def entries_of(folded: Folded, service_seed: bytes, last: Leaf | None, now: int) -> list[Entry]:
    """Return the entries that a match needs next, given the last leaf that it has."""
    leaves = due_leaves(match_head(folded, now), last)
    if not leaves:
        return []
    secret = leaf_secret(service_seed)
    return [Entry(commitment(secret, leaf), leaf) for leaf in leaves]


def _may_be_due(row: Summary, last: Leaf) -> bool:
    over = row.status in ("finished", "abandoned")
    news = row.spectator_delay is not None or row.told_version > last.shown
    return last.kind != "end" and (over or news)


def _predecessor(path: Path) -> Entry:
    return Entry(path.read_bytes(), Leaf("predecessor"))


@asynccontextmanager
async def projecting(context: Context) -> AsyncIterator[Projector]:
    """Run a process's projector in the background, and extend the checkpoint log if there is one.

    At the end, the log is extended once more.
    """
    parts = (context.cache, context.store, context.feed, context.work, GAMES)
    place = context.settings.checkpoints_place
    errata = partial(all_errata, context)
    if place is None:
        async with following(Projector(*parts, errata)) as projector:
            yield projector
        return
    checkpointer = Checkpointer(context, place)
    async with following(Projector(*parts, errata, noted=True)) as projector:
        try:
            async with in_background(_run(checkpointer, projector, context.settings.checkpoint_s)):
                yield projector
        finally:
            with suppress(TimeoutError):
                async with asyncio.timeout(LAST_BEAT_S):
                    await _beat(checkpointer, projector)


async def _run(checkpointer: Checkpointer, projector: Projector, interval_s: float) -> None:
    loop = asyncio.get_running_loop()
    due = loop.time()
    while True:
        due = max(due + interval_s, loop.time())
        await asyncio.sleep(due - loop.time())
        await _beat(checkpointer, projector)


async def _beat(checkpointer: Checkpointer, projector: Projector) -> None:
    try:
        await checkpointer.beat(projector)
    except Swapped:
        log.info("checkpoints", grown="by another process")
    except (LogBroken, StoreError, RedisError, OSError, NoRows) as error:
        metrics.CHECKPOINT_FAILURES.inc()
        log.warning("checkpoints", error=type(error).__name__, why=str(error))
    except Exception:  # the log must go on after any failure
        metrics.CHECKPOINT_FAILURES.inc()
        log.exception("checkpoints")
