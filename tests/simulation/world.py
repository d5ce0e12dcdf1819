"""One run: a seed decides the system, its faults and the order of everything."""

import asyncio
import contextlib
import gc
import logging
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar
from unittest.mock import patch

import msgspec
import structlog
from redis.asyncio import client as redis_client
from redis.asyncio import connection as redis_connection

from events.append_lane import Lane, TooFewReplicas
from events.redis_store import RedisStore
from events.store import Gap, Taken
from games.match.clocks import SECOND
from service.base import clock
from service.base.problems import Problem
from service.jobs.queues import Call
from service.play import projector
from service.play.matches import Matches
from service.play.projector import Projector
from service.process import timekeeping
from tests.events.lines import FIRST_AT
from tests.simulation import faults
from tests.simulation.faults import Fault
from tests.simulation.loop import MACHINE, VirtualLoop
from tests.simulation.machines import KEYS, Killed, Process
from tests.simulation.network import Network
from tests.simulation.people import Table
from tests.simulation.promises import Broken, Promises
from tests.simulation.server import RedisModel

GAMES_PLAYED = ("captain_sonar", "ke_dnu", "tranquility")
SLOWER = {"TICK_S": 1.5, "WAIT_MS": 1_000, "LOOK_AGAIN_MS": 50}
"""Intervals of a projector: longer than those of the service, to save processor time."""
OLD_WAIT = 0.1
"""Part of the runs in which `asyncio.wait_for` is the running Python's own: 3.11 starts a task."""
T = TypeVar("T")
QUIET_S = 60.0
"""Time without a record after which somebody is taken to wait in vain (virtual seconds)."""
LOST_S = 15.0
"""The same after a failover that may have lost their match (virtual seconds)."""
DESERTED_S = 180.0
"""Time after which a match that only its clock plays on, without its people, is left alone."""
LOOKS = 30
"""Number of times that a service tries to read the log after the end, a second apart."""
ROWS_S = 60.0
"""Time in which the rows must then catch up (virtual seconds)."""


class Outcome(msgspec.Struct, frozen=True):
    """What a run came to."""

    seed: int
    faults: list[Fault]
    broken: str
    """The broken promise, empty if all hold."""
    at: float
    """Virtual time of the end (seconds)."""
    steps: int
    records: int
    trace: int
    """A number that stands for the order of everything."""
    seen: Counter[str]


class World:
    """The system of a run."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(seed)
        self.network = Network(chance)
        self.loop = VirtualLoop(chance, self.network.connect)
        self.network.loop = self.loop
        self.promises = Promises()
        self.replicas = int(chance.random() < 0.25)
        """How many replicas a write waits for."""
        self.failover = bool(self.replicas) or chance.random() < 0.25
        self.log = self._log_server(RedisModel(self.network, chance, durable=True))
        self.work = RedisModel(self.network, chance, durable=False)
        self.network.servers = {"log": self.log, "work": self.work}
        self.lag_s = chance.choice((0.001, 0.3) if self.replicas else (0.3, 1.0))
        if self.failover:
            self.log.attach(self.lag_s)
        self.queue: list[Call] = []
        games = chance.sample(GAMES_PLAYED, chance.choice((1, 1, 2)))
        self.services = [
            Process(self.loop, f"service-{number}", self.replicas, games, None)
            for number in range(chance.choice((1, 2, 2, 3)))
        ]
        self.workers = [
            Process(self.loop, f"worker-{number}", self.replicas, games, self.queue)
            for number in range(chance.choice((1, 1, 2)))
        ]
        self.tables = [
            Table(self, number, game, chance.choice((1, 2, 2)), 1)
            for number, game in enumerate(games)
        ]
        self.moves = min(9, 1 + int(chance.expovariate(0.4)))
        self.old_wait = chance.random() < OLD_WAIT
        self.processes = {one.name: one for one in (*self.services, *self.workers)}
        self.faults = faults.draw(chance, list(self.processes), failover=self.failover)

    def _log_server(self, server: RedisModel) -> RedisModel:
        server.on_synced = self.promises.written
        return server

    async def restart(self, server: RedisModel, seconds: float) -> None:
        """Start a server that died, as its supervisor does."""
        await asyncio.sleep(seconds)
        if not server.up:
            server.start()

    async def fail_over(self, seconds: float, *, dead: bool) -> None:
        """Let the replica take over.

        The old server still answers for a time, or has been `dead` for this time.
        """
        old, new = self.log, self.log.replica
        if new is None:
            return
        old.replica = None
        if dead:
            old.gone = True
            old.crash()
            await asyncio.sleep(seconds)
        old.on_synced = None
        self.log = self.network.servers["log"] = self._log_server(new)
        now = new.now_us()
        self.promises.survived(new.written, safe=bool(self.replicas), now_us=now)
        self.promises.seen["failover"] += 1
        if not dead:
            await asyncio.sleep(seconds)
            old.gone = True
            old.crash()
        new.attach(self.lag_s)

    async def run(self, happening: list[Fault]) -> None:
        """Play through the faults, then in quiet, then check everything."""
        chance, loop = self.chance, self.loop
        supervised = loop.create_task(self._supervise())
        for process in self.processes.values():
            process.start(round((chance.random() - 0.5) * SECOND))
        playing = asyncio.gather(*(table.play(self.moves) for table in self.tables))
        harm = asyncio.gather(*(self._harm(fault) for fault in happening))
        all_through = asyncio.gather(harm, playing)
        records = -1
        quiet_s = waited_s = 0.0
        while not all_through.done():
            lossy = self.promises.lossy
            if quiet_s >= (LOST_S if lossy else QUIET_S) or (lossy and waited_s >= DESERTED_S):
                break
            await asyncio.wait([all_through], timeout=LOST_S)
            waited_s += LOST_S
            quiet_s = quiet_s + LOST_S if records == self.records else 0.0
            records = self.records
        if all_through.done():
            all_through.result()
        elif not self.promises.lossy:
            raise Broken("somebody got no answer although all faults had ended")
        else:
            self.promises.seen["people without a seat that a failover lost"] += 1
        try:
            await self._check_all()
        finally:
            for task in (supervised, harm, playing, all_through):
                task.cancel()

    @property
    def records(self) -> int:
        """How many records are on disk."""
        return sum(map(len, self.promises.lines.values()))

    async def _harm(self, fault: Fault) -> None:
        await asyncio.sleep(fault.at)
        self.promises.seen[f"fault: {fault.kind}"] += 1
        await faults.happen(self, fault)

    async def _supervise(self) -> None:
        """Start servers again that died by themselves."""
        while True:
            await asyncio.sleep(0.5)
            for server in (self.log, self.work):
                if not server.up:
                    server.start()

    async def _check_all(self) -> None:
        """Check the logs, what viewers were shown, and the rows.

        Caches and rows may be ahead of a log that a failover has cut: operators rebuild them.
        """
        lossy = self.promises.lossy
        self.promises.check_logs(KEYS.service_seed, {} if lossy else await self._told())
        if lossy:
            return
        deadline = self.loop.time() + ROWS_S
        while True:
            try:
                self.promises.check_rows(self._rows())
            except Broken:
                if self.loop.time() > deadline:
                    raise
                await asyncio.sleep(1)
            else:
                return

    def _rows(self) -> dict[bytes, bytes]:
        space = self.work.space
        current = space.keys.get(b"projections", {}).get(b"current", b"")
        return dict(space.keys.get(current + b":rows", {}))

    async def _told(self) -> dict[str, list[dict]]:
        """Return what each service has sent to its viewers, after a look at the log.

        Until it looks, a service may hold a record that it read from a server before a failover.
        With WAIT no such record was acknowledged.
        """
        told: dict[str, list[dict]] = {}
        for service in self.services:
            with contextlib.suppress(Killed):
                await service.ask(_look)
            if not service.ready:
                continue
            for cached in service.parts.cache.open():
                viewers = {
                    viewer: list(told_so_far)
                    for viewer in cached.match.shown
                    if (told_so_far := cached.folded.told(viewer)) is not None
                }
                told.setdefault(cached.match.header.match, []).append(viewers)
        return told


async def _look(parts: Any) -> None:
    """Read the log of every match that a service holds, as the next call of anybody would."""
    for cached in parts.cache.open():
        for _ in range(LOOKS):
            try:
                await parts.cache.get(cached.match.header.match)
            except Problem:
                await asyncio.sleep(1)
            else:
                break


def simulate(seed: int, chosen: list[Fault] | None = None) -> Outcome:
    """Run a seed, with all its faults or only the chosen ones."""
    gc.disable()
    world = World(seed)
    happening = world.faults if chosen is None else chosen
    broken = ""
    asyncio.set_event_loop(world.loop)
    with virtual(world):
        try:
            world.loop.run_until_complete(world.run(happening))
        except AssertionError as error:
            broken = str(error) or repr(error)
        except Exception as error:  # noqa: BLE001 - anything that escapes is a failed run
            broken = repr(error)
        finally:
            _bury(world)
    promises, loop = world.promises, world.loop
    return Outcome(
        seed,
        happening,
        broken,
        loop.time(),
        loop.steps,
        world.records,
        hash((loop.steps, loop.time(), world.chance.random())),
        promises.seen,
    )


def _bury(world: World) -> None:
    """Drop everything that is still running. Its last words are about a closed loop."""
    loop = world.loop
    for process in world.processes.values():
        process.machine.alive = False
    for task in asyncio.all_tasks(loop):
        task._log_destroy_pending = False  # pyright: ignore[reportAttributeAccessIssue]
    loop._ready.clear()
    loop._scheduled.clear()
    loop.close()
    asyncio.set_event_loop(None)


@contextlib.contextmanager
def virtual(world: World) -> Iterator[None]:
    """Take time and randomness from a run, and keep its machines' clocks apart."""

    def local_micros() -> int:
        machine = MACHINE.get()
        skew = 0 if machine is None else machine.skew
        return FIRST_AT + round(world.loop.time() * SECOND) + skew

    def correction_of(_: clock.Correction) -> int:
        machine = MACHINE.get()
        return 0 if machine is None else machine.correction

    def correct(_: clock.Correction, micros: int) -> None:
        if (machine := MACHINE.get()) is not None:
            machine.correction = micros

    def token(size: int = 32) -> str:
        return f"{world.chance.getrandbits(8 * size):0{2 * size}x}"

    def noting(owner: Any, name: str, what: str, when: Callable[[Any], bool] = bool) -> Any:
        """Note that a coroutine function was called, if its result is telling."""
        before = getattr(owner, name)

        async def note(*args: Any, **options: Any) -> Any:
            try:
                result = await before(*args, **options)
            except Exception as error:
                if when(error):
                    world.promises.seen[what] += 1
                raise
            if when(result):
                world.promises.seen[what] += 1
            return result

        return patch.object(owner, name, note)

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    logging.disable(logging.CRITICAL)
    with (
        patch.object(clock, "local_micros", local_micros),
        patch.object(timekeeping, "local_micros", local_micros),
        patch.object(clock.Correction, "micros", property(correction_of, correct), create=True),
        patch.multiple(projector, **SLOWER),
        patch.multiple(redis_client, **_silent(redis_client)),
        patch.multiple(redis_connection, **_silent(redis_connection)),
        patch.object(asyncio, "wait_for", asyncio.wait_for if world.old_wait else wait_for),
        noting(Lane, "_resolve", "stored although the answer was lost"),
        noting(Matches, "_again", "answered again under its key"),
        noting(RedisStore, "append", "version taken by another process", _is(Taken)),
        noting(RedisStore, "append", "predecessor lost", _is(Gap)),
        noting(Lane, "_wait_for_replicas", "too few replicas", _is(TooFewReplicas)),
        noting(Projector, "_refold", "rows built again", _is(type(None))),
        noting(Projector, "_take_over", "rows taken over", _is(type(None))),
        patch("secrets.token_hex", token),
        patch("secrets.token_urlsafe", token),
    ):
        yield
    logging.disable(logging.NOTSET)


async def wait_for(awaitable: Awaitable[T], timeout: float | None) -> T:  # noqa: ASYNC109 - as the original
    """Wait as Python 3.12 does: without a task, which takes a third of the steps."""
    async with asyncio.timeout(timeout):
        return await awaitable


def _silent(module: Any) -> dict[str, Any]:
    """Return what a module of the Redis client calls for its telemetry, doing nothing."""

    async def record(**_: Any) -> None:
        pass

    return {name: record for name in vars(module) if name.startswith("record_")}


def _is(kind: type) -> Callable[[Any], bool]:
    return lambda found: type(found) is kind
