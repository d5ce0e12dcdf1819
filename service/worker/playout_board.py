"""The board of an analysis in the work Redis: batches that others may play, and those played."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from redis import Redis

from replay.playouts import Batch, Played

LEASE_S = 10
"""Time for which a board stays open without a sign of its analysis (seconds)."""
KEPT_S = 60
"""Time for which Redis keeps the lists of a board that nobody closed (seconds)."""
SOCKET_S = 5
"""Time after which Redis counts as down (seconds)."""

Delivery = tuple[Batch, Played]


class Board:
    """The board of one analysis. All methods raise `RedisError`."""

    def __init__(self, redis: Redis, run: str) -> None:
        """Use the work Redis. `run` names the board."""
        self._redis = redis
        self._open = f"playouts:{run}"
        self._offered = f"{self._open}:offered"
        self._delivered = f"{self._open}:delivered"

    def renew(self) -> None:
        """Keep the board open."""
        self._redis.set(self._open, b"", ex=LEASE_S)

    @property
    def is_open(self) -> bool:
        """Whether the analysis still needs playouts."""
        return bool(self._redis.exists(self._open))

    def close(self) -> None:
        """Let the helpers go."""
        self._redis.delete(self._open, self._offered, self._delivered)

    def offer(self, batches: Sequence[Batch]) -> None:
        """Offer batches, the most urgent first."""
        with self._redis.pipeline() as pipe:
            pipe.rpush(self._offered, *map(msgspec.json.encode, batches))
            pipe.expire(self._offered, KEPT_S)
            pipe.execute()

    def withdraw(self) -> list[Batch]:
        """Withdraw all offers; return those that nobody had taken."""
        found = self._drained(self._offered)
        return [msgspec.json.decode(data, type=Batch) for data in found]

    def take(self, batch: Batch) -> bool:
        """Take a batch; return whether it was still there."""
        return bool(self._redis.lrem(self._offered, 1, msgspec.json.encode(batch).decode()))

    def take_first(self) -> Batch | None:
        """Take the first batch that is there."""
        found: Any = self._redis.lpop(self._offered)
        return None if found is None else msgspec.json.decode(found, type=Batch)

    def wait_for_batch(self, seconds: float) -> Batch | None:
        """Take the first batch as soon as there is one."""
        found: Any = self._redis.blpop([self._offered], seconds)
        return None if found is None else msgspec.json.decode(found[1], type=Batch)

    def deliver(self, batch: Batch, played: Played) -> None:
        """Hand in a batch that was played."""
        with self._redis.pipeline() as pipe:
            pipe.rpush(self._delivered, msgspec.json.encode((batch, played)))
            pipe.expire(self._delivered, KEPT_S)
            pipe.execute()

    def delivered(self) -> list[Delivery]:
        """Fetch what was handed in since the last time."""
        found = self._drained(self._delivered)
        return [msgspec.json.decode(data, type=Delivery) for data in found]

    def wait_for_delivery(self, seconds: float) -> list[Delivery]:
        """Fetch the next batch that is handed in."""
        found: Any = self._redis.blpop([self._delivered], seconds)
        return [] if found is None else [msgspec.json.decode(found[1], type=Delivery)]

    def _drained(self, key: str) -> list[bytes]:
        with self._redis.pipeline() as pipe:
            pipe.lrange(key, 0, -1)
            pipe.delete(key)
            return pipe.execute()[0]


@contextmanager
def connected(work_url: str, run: str) -> Iterator[Board]:
    """Connect to the board of a run."""
    redis = Redis.from_url(work_url, socket_timeout=SOCKET_S, socket_connect_timeout=SOCKET_S)
    try:
        yield Board(redis, run)
    finally:
        redis.close()
