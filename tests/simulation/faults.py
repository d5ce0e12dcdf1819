"""The faults of a run, drawn before it starts, so that each can be left out."""

import asyncio
import random
from typing import Any

import msgspec

from games.match.clocks import SECOND
from tests.simulation.network import LATENCY_S
from tests.simulation.server import SYNC_S, RedisModel

SECONDS = 3.0
"""Duration of the part of a run in which faults happen (virtual seconds)."""


class Fault(msgspec.Struct, frozen=True):
    """One fault: when, what, where, and for how long or how much."""

    at: float
    kind: str
    target: str = ""
    amount: float = 0.0

    def __str__(self) -> str:
        return f"{self.at:7.3f} s  {self.kind} {self.target} {self.amount:.3f}"


FAILOVERS = ("failover", "promotion")
"""A replica takes over: the old server still answers for a while, or has been dead for a while."""
SERVERS = (
    "crash log",
    "crash work",
    "wipe work",
    "slow sync",
    "failed sync",
    "full disk",
    "full memory",
    "loading",
    *FAILOVERS,
)
CONNECTIONS = ("clog", "lost answers", "cut")
KINDS = (
    *SERVERS,
    *CONNECTIONS,
    "kill",
    "wrong clock",
    "slow network",
    "lost job",
    "doubled job",
)


def draw(chance: random.Random, processes: list[str], *, failover: bool) -> list[Fault]:
    """Draw the faults of a run: a few kinds, some of each."""
    kinds = chance.sample(KINDS, chance.randint(1, 5))
    faults: list[Fault] = []
    if failover:
        kinds += FAILOVERS * len(kinds)
    for _ in range(chance.randint(1, 8)):
        kind = chance.choice(kinds)
        if kind in FAILOVERS and not failover:
            continue
        target = chance.choice(processes)
        if kind in CONNECTIONS:
            target += " " + chance.choice(("log", "log", "work"))
        amount = chance.choice((0.02, 0.2, 2.0)) * (0.5 + chance.random())
        if kind == "wrong clock":
            amount = chance.choice((-1, 1)) * chance.choice((0.5, 3.0, 60.0, 3_600.0))
        faults.append(Fault(chance.random() * SECONDS, kind, target, amount))
    return sorted(faults, key=lambda fault: fault.at)


async def happen(world: Any, fault: Fault) -> None:
    """Let a fault happen, and end it after its time."""
    if fault.kind in SERVERS:
        await _harm_server(world, fault.kind, fault.amount)
    elif fault.target in world.processes:
        await _harm_process(world, fault.kind, world.processes[fault.target], fault.amount)
    else:
        _harm_connections(world, fault)


async def _harm_server(world: Any, kind: str, amount: float) -> None:
    log: RedisModel = world.log
    match kind:
        case "crash log":
            log.crash()
            await world.restart(log, amount)
        case "crash work" | "wipe work":
            world.work.crash(wipe=kind == "wipe work")
            await world.restart(world.work, amount)
        case "loading":
            log.crash()
            log.loading = True
            await world.restart(log, 0.05)
            await asyncio.sleep(amount)
            log.loading = False
        case "slow sync":
            log.sync_s = amount / 4
            await asyncio.sleep(4 * amount)
            log.sync_s = SYNC_S
        case "failed sync" | "full disk":
            log.broken = True
            await asyncio.sleep(amount)
            log.broken = False
        case "full memory":
            log.space.full = True
            await asyncio.sleep(amount)
            log.space.full = False
        case _:
            await world.fail_over(amount, dead=kind == "promotion")


async def _harm_process(world: Any, kind: str, process: Any, amount: float) -> None:
    match kind:
        case "kill":
            process.kill()
            await asyncio.sleep(amount)
            process.start(process.machine.skew)
        case "wrong clock":
            process.restart(round(amount * SECOND))
            await asyncio.sleep(SECONDS / 2)
            process.restart()
        case "slow network":
            world.network.latency = 0.05
            await asyncio.sleep(amount)
            world.network.latency = LATENCY_S
        case "lost job":
            world.queue.clear()
        case _:
            world.queue.extend(list(world.queue))


def _harm_connections(world: Any, fault: Fault) -> None:
    machine, address = fault.target.split()
    if fault.kind == "clog":
        world.network.clog(machine, address, fault.amount)
        return
    for link in world.network.links:
        if (link.machine, link.address) == (machine, address) and not link.closed:
            link.muted = True
            if fault.kind == "cut":
                link.cut()
