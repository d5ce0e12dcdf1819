"""The faults of a run, drawn before it starts, so that each can be left out."""

import asyncio
import random
from typing import Any

import msgspec

from tests.simulation.server import RedisModel

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


KINDS = (
    "kill",
    "crash log",
    "crash work",
    "wipe work",
    "slow sync",
    "failed sync",
    "full disk",
    "full memory",
    "loading",
    "clog",
    "lost answers",
    "cut",
    "slow network",
    "failover",
    "wrong clock",
    "lost job",
    "doubled job",
)


def draw(chance: random.Random, processes: list[str], *, failover: bool) -> list[Fault]:
    """Draw the faults of a run: a few kinds, some of each."""
    kinds = chance.sample(KINDS, chance.randint(1, 5))
    faults: list[Fault] = []
    for _ in range(chance.randint(1, 8)):
        kind = chance.choice(kinds)
        if kind == "failover" and not failover:
            continue
        target = chance.choice(processes)
        if kind in ("clog", "lost answers", "cut"):
            target += " " + chance.choice(("log", "log", "work"))
        amount = chance.choice((0.02, 0.2, 2.0)) * (0.5 + chance.random())
        if kind == "wrong clock":
            amount = chance.choice((-1, 1)) * chance.choice((0.5, 3.0, 60.0, 3_600.0))
        faults.append(Fault(chance.random() * SECONDS, kind, target, amount))
    return sorted(faults, key=lambda fault: fault.at)


async def happen(world: Any, fault: Fault) -> None:
    """Let a fault happen, and end it after its time."""
    log: RedisModel = world.log
    amount = fault.amount
    match fault.kind:
        case "kill":
            process = world.process(fault.target)
            process.kill()
            await asyncio.sleep(amount)
            process.start(process.machine.skew)
        case "crash log":
            log.crash()
            await world.restart(log, min(amount, 1.0))
        case "crash work" | "wipe work":
            world.work.crash(wipe=fault.kind == "wipe work")
            await world.restart(world.work, min(amount, 1.0))
        case "slow sync":
            before, log.sync_s = log.sync_s, amount / 4
            await asyncio.sleep(4 * amount)
            log.sync_s = before
        case "failed sync" | "full disk":
            log.broken = fault.kind
            await asyncio.sleep(amount)
            log.broken = ""
        case "full memory":
            log.space.full = True
            await asyncio.sleep(amount)
            log.space.full = False
        case "loading":
            log.crash()
            log.loading = True
            await world.restart(log, 0.05)
            await asyncio.sleep(amount)
            log.loading = False
        case "clog":
            machine, address = fault.target.split()
            world.network.clog(machine, address, amount)
        case "lost answers" | "cut":
            for link in world.network.links:
                if f"{link.machine} {link.address}" == fault.target and not link.closed:
                    link.muted = True
                    if fault.kind == "cut":
                        link.cut()
        case "slow network":
            before = world.network.latency
            world.network.latency = 0.05
            await asyncio.sleep(amount)
            world.network.latency = before
        case "failover":
            await world.fail_over(amount)
        case "wrong clock":
            process = world.process(fault.target)
            process.restart(round(amount * 1_000_000))
            await asyncio.sleep(SECONDS / 2)
            process.restart()
        case "lost job":
            world.queue.clear()
        case "doubled job":
            world.queue.extend(list(world.queue))
