"""The whole service on a Redis Cluster of three masters and three replicas, with WAIT 1."""

import asyncio
from pathlib import Path

import pytest
from redis.crc import key_slot

from service.base.settings import Settings
from service.embedded.servers import Server, Supervisor
from service.process.context import opened
from tests.e2e.service import Player, Running, wait_until
from tests.events.cluster import cluster_of, move
from tests.faults.crowd import Turncoats, check

MOVES = 6
SLOW_S = 180

pytestmark = pytest.mark.timeout(1_200)
"""Each wait ends by itself; together they may take long on a busy machine."""


@pytest.fixture
def settings(tmp_path):
    """Run the servers; return the nodes, and the settings that the services share."""
    with (
        cluster_of(tmp_path / "cluster", replicas=1) as nodes,
        Supervisor(Server.work(tmp_path / "work")) as work,
    ):
        log_url = f"redis+cluster://127.0.0.1:{nodes[0].port}"
        yield nodes, {"log_url": log_url, "work_url": work.url, "wait_replicas": "1"}


class Stack:
    """Two services and a worker, whose processes a test may wait for off its loop."""

    def __init__(self, data: Path, shared: dict[str, str]) -> None:
        self.services = [Running(data, "serve", **shared) for _ in range(2)]
        self.worker = Running(data, "worker", worker_poll_ms="50", **shared)

    @property
    def urls(self) -> list[str]:
        return [service.url for service in self.services]

    def stop(self) -> None:
        for process in (self.worker, *self.services):
            process.stop()


def masters_of(nodes):
    return [node for node in nodes if node.is_master]


def clocked(url: str) -> tuple[Player, str]:
    """Open a match whose players never move: its clock must, 349 times."""
    watcher = Player(url, "Idle")
    clock = {"type": "per_move", "seconds": 1}
    match = watcher.open_match("ke_dnu", clock=clock, away_after=0)
    watcher.do(match, {"type": "take_seat"})
    with Player(url, "Idler") as other:
        other.do(match, {"type": "take_seat"})
    return watcher, match


async def test_moved_slots_and_a_killed_master_lose_nothing_acknowledged(
    tmp_path, settings, chance
):
    """F13, F14: only latency changes. No match hangs, whether people play it or its clock."""
    nodes, shared = settings
    stack = await asyncio.to_thread(Stack, tmp_path, shared)
    crowd = Turncoats(stack.urls, chance)
    playing = asyncio.create_task(crowd.play())
    idle, match = await asyncio.to_thread(clocked, stack.urls[0])

    def version() -> int:
        answer = idle.http.get(f"/matches/{match}")
        return answer.json()["version"] if answer.status_code == 200 else 0

    async def all_go_on() -> None:
        before = await asyncio.to_thread(wait_until, version, SLOW_S)
        await crowd.all_go_on(seconds=SLOW_S)
        await asyncio.to_thread(wait_until, lambda: version() > before, SLOW_S)

    try:
        await all_go_on()

        for name in chance.sample(sorted(crowd.receipts.kept), MOVES):
            slot = key_slot(f"log:{name}".encode())
            masters = await asyncio.to_thread(masters_of, nodes)
            before = next(node for node in masters if slot in node.slots)
            after = chance.choice([node for node in masters if node is not before])
            await move(before, after, slot, lambda: crowd.all_go_on(more=1))
        await all_go_on()

        victim = chance.choice(await asyncio.to_thread(masters_of, nodes))
        await asyncio.to_thread(victim.kill)
        await asyncio.to_thread(wait_until, lambda: len(masters_of(nodes)) == 3, SLOW_S)
        await asyncio.to_thread(victim.start)
        await all_go_on()
        assert not victim.is_master
    finally:
        crowd.stop.set()
        await playing
        idle.http.close()
        await asyncio.to_thread(stack.stop)
    assert '"event":"bug"' not in (tmp_path / "serve.err").read_text(), "503 at most, never 500"

    async with opened(
        Settings(data=tmp_path, log_url=shared["log_url"], work_url=shared["work_url"])
    ) as context:
        records = await check(context, crowd.receipts)
    kept = crowd.receipts
    print(f"tried {kept.tried}, acknowledged {kept.acknowledged}, records {records}")
