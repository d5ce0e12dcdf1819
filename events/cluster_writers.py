"""Appends to a Redis Cluster: one writer per server, and redirection when a slot has moved."""

import asyncio
from collections.abc import Sequence
from typing import Any

from redis.asyncio.cluster import RedisCluster
from redis.exceptions import AskError, MovedError

from events.append_lane import Limits, Write
from events.append_writer import BACKOFF_S, OnBatch, Writer, expired
from events.connection import Epochs, append_options

NOT_FOR_CONNECTIONS = ("max_connections", "connection_class", "response_callbacks")


class ClusterWriters:
    """Sends each write to the server that has the slot of the write's key."""

    def __init__(
        self,
        cluster: RedisCluster,
        epochs: Epochs,
        limits: Limits,
        on_batch: OnBatch | None,
    ) -> None:
        """Use the cluster client's table of slots."""
        self._cluster = cluster
        self._epochs = epochs
        self._limits = limits
        self._on_batch = on_batch
        self._writers: dict[str, Writer] = {}
        self._rerouting: set[asyncio.Task[None]] = set()
        self._primaries: frozenset[str] = frozenset()

    def submit(self, write: Write) -> None:
        """Send a write to the right server. Its future `done` receives the outcome."""
        write.asking = False
        slots: dict[int, list[Any]] = self._cluster.nodes_manager.slots_cache
        nodes = slots.get(self._cluster.keyslot(write.key))
        if nodes:
            self._writer(nodes[0].host, int(nodes[0].port)).submit(write)
        else:
            self._reroute([write], None)

    async def aclose(self) -> None:
        """Finish all pending writes, then close the connections."""
        await self._drained()
        while self._rerouting:
            await asyncio.wait(self._rerouting)
            await self._drained()
        await asyncio.gather(*(writer.aclose() for writer in self._writers.values()))

    async def _drained(self) -> None:
        await asyncio.gather(*(writer.drained() for writer in self._writers.values()))

    def _writer(self, host: str, port: int) -> Writer:
        name = f"{host}:{port}"
        if name not in self._writers:
            given: dict[str, Any] = self._cluster.connection_kwargs
            options = {name: given[name] for name in given if name not in NOT_FOR_CONNECTIONS}
            options |= append_options(self._epochs, self._limits.connect_s)
            kind = given["connection_class"]
            count = self._limits.connections
            connections = [kind(host=host, port=port, **options) for _ in range(count)]
            self._writers[name] = Writer(
                connections, self._epochs, self._limits, self._reroute, self._on_batch
            )
        return self._writers[name]

    def _reroute(self, writes: Sequence[Write], error: Exception | None) -> None:
        """Redirect writes that a server refused or could not accept."""
        if isinstance(error, AskError) and not isinstance(error, MovedError):
            host, _, port = str(error).rpartition(" ")[2].rpartition(":")
            for write in writes:
                write.asking = True
                self._writer(host, int(port)).submit(write)
            return
        task = asyncio.create_task(self._resubmit(writes, error))
        self._rerouting.add(task)
        task.add_done_callback(self._rerouting.discard)

    async def _resubmit(self, writes: Sequence[Write], error: Exception | None) -> None:
        """Look up the slots again and submit the writes there, pausing between attempts."""
        reroutes = max(write.reroutes for write in writes)
        if reroutes:
            await asyncio.sleep(BACKOFF_S[min(reroutes, len(BACKOFF_S)) - 1])
        try:
            async with asyncio.timeout(self._limits.reply_s):
                await self._look_up()
        except Exception as failure:  # noqa: BLE001 - any failure is retried until writes expire
            error = failure
        now = asyncio.get_running_loop().time()
        for write in writes:
            write.reroutes += 1
            if write.open and write.expires <= now:
                write.settle(expired(write, error))
            elif write.open:
                self.submit(write)

    async def _look_up(self) -> None:
        await self._cluster.initialize()
        await self._cluster.nodes_manager.initialize()
        primaries = frozenset(node.name for node in self._cluster.get_primaries())
        if self._primaries and primaries != self._primaries:
            self._epochs.change("/".join(sorted(primaries)))
        self._primaries = primaries
