"""Reading processes: they compute what takes much work, beside the event loop.

An answer depends only on what its viewer was shown up to some version, so it is kept.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import structlog
from anyio import BrokenWorkerProcess, CapacityLimiter, to_process
from cachetools import LRUCache

from projections.folded import Folded
from replay.travel import Sight, number_of
from service.base.budgets import Allowance, Budget
from service.base.metrics import READ_SECONDS
from service.base.problems import limited, no_such_version, out_of_budget, too_costly
from service.base.waiting import Line
from service.play.answers import Answer, Limits, answer_apart
from service.play.match_cache import CachedMatch, MatchCache

CALLER_MAX = 2
"""Number of answers of one caller that compete with those of others. More wait for these."""
QUEUE_MAX = 32
"""Number of answers that a caller may wait for at a time: a page that is leafed through."""
PATIENCE_S = 1.0
"""Longest time that an answer waits for its caller's budget, before it is refused (seconds)."""
CPU_S = 60
"""CPU time in which a reading process must answer, else it is replaced (seconds)."""
ANSWER_S = 600.0
"""Time in which it must answer. On a busy machine a process of low priority has little of it."""
START_S = 0.25
BURST_S = 2.0
"""What a caller has at first, and what it can save up (seconds of CPU time)."""
RETRY_S = 1

Function = Callable[..., bytes]
Compute = Callable[[Limits, Function, tuple[Any, ...]], Awaitable[Answer]]
"""Computes an answer within limits."""

log = structlog.get_logger("shiplog")


async def compute_apart(limits: Limits, function: Function, arguments: tuple[Any, ...]) -> Answer:
    """Compute an answer in a process of its own, which is killed if the caller is cancelled."""
    return await to_process.run_sync(
        answer_apart, limits, function, arguments, cancellable=True, limiter=CapacityLimiter(1)
    )


class Turns:
    """Turns at a number of processes. The caller who has saved up most goes first."""

    def __init__(self, processes: int) -> None:
        """Start with all processes free."""
        self._free = processes
        self._line = Line()

    @asynccontextmanager
    async def of(self, saved_s: float) -> AsyncIterator[None]:
        """Wait for a process, and keep it until the end of the block."""
        if self._free:
            self._free -= 1
        else:
            turn = self._line.join(saved_s)
            try:
                await turn
            except asyncio.CancelledError:
                if not turn.cancelled():
                    self._pass_on()
                raise
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        if not self._line.call_next():
            self._free += 1


class Readers:
    """The reading processes of a service process, and their recent answers."""

    def __init__(
        self,
        cache: MatchCache,
        processes: int,
        memory_mb: int,
        kept_bytes: int,
        compute: Compute = compute_apart,
        cpu_s: int = CPU_S,
        answer_s: float = ANSWER_S,
    ) -> None:
        """Read logs through a cache. A process starts when it is first needed.

        Each may use an amount of memory (MiB; 0 is no limit).
        """
        self._cache = cache
        self._turns = Turns(processes)
        self._limits = Limits(memory_mb, cpu_s)
        self._kept: LRUCache[Any, bytes] = LRUCache(kept_bytes, getsizeof=len)
        self._budget = Budget(Allowance(processes, START_S, BURST_S, BURST_S), lambda: processes)
        self._waiting: Counter[str] = Counter()
        self._own: dict[str, asyncio.Semaphore] = {}
        self._compute = compute
        self._answer_s = answer_s

    async def of_match(
        self,
        caller: str,
        cached: CachedMatch,
        sight: Sight,
        function: Function,
        *arguments: Any,
        versions: Sequence[int] = (),
        ancestors: bool = False,
    ) -> bytes:
        """Return what a function of `answers` makes of the log of a match in a sight.

        It depends on the `versions`, as numbered in the sight, by default on the last one. If it
        needs the logs of a branch's `ancestors`, they are its last argument. Raises `Problem` 404,
        422, 429, 503, and those of the function.
        """
        folded = cached.folded
        version = _last_shown(folded, sight)
        shown = [_receipt(folded, sight, number) for number in versions or [None]]
        key = (function, cached.match.header.match, sight, *shown, msgspec.json.encode(arguments))
        if (kept := self._kept.get(key)) is not None:
            return kept
        async with self._admitted(caller):
            lines = (await self._cache.lines(cached))[:version]
            if ancestors:
                arguments = (*arguments, await self._cache.ancestors(cached))
            body = await self._answer(caller, function, (lines, sight, *arguments))
        if len(body) <= self._kept.maxsize:
            self._kept[key] = body
        return body

    async def compute(self, caller: str, function: Function, *arguments: Any) -> bytes:
        """Return what a function of `answers` makes of its arguments. It is not kept.

        Raises `Problem` 422, 429, and those of the function.
        """
        async with self._admitted(caller):
            return await self._answer(caller, function, arguments)

    @asynccontextmanager
    async def _admitted(self, caller: str) -> AsyncIterator[None]:
        """Wait for the caller's earlier answers and its budget; raises `Problem` 429."""
        if self._waiting[caller] >= QUEUE_MAX:
            raise limited(
                "reads",
                "rate-limited",
                f"You are waiting for {QUEUE_MAX} answers that take much work already.",
                retry_after=RETRY_S,
            )
        self._waiting[caller] += 1
        own = self._own.setdefault(caller, asyncio.Semaphore(CALLER_MAX))
        try:
            async with own:
                if (wait := self._budget.wait_s(caller)) > PATIENCE_S:
                    raise out_of_budget("reads", wait)
                await asyncio.sleep(wait)
                yield
        finally:
            self._waiting[caller] -= 1
            if not self._waiting[caller]:
                del self._waiting[caller]
                del self._own[caller]

    async def _answer(self, caller: str, function: Function, arguments: tuple[Any, ...]) -> bytes:
        seconds = float(self._limits.cpu_s)
        try:
            turn = self._turns.of(self._budget.saved_s(caller))
            async with turn, asyncio.timeout(self._answer_s):
                body, problem, seconds = await self._compute(self._limits, function, arguments)
        except (TimeoutError, MemoryError, BrokenWorkerProcess) as error:
            log.warning("read", function=function.__name__, error=type(error).__name__)
            raise too_costly() from None
        finally:
            self._budget.spend(caller, seconds)
            READ_SECONDS.observe(seconds)
        if problem is not None:
            raise problem
        return body


def _last_shown(folded: Folded, sight: Sight) -> int:
    """Return the version of the log after which a sight was shown nothing.

    With the records that are hidden since, a process would fold the log anew, and the time that
    this takes would tell of them.
    """
    return folded.version if sight == "full" else folded.match.shown[sight][-1]


def _receipt(folded: Folded, sight: Sight, number: int | None) -> str:
    """Return the head after the record that decides what a sight shows at one of its versions.

    Records that are hidden from the viewer do not change it.
    """
    last = number_of(folded, sight)
    number = last if number is None else number
    if not 1 <= number <= last:
        raise no_such_version(number, last)
    return folded.trail.head_at(number) if sight == "full" else folded.receipt(sight, number)
