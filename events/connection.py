"""Connections to a Redis: what a URL says, who answers there, and since when."""

import re
from collections.abc import Callable, Iterable
from typing import Any, Protocol, cast
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

import hiredis
from redis.asyncio import ConnectionPool
from redis.asyncio.cluster import RedisCluster
from redis.asyncio.connection import AbstractConnection, Connection, SSLConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Cut
from redis.maint_notifications import MaintNotificationsConfig

RUN_ID = re.compile(rb"run_id:(\w+)")
GROUNDED_MAX = 100_000
PACK = cast("Callable[[tuple[bytes, ...]], bytes]", hiredis.pack_command)  # pyright: ignore[reportUnknownMemberType]
"""The library's own annotation allows one word only."""


def pack(*words: bytes) -> bytes:
    """Encode a command."""
    return PACK(words)


class Line(Protocol):
    """What the writer needs of a redis-py connection."""

    @property
    def is_connected(self) -> bool:
        """Tell whether it was connected last."""
        ...

    async def connect(self) -> None:
        """Connect, and greet the server."""
        ...

    async def send_packed_command(self, command: Iterable[bytes]) -> None:
        """Send bytes."""
        ...

    async def read_response(self) -> Any:
        """Read one reply; raises `ResponseError`."""
        ...

    async def send_command(self, *args: Any) -> None:
        """Encode and send a command."""
        ...

    async def disconnect(self, nowait: bool = False) -> None:
        """Close it."""
        ...


class Lives:
    """Which lives of which servers were met, and what is known to stand in the present ones."""

    def __init__(self, changed: Callable[[str], None] | None = None) -> None:
        """Have `changed` called with every new epoch."""
        self.epoch = ""
        """Empty before a server is met."""
        self.changes = 0
        """How often the epoch has changed."""
        self.grounded: set[bytes] = set()
        """Keys whose logs have been compared with what is appended to them since the last change."""
        self._seen: dict[str, str] = {}
        self._changed = changed

    def met(self, server: str, run_id: str) -> None:
        """Take note of who answers at a server's address."""
        before = self._seen.get(server)
        self._seen[server] = run_id
        if before is None:
            self.epoch = self.epoch or run_id
        elif before != run_id:
            self.change(run_id)

    def change(self, epoch: str) -> None:
        """Begin an epoch: what was read before may have been lost."""
        self.epoch = epoch
        self.changes += 1
        self.grounded.clear()
        if self._changed is not None:
            self._changed(epoch)

    def ground(self, key: bytes) -> None:
        """Take note that a log holds what is appended to it."""
        if len(self.grounded) >= GROUNDED_MAX:
            self.grounded.clear()
        self.grounded.add(key)

    async def greet(self, line: Any) -> None:
        """Do the handshake of a new connection, and learn who answers."""
        await line.on_connect()
        await line.send_command("INFO", "server")
        info = await line.read_response()
        found = RUN_ID.search(info if isinstance(info, bytes) else str(info).encode())
        address = f"{getattr(line, 'host', '')}:{getattr(line, 'port', '')}"
        self.met(address, found[1].decode() if found else "")


def normal(place: str) -> tuple[str, bool]:
    """Give the URL that redis-py understands of a URL or a socket's path, and whether it names a cluster."""
    if place.startswith("/"):
        return "unix://" + quote(place), False
    parts = urlsplit(place)
    if parts.scheme == "unix":
        return place, False
    query = dict(parse_qsl(parts.query))
    cluster = query.pop("cluster", "0") not in ("0", "no", "false")
    if parts.scheme.endswith("+cluster"):
        cluster = True
        parts = parts._replace(scheme=parts.scheme.removesuffix("+cluster"))
    return urlunsplit(parts._replace(query=urlencode(query))), cluster


def append_options(lives: Lives, connect_s: float) -> dict[str, Any]:
    """Give the options of a connection that never sends anything again by itself.

    It has no timeout of its own for replies: the writer has one for a whole batch.
    """
    return {
        "retry": Retry(NoBackoff(), 0),
        "socket_timeout": None,
        "socket_connect_timeout": connect_s,
        "redis_connect_func": lives.greet,
        "driver_info": None,
    }


def append_lines(url: str, lives: Lives, connect_s: float, count: int) -> list[Line]:
    """Make the connections for appends to one server."""
    quiet = MaintNotificationsConfig(enabled=False)
    pool = ConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType] - its options are untyped
        url, maint_notifications_config=quiet, **append_options(lives, connect_s)
    )
    return [pool.make_connection() for _ in range(count)]


class Cuttable(AbstractConnection):
    """A connection that others may close while it is in use, as a cluster's client does before it looks servers up.

    What was about to be sent then fails as on any broken connection, and is tried again. redis-py itself looks only
    before it waits for its turn, and meets a missing stream after that.
    """

    async def _send_packed_command(self, command: Iterable[bytes]) -> None:
        if self._writer is None:
            raise Cut("closed before the command was sent")
        await super()._send_packed_command(command)


class CuttablePlain(Cuttable, Connection):
    """One over TCP."""


class CuttableSecure(Cuttable, SSLConnection):
    """One over TLS."""


def cluster_client(url: str, **options: Any) -> RedisCluster:
    """Make a cluster's client whose concurrent commands survive its closing of all connections."""
    client = RedisCluster.from_url(url, **options)
    secure = client.connection_kwargs.get("connection_class") is SSLConnection
    client.connection_kwargs["connection_class"] = CuttableSecure if secure else CuttablePlain
    for node in client.startup_nodes:
        node.connection_class = client.connection_kwargs["connection_class"]
    return client
