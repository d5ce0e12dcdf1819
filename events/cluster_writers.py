"""Appends to a Redis Cluster: one writer per server, and the way back when a slot is elsewhere."""

import asyncio
from collections.abc import Sequence
from typing import Any

from redis.asyncio.cluster import RedisCluster
from redis.exceptions import AskError, MovedError

from events.append_lane import Limits, Write
from events.append_writer import BACKOFF_S, OnBatch, Writer, expired
from events.connection import Lives, append_options

NOT_FOR_CONNECTIONS = ("max_connections", "connection_class", "response_callbacks")


class ClusterWriters:
    """Sends each write to the server that has its slot."""

    def __init__(
        self,
        cluster: RedisCluster,
        lives: Lives,
        limits: Limits,
        on_batch: OnBatch | None = None,
    ) -> None:
        """Work with the client's knowledge of the slots."""
        self._cluster = cluster
        self._lives = lives
        self._limits = limits
        self._on_batch = on_batch
        self._writers: dict[str, Writer] = {}
        self._strays: set[asyncio.Task[None]] = set()
        self._primaries: frozenset[str] = frozenset()

    def submit(self, write: Write) -> None:
        """Take a write; its `done` tells the outcome."""
        write.asking = False
        slots: dict[int, list[Any]] = self._cluster.nodes_manager.slots_cache
        nodes = slots.get(self._cluster.keyslot(write.key))
        if nodes:
            self._writer(nodes[0].host, int(nodes[0].port)).submit(write)
        else:
            self._astray([write], None)

    async def aclose(self) -> None:
        """Finish what is under way, then close the connections."""
        await self._drained()
        while self._strays:
            await asyncio.wait(self._strays)
            await self._drained()
        await asyncio.gather(*(writer.aclose() for writer in self._writers.values()))

    async def _drained(self) -> None:
        await asyncio.gather(*(writer.drained() for writer in self._writers.values()))

    def _writer(self, host: str, port: int) -> Writer:
        name = f"{host}:{port}"
        if name not in self._writers:
            given: dict[str, Any] = self._cluster.connection_kwargs
            options = {key: it for key, it in given.items() if key not in NOT_FOR_CONNECTIONS}
            options |= append_options(self._lives, self._limits.connect_s)
            made = given["connection_class"]
            count = self._limits.connections
            lines = [made(host=host, port=port, **options) for _ in range(count)]
            self._writers[name] = Writer(
                lines, self._lives, self._limits, self._astray, self._on_batch
            )
        return self._writers[name]

    def _astray(self, writes: Sequence[Write], error: Exception | None) -> None:
        """Find another way for writes that a server would not or could not take."""
        if isinstance(error, AskError) and not isinstance(error, MovedError):
            host, _, port = str(error).rpartition(" ")[2].rpartition(":")
            for write in writes:
                write.asking = True
                self._writer(host, int(port)).submit(write)
            return
        task = asyncio.create_task(self._find_way(writes, error))
        self._strays.add(task)
        task.add_done_callback(self._strays.discard)

    async def _find_way(self, writes: Sequence[Write], error: Exception | None) -> None:
        """Look the slots up again and send the writes there, after a pause when that is tried over and over."""
        detours = max(write.detours for write in writes)
        if detours:
            await asyncio.sleep(BACKOFF_S[min(detours, len(BACKOFF_S)) - 1])
        try:
            async with asyncio.timeout(self._limits.reply_s):
                await self._look_up()
        except Exception as failure:  # noqa: BLE001 - whatever it is, it is tried again until the writes expire
            error = failure
        now = asyncio.get_running_loop().time()
        for write in writes:
            write.detours += 1
            if write.open and write.expires <= now:
                write.settle(expired(write, error))
            elif write.open:
                self.submit(write)

    async def _look_up(self) -> None:
        await self._cluster.initialize()
        await self._cluster.nodes_manager.initialize()
        primaries = frozenset(node.name for node in self._cluster.get_primaries())
        if self._primaries and primaries != self._primaries:
            self._lives.change("/".join(sorted(primaries)))
        self._primaries = primaries
