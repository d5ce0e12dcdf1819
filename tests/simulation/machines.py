"""The processes of the simulated system: services and workers, made of the real parts."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from types import SimpleNamespace
from typing import Any, TypeVar

from cachetools import TTLCache
from redis.exceptions import RedisError

from events.append_lane import Limits
from events.patience import Patience
from events.redis_store import RedisStore
from events.store import Unavailable
from games import GAMES
from games.match.clocks import SECOND
from projections.rows import NoRows, Rows
from service.base.keys import Keys, SecretFile
from service.base.problems import Problem
from service.jobs.queues import Call
from service.play import bots
from service.play.feed import Feed
from service.play.match_cache import MatchCache
from service.play.matches import Matches
from service.play.projector import Projector, following
from service.process.stores import PATIENCE_S, SILENCE_S, WORKER_PATIENCE_S, work_client
from service.process.timekeeping import timekeeping
from service.worker import wakeups
from service.worker.scheduler import LATE_S, REPEAT_S, WOKEN_MAX, Scheduler
from tests.projections.recorded import no_errata
from tests.simulation.loop import Machine, VirtualLoop

KEYS = Keys(SecretFile({"k": "11" * 32}, "k", "22" * 32, "33" * 32))
POLL_S = 1.0
RESTART_S = 0.5
BOT_PAUSE_US = SECOND // 5

T = TypeVar("T")


class Killed(Exception):
    """The process died before it answered."""


class Process:
    """A service, or a worker if it has a queue. It can be killed and started again."""

    def __init__(
        self,
        loop: VirtualLoop,
        name: str,
        replicas: int,
        games: list[str],
        queue: list[Call] | None,
    ) -> None:
        self.name = name
        self.parts: Any = None
        """What the process consists of, once it is ready."""
        self.machine = Machine(name)
        self.machine.alive = False
        self._loop = loop
        self._replicas = replicas
        self._games = {slug: GAMES[slug] for slug in games}
        self._queue = queue
        self._asked: set[asyncio.Future[Any]] = set()

    @property
    def ready(self) -> bool:
        return self.machine.alive and self.parts is not None

    def start(self, skew: int = 0) -> None:
        if self.machine.alive:
            return
        self.machine = Machine(self.name)
        self.machine.skew = skew
        self._loop.create_task(self._run(), context=self.machine.context)

    def restart(self, skew: int = 0) -> None:
        """Kill the process, and start it with an error of its clock (microseconds)."""
        self.kill()
        self.start(skew)

    def kill(self) -> None:
        """Stop everything at once, as SIGKILL does."""
        self.machine.alive = False
        self.parts = None
        for asked in self._asked:
            if not asked.done():
                asked.set_exception(Killed())
        self._asked.clear()

    async def ask(self, work: Callable[[Any], Awaitable[T]]) -> T:
        """Run something in the process and return its result. Raises `Killed`."""
        if not self.ready:
            raise Killed
        parts = self.parts
        answer: asyncio.Future[T] = self._loop.create_future()

        async def run() -> None:
            try:
                result = await work(parts)
            except Exception as error:  # noqa: BLE001 - it is raised where the answer is awaited
                if not answer.done():
                    answer.set_exception(error)
            else:
                if not answer.done():
                    answer.set_result(result)

        self._asked.add(answer)
        self._loop.create_task(run(), context=self.machine.context)
        try:
            return await answer
        finally:
            self._asked.discard(answer)

    async def _run(self) -> None:
        """Serve. If the log is away at the start, the process ends and is started again."""
        while True:
            with suppress(Unavailable):
                await self._serve()
            await asyncio.sleep(RESTART_S)

    async def _serve(self) -> None:
        async with AsyncExitStack() as stack:
            patience = PATIENCE_S if self._queue is None else WORKER_PATIENCE_S
            limits = Limits(total_s=patience, reply_s=SILENCE_S, replicas=self._replicas)
            store = await stack.enter_async_context(RedisStore("redis://log", limits))
            await stack.enter_async_context(timekeeping(store))
            await store.check_durability()
            work = work_client("redis://work", Patience(clock=self._loop.time))
            feed = Feed(work)
            cache = MatchCache(store, KEYS, self._games, 1 << 26)
            matches = Matches(cache, store, feed, KEYS, self._games)
            projector = Projector(cache, store, feed, work, self._games, no_errata)
            await stack.enter_async_context(following(projector))
            self.parts = SimpleNamespace(
                cache=cache, matches=matches, projector=projector, keys=KEYS
            )
            if self._queue is None:
                await asyncio.Event().wait()
            else:
                await self._wake(self._queue)

    async def _wake(self, queue: list[Call]) -> None:
        """Enqueue what is due, and run what is in the queue."""
        due = ModelScheduler(self.parts.projector.rows, queue, self._loop)
        running: set[asyncio.Task[None]] = set()
        moved = self.parts.projector.moved
        while True:
            moved.clear()
            with suppress(RedisError, OSError, NoRows):
                await due.tick()
            while queue:
                job = queue.pop(int(self._loop.chance.random() * len(queue)))
                task = asyncio.create_task(self._work(job))
                running.add(task)
                task.add_done_callback(running.discard)
            with suppress(TimeoutError):
                await asyncio.wait_for(moved.wait(), POLL_S)

    async def _work(self, job: Call) -> None:
        """Run a job. One that fails is forgotten: the scheduler enqueues it again."""
        with suppress(Problem, RedisError, OSError):
            if job.queue == "clock":
                for match, deadline in job.arguments[0]:
                    await wakeups._run_clock(self.parts, match, deadline)
                return
            cached = await self.parts.cache.recalled(job.arguments[0])
            turn = bots.bot_turn(cached, job.arguments[1], KEYS)
            if turn is not None:
                await bots.play(self.parts.matches, cached, turn, bots.choose(turn))


class NoSeeks:
    """Seeks of nobody: the model has matches alone."""

    async def due(self) -> list[str]:
        return []


class ModelScheduler(Scheduler):
    """The scheduler before a queue that is a list."""

    def __init__(self, rows: Rows, queue: list[Call], loop: VirtualLoop) -> None:
        self._rows = rows
        self._seeks = NoSeeks()
        self._queue = queue
        self._pause = BOT_PAUSE_US
        self._woken = TTLCache(WOKEN_MAX, REPEAT_S, timer=loop.time)
        self._late = TTLCache(WOKEN_MAX, LATE_S, timer=loop.time)

    async def _in_turns(self, calls: list[Call]) -> list[Call]:
        """Return all: the list is emptied at once."""
        return calls

    def _enqueue(self, calls: list[Call]) -> int:
        self._woken.update({call.id: None for call in calls})
        self._queue.extend(calls)
        return len(calls)

    async def _revive(self) -> None:
        """Do nothing: a job that was lost is enqueued again when it is due."""
