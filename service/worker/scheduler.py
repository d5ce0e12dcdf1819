"""Find due deadlines and bots in the rows, and due seeks, and enqueue jobs that wake them."""

import asyncio
from collections.abc import AsyncIterator

import structlog
from cachetools import LRUCache, TTLCache

from projections.entries import BOTS, DEADLINES, PACED_BOTS
from projections.rows import DueMember, Rows
from service.base.clock import correction, now_micros
from service.jobs.queues import Call, enqueue, fill_seek, open_queues, play_bot, run_clocks
from service.play.seeks import Seeks
from service.worker.revive import Reviver
from service.worker.round_robin import RoundRobin

BATCH = 500
REPEAT_S = 1.0
"""Time before a bot or a seek that is still due is woken again (seconds)."""
LATE_S = 5.0
"""Time before a deadline that is still due is tried again (seconds): a batch may take that long."""
TOGETHER = 50
"""Number of deadlines in a job: their records share the log's fsyncs."""
AHEAD = 4
"""Number of bots' jobs that wait for each process that runs them.

A longer queue would first serve whoever has filled it.
"""
WOKEN_MAX = 100_000
REVIVE_S = 1.0

log = structlog.get_logger("shiplog")


class Scheduler:
    """Looks for what is due. Several may run, since enqueueing twice is enqueueing once."""

    def __init__(
        self, rows: Rows, seeks: Seeks, work_url: str, *, bot_pause_ms: int, bot_workers: int
    ) -> None:
        """Read these rows and seeks, and enqueue in that work Redis."""
        self._rows = rows
        self._seeks = seeks
        self._queues = open_queues(work_url)
        self._pause = bot_pause_ms * 1_000
        self._ahead = AHEAD * bot_workers
        self._round_robin = RoundRobin()
        self._creators: LRUCache[str, str] = LRUCache(WOKEN_MAX)
        self._woken: TTLCache[str, None] = TTLCache(WOKEN_MAX, REPEAT_S)
        self._late: TTLCache[DueMember, None] = TTLCache(WOKEN_MAX, LATE_S)
        self._revivers = [Reviver(queue) for queue in self._queues.values()]
        self._revived = 0.0

    async def tick(self) -> int:
        """Enqueue jobs for all that is due; return their number. Raises `RedisError`, `NoRows`."""
        now = now_micros()
        late = [
            due
            async for due in self._due(DEADLINES, now if correction.bounded else 0)
            if due not in self._late
        ]
        calls = [_clocks(late[at : at + TOGETHER]) for at in range(0, len(late), TOGETHER)]
        bots = [_bot(due) async for due in self._due(BOTS, now - self._pause)]
        bots += [_bot(due) async for due in self._due(PACED_BOTS, now)]
        bots = await self._in_turns([call for call in bots if call.id not in self._woken])
        seeks = [fill_seek(seek) for seek in await self._seeks.due()]
        calls += [*bots, *(call for call in seeks if call.id not in self._woken)]
        made = await asyncio.to_thread(self._enqueue, calls)
        self._late.update(dict.fromkeys(late))
        await self._revive()
        return made

    async def _in_turns(self, calls: list[Call]) -> list[Call]:
        """Return the bots' jobs for which the queue has room; creators of matches take turns."""
        if not calls:
            return calls
        room = max(0, self._ahead - await self._queued())
        if len(calls) <= room:
            return calls
        await self._learn_creators([call.arguments[0] for call in calls])
        waiting: dict[str, list[Call]] = {}
        for call in calls:
            waiting.setdefault(self._creators.get(call.arguments[0], ""), []).append(call)
        return self._round_robin.choose(waiting, room)

    async def _queued(self) -> int:
        """Count the bots' jobs that wait for a process."""
        return await asyncio.to_thread(lambda: self._queues["bots"].count)

    async def _learn_creators(self, matches: list[str]) -> None:
        unknown = [match for match in matches if match not in self._creators]
        generation = await self._rows.generation()
        for start in range(0, len(unknown), BATCH):
            for one in await self._rows.summaries(generation, unknown[start : start + BATCH]):
                self._creators[one.match] = one.creator

    async def _due(self, index: str, until: int) -> AsyncIterator[DueMember]:
        """Yield all that is due, page by page, so that a stuck item does not hide the rest."""
        start, more = 0, True
        while more:
            page = await self._rows.due(index, until, start, BATCH)
            for due in page:
                yield due
            start += len(page)
            more = len(page) == BATCH

    def _enqueue(self, calls: list[Call]) -> int:
        made = 0
        for call in calls:
            made += enqueue(self._queues, call)
            self._woken[call.id] = None
        return made

    async def _revive(self) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._revived < REVIVE_S:
            return
        self._revived = now
        for reviver in self._revivers:
            for job in await asyncio.to_thread(reviver.revive):
                log.warning("job", job=job, outcome="revived")


def _clocks(late: list[DueMember]) -> Call:
    return run_clocks([(due.member, due.at) for due in late])


def _bot(due: DueMember) -> Call:
    match, version = due.member.split(" ")
    return play_bot(match, int(version))
