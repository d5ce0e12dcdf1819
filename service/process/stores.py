"""The stores of a process: the log, its archive, and the work Redis."""

from contextlib import AsyncExitStack
from typing import Any, NamedTuple

from redis.asyncio import BlockingConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.maint_notifications import MaintNotificationsConfig

from events.append_writer import Limits
from events.archive import ArchiveStore
from events.connection import client_of
from events.patience import SILENT_S, Patience
from events.redis_store import RedisStore
from events.store import Unavailable
from events.tiered_store import TieredStore
from service.base import metrics
from service.base.settings import Settings
from service.base.traces import store_kind
from service.embedded.servers import Server, archiver_url, running
from service.process.timekeeping import timekeeping

PATIENCE_S = 5.0
"""Time for which a command waits for the log before it gets 503 (seconds)."""
SILENCE_S = 3.0
"""Silence after which a connection to the log is replaced (seconds)."""
WORKER_PATIENCE_S = 20.0
"""The same for the jobs of a worker, for which nobody waits (seconds)."""
WORK_CONNECTIONS = 100
"""Maximum number of connections of a process to the work Redis."""


class Stores(NamedTuple):
    """The open stores."""

    log_url: str
    work_url: str
    live: RedisStore
    """The log of the matches that are not archived."""
    weaknesses: tuple[str, ...]
    """Settings of the log's Redis weaker than fsync on every write, as allowed by the operator."""
    archiver: RedisStore
    """The log, with the account that may remove logs and rewrite the append file."""
    store: TieredStore
    """The log and the archive."""
    work: Any
    """An asyncio client of the work Redis, of bytes."""
    patience: Patience
    """How long calls to the work Redis wait for it."""


async def open_stores(stack: AsyncExitStack, settings: Settings, patience_s: float) -> Stores:
    """Open the stores until the stack closes.

    Start or join the embedded servers unless URLs are set. Commands wait `patience_s` for the log
    (seconds).
    """
    log_url = settings.log_url or await stack.enter_async_context(
        running(Server.log(settings.data / "log"))
    )
    work_url = settings.work_url or await stack.enter_async_context(
        running(Server.work(settings.data / "work"))
    )
    metrics.REPLICAS_WANTED.set(settings.wait_replicas)
    metrics.LOG_RESERVE.set(settings.log_reserve)
    limits = Limits(total_s=patience_s, reply_s=SILENCE_S, replicas=settings.wait_replicas)
    live = await stack.enter_async_context(
        store_kind(settings)(log_url, limits, on_batch=metrics.batch_written)
    )
    await stack.enter_async_context(timekeeping(live))
    weaknesses = await _weaknesses(live, settings)
    archiver = await stack.enter_async_context(
        store_kind(settings)(_archiver_url(settings, log_url), limits)
    )
    place = settings.archive_place
    store = TieredStore(live, None if place is None else ArchiveStore(place), archiver)
    patience = Patience()
    work = work_client(work_url, patience)
    stack.push_async_callback(work.aclose)
    return Stores(log_url, work_url, live, tuple(weaknesses), archiver, store, work, patience)


async def _weaknesses(live: RedisStore, settings: Settings) -> list[str]:
    """Return the allowed weaknesses of the log; raises `NotDurable`, `Unavailable`."""
    try:
        return await live.check_durability(weaker_allowed=settings.durability == "weaker")
    except Unavailable as error:
        todo = "Start it, or correct SHIPLOG_LOG_URL."
        raise Unavailable(f"The log Redis does not answer: {error} {todo}") from None


def work_client(url: str, patience: Patience | None = None) -> Any:
    """Return an asyncio client of the work Redis, of bytes.

    Calls beyond the number of connections wait: a burst of one caller must refuse nobody.
    """
    return client_of(
        BlockingConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType]
            url,
            max_connections=WORK_CONNECTIONS,
            timeout=SILENT_S,
            socket_connect_timeout=SILENT_S,
            retry=Retry(NoBackoff(), 1),
            driver_info=None,
            maint_notifications_config=MaintNotificationsConfig(enabled=False),
        ),
        patience,
    )


def _archiver_url(settings: Settings, log_url: str) -> str:
    """Return the URL of the log for the account that may remove archived matches."""
    if settings.log_archiver_url:
        return settings.log_archiver_url
    return log_url if settings.log_url else archiver_url(log_url)
