"""Connections to Redis: URLs, connection options, and which run of a server answers."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Protocol, cast
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

import hiredis
from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.cluster import RedisCluster
from redis.asyncio.connection import (
    AbstractConnection,
    Connection,
    SSLConnection,
    UnixDomainSocketConnection,
)
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.connection import HiredisRespSerializer
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.maint_notifications import MaintNotificationsConfig

from events.patience import Patience

RUN_ID = re.compile(rb"run_id:(\w+)")
VERIFIED_MAX = 100_000
PACK = cast(
    "Callable[[tuple[bytes, ...]], bytes]",
    hiredis.pack_command,  # pyright: ignore[reportUnknownMemberType]
)
"""Typed here because hiredis annotates a tuple of one word only."""

SERIALIZE = cast(
    "Callable[..., list[bytes]]",
    HiredisRespSerializer().pack,  # pyright: ignore[reportUnknownMemberType]
)
"""Typed here because redis-py does not."""


def pack(*words: bytes) -> bytes:
    """Encode a command for the wire."""
    return PACK(words)


class RawConnection(Protocol):
    """The part of a redis-py connection that the writer uses."""

    @property
    def is_connected(self) -> bool:
        """Whether the connection was open when it was last used."""
        ...

    async def connect(self) -> None:
        """Connect and do the handshake."""
        ...

    async def send_packed_command(self, command: Iterable[bytes]) -> None:
        """Send bytes."""
        ...

    async def read_response(self) -> Any:
        """Read one reply. Raises `ResponseError`."""
        ...

    async def send_command(self, *args: Any) -> None:
        """Encode and send a command."""
        ...

    async def disconnect(self, nowait: bool = False) -> None:
        """Close the connection."""
        ...


def reply_reader(connection: RawConnection) -> Callable[[], Awaitable[Any]]:
    """Return a function that reads the next reply. Errors of the server are values.

    redis-py would format the server's address for an error message, and look for time-outs and
    health checks, at each reply. Whoever reads must close the connection after an exception.
    """
    return cast(Any, connection)._parser.read_response  # noqa: SLF001 - no public name


class Epochs:
    """Tracks restarts and failovers of the servers: each begins an epoch.

    A restarted server may have lost records, so what was read in an earlier epoch is not trusted.
    """

    def __init__(self) -> None:
        """Start without an epoch."""
        self.epoch = ""
        """Id of the current epoch. Empty until a server has answered."""
        self.changes = 0
        """Number of times that the epoch has changed."""
        self.verified: dict[bytes, bytes] = {}
        """By key, the last record that the log is known to have in this epoch."""
        self._seen: dict[str, str] = {}

    def observe(self, server: str, run_id: str) -> None:
        """Record which run of a server answers at an address."""
        before = self._seen.get(server)
        self._seen[server] = run_id
        if before is None:
            self.epoch = self.epoch or run_id
        elif before != run_id:
            self.change(run_id)

    def change(self, epoch: str) -> None:
        """Begin an epoch: records that were read before may have been lost."""
        self.epoch = epoch
        self.changes += 1
        self.verified.clear()

    def mark_verified(self, key: bytes, data: bytes) -> None:
        """Note the last record that a log is known to have, once an epoch has changed."""
        if not self.changes:
            return
        if len(self.verified) >= VERIFIED_MAX:
            self.verified.clear()
        self.verified[key] = data

    async def handshake(self, connection: Any) -> None:
        """Do the handshake of a new connection, and observe which run of the server answers."""
        await connection.on_connect()
        await connection.send_command("INFO", "server")
        info = await connection.read_response()
        found = RUN_ID.search(info if isinstance(info, bytes) else str(info).encode())
        address = f"{getattr(connection, 'host', '')}:{getattr(connection, 'port', '')}"
        self.observe(address, found[1].decode() if found else "")


def parse_url(url: str) -> tuple[str, bool]:
    """Parse a Redis URL or the path of a unix socket.

    Returns the URL in the form that redis-py understands, and whether it names a cluster.
    """
    if url.startswith("/"):
        return "unix://" + quote(url), False
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return url, False
    query = dict(parse_qsl(parts.query))
    cluster = query.pop("cluster", "0") not in ("0", "no", "false")
    if parts.scheme.endswith("+cluster"):
        cluster = True
        parts = parts._replace(scheme=parts.scheme.removesuffix("+cluster"))
    return urlunsplit(parts._replace(query=urlencode(query))), cluster


def append_options(epochs: Epochs, connect_s: float) -> dict[str, Any]:
    """Return the options of a connection that never retries a command by itself.

    There is no time-out for single replies. The writer has one for a whole batch.
    """
    return {
        "retry": Retry(NoBackoff(), 0),
        "socket_timeout": None,
        "socket_connect_timeout": connect_s,
        "redis_connect_func": epochs.handshake,
        "driver_info": None,
    }


def append_connections(
    url: str, epochs: Epochs, connect_s: float, count: int
) -> list[RawConnection]:
    """Create the connections for appends to one server."""
    quiet = MaintNotificationsConfig(enabled=False)
    pool = ConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType] - untyped options
        url, maint_notifications_config=quiet, **append_options(epochs, connect_s)
    )
    return [pool.make_connection() for _ in range(count)]


class SharedConnection(AbstractConnection):
    """A connection that may be closed while a command waits to be sent.

    Its server may die, and the cluster client closes all connections before it looks up the servers
    again. The command then fails as on any broken connection, and is tried again. redis-py checks
    only before it waits for its turn to send. It would fail on the missing stream, or with the
    `RuntimeError` that uvloop raises for a closed transport.

    If there is a patience, it decides how long a reply may take.
    """

    def __init__(self, *args: Any, patience: Patience | None = None, **options: Any) -> None:
        """Prepare a connection with the options of redis-py."""
        self._patience = patience
        self._reply_s: float | None = None
        super().__init__(*args, **options)  # pyright: ignore[reportUnknownMemberType] - untyped

    @property
    def socket_timeout(self) -> float | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Time limit of a reply (seconds)."""
        return self._reply_s if self._patience is None else self._patience.limit_s

    @socket_timeout.setter
    def socket_timeout(self, seconds: float | None) -> None:
        self._reply_s = seconds

    def pack_command(self, *args: Any) -> list[bytes]:
        """Encode a command with hiredis, as redis-py does in its connections without asyncio."""
        return SERIALIZE(*args)

    async def read_response(self, *args: Any, **options: Any) -> Any:
        """Read a reply, and note whether it came in time."""
        read = cast("Callable[..., Awaitable[Any]]", super().read_response)
        if self._patience is None:
            return await read(*args, **options)
        try:
            reply = await read(*args, **options)
        except RedisTimeoutError:
            self._patience.gave_up()
            raise
        self._patience.answered()
        return reply

    async def send_packed_command(
        self, command: bytes | str | Iterable[bytes], check_health: bool = True
    ) -> None:
        """Send bytes within the time limit. redis-py would start a task for that, each time."""
        if not self.is_connected:
            await self.connect_check_health(check_health=False)
        if check_health:
            await self.check_health()
        text = command.encode() if isinstance(command, str) else command
        try:
            async with asyncio.timeout(self.socket_timeout):
                await self._send_packed_command([text] if isinstance(text, bytes) else text)
        except BaseException as error:
            await self.disconnect(nowait=True)
            if isinstance(error, TimeoutError):
                raise RedisTimeoutError("Timeout writing to socket") from None
            if isinstance(error, OSError):
                raise RedisConnectionError(f"Writing to the server failed: {error}.") from error
            raise

    async def _send_packed_command(self, command: Iterable[bytes]) -> None:
        if self._writer is None:
            raise RedisConnectionError("Connection closed before the command was sent.")
        try:
            await super()._send_packed_command(command)
        except RuntimeError as error:
            raise RedisConnectionError(f"Connection closed: {error}.") from None


class SharedPlainConnection(SharedConnection, Connection):
    """A shared connection over TCP."""


class SharedTLSConnection(SharedConnection, SSLConnection):
    """A shared connection over TLS."""


class SharedSocketConnection(SharedConnection, UnixDomainSocketConnection):
    """A shared connection over a unix socket."""


SHARED: dict[type[AbstractConnection], Any] = {
    Connection: SharedPlainConnection,
    SSLConnection: SharedTLSConnection,
    UnixDomainSocketConnection: SharedSocketConnection,
}


def client_of(pool: ConnectionPool, patience: Patience | None = None) -> Redis:
    """Create a client whose commands survive that their connection is closed."""
    pool.connection_class = SHARED[pool.connection_class]
    if patience is not None:
        pool.connection_kwargs["patience"] = patience
    return Redis.from_pool(pool)


async def exchange(client: Redis, commands: Sequence[bytes]) -> list[Any]:
    """Send commands together and return their replies. Raises `RedisError`.

    A pipeline of redis-py takes several times as long. Once the first reply is there, the others
    follow.
    """
    pool = client.connection_pool
    connection = await pool.get_connection()
    try:
        await connection.send_packed_command([b"".join(commands)])
        replies: list[Any] = [await connection.read_response()]
        read = reply_reader(connection)
        replies += [await read() for _ in commands[1:]]
    except BaseException:
        await connection.disconnect(nowait=True)
        raise
    finally:
        await pool.release(connection)
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
    return replies


def cluster_client(url: str, **options: Any) -> RedisCluster:
    """Create a cluster client whose connections may be closed while commands are running."""
    client = RedisCluster.from_url(url, **options)
    kind = SHARED[client.connection_kwargs.get("connection_class", Connection)]
    client.connection_kwargs["connection_class"] = kind
    for node in client.startup_nodes:
        node.connection_class = kind
    return client
