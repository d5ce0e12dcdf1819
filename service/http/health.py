"""Operations: health, metrics, public keys."""

import asyncio
from typing import Any

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from redis.exceptions import RedisError

from events.keyring import PublicKey
from events.store import Store, Unavailable
from service.base.clock import correction
from service.base.keys import Keys
from service.base.problems import forbidden
from service.play.admission import Admission
from service.play.caller import Caller

ANSWER_S = 1.0
"""Time in which a server must answer to count as available (seconds)."""


class Health(msgspec.Struct):
    """Health of the process. `ready`: it accepts commands."""

    ready: bool
    log: str
    """`ok` or `unavailable`."""
    work: str
    durability: str
    """`always`: an acknowledged command is on disk. `weaker`: the operator allows less."""
    weaknesses: list[str]
    """Settings of the log's Redis that are weaker."""
    new_matches: bool
    """Whether new matches and guests are admitted; running matches may go on even if not."""
    log_used: float
    """Used share of the log's memory, at its fullest server; 0 if it has no limit."""
    clock: str
    """`ok`, or `skewed`: too far from the log server's clock to apply deadlines."""
    clock_skew_s: float
    """Clock of this process's machine minus that of the log's server (seconds)."""


class Readiness:
    """Checks whether the process can accept commands."""

    def __init__(
        self,
        store: Store,
        work: Any,
        admission: Admission,
        weaknesses: tuple[str, ...],
        draining: asyncio.Event,
    ) -> None:
        """Check the log and the work Redis; `draining` is set once the process is to stop."""
        self._store = store
        self._work = work
        self._admission = admission
        self._weaknesses = weaknesses
        self._draining = draining

    async def health(self) -> Health:
        """Return the health of the process."""
        log = await self._log()
        return Health(
            ready=log == "ok" and not self._draining.is_set(),
            log=log,
            work=await self._work_redis(),
            durability="weaker" if self._weaknesses else "always",
            weaknesses=list(self._weaknesses),
            new_matches=log == "ok" and await self._admission.has_room(),
            log_used=round(await self._admission.log_used(), 3),
            clock="ok" if correction.bounded else "skewed",
            clock_skew_s=round(correction.skew_s, 3),
        )

    async def _log(self) -> str:
        try:
            async with asyncio.timeout(ANSWER_S):
                await self._store.document("player", "nobody")
        except (Unavailable, TimeoutError):
            return "unavailable"
        return "ok"

    async def _work_redis(self) -> str:
        try:
            async with asyncio.timeout(ANSWER_S):
                await self._work.ping()
        except (RedisError, OSError, TimeoutError):
            return "unavailable"
        return "ok"


@get("/health/live", tags=["operations"], operation_id="live")
async def live() -> dict[str, bool]:
    """Answer as long as the process runs."""
    return {"live": True}


@get(
    "/health/ready",
    tags=["operations"],
    operation_id="ready",
    responses={503: ResponseSpec(Health, generate_examples=False, description="`ready` is false.")},
)
async def ready(readiness: NamedDependency[Readiness]) -> Response[Health]:
    """Return whether commands are accepted; the status is 503 if not."""
    health = await readiness.health()
    return Response(health, status_code=200 if health.ready else 503)


@get(
    "/metrics",
    tags=["operations"],
    operation_id="metrics",
    refuses=("forbidden",),
    media_type="text/plain",
)
async def metrics(
    caller: NamedDependency[Caller], registry: NamedDependency[CollectorRegistry]
) -> Response[bytes]:
    """Return all metrics in Prometheus' text format, to officers: counts reveal hidden moves.

    Prometheus itself uses SHIPLOG_METRICS_PORT.
    """
    if not caller.sees_all:
        raise forbidden("Only officers may read the metrics.")
    text = await asyncio.to_thread(generate_latest, registry)
    return Response(text, headers={"Content-Type": CONTENT_TYPE_LATEST})


@get("/keys", tags=["operations"], operation_id="keys")
async def public_keys(keys: NamedDependency[Keys]) -> list[PublicKey]:
    """Return the public keys that verify signed heads."""
    return list(keys.ring.keys)


HANDLERS = (
    live,
    ready,
    metrics,
    public_keys,
)
