"""Operations: health, metrics, keys."""

import asyncio

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from redis.exceptions import RedisError

from events.store import Unavailable
from service.base.problems import forbidden
from service.play.players import Caller
from service.process.context import Context

ANSWER_S = 1.0
"""Seconds in which a server must answer to count as there."""


class Health(msgspec.Struct):
    """How the process is. `ready` means it can take commands."""

    ready: bool
    log: str
    """`ok` or `unavailable`."""
    work: str
    durability: str
    """`always`: an acknowledged command is on disk. `weaker`: not so, by the operator's leave."""
    weaknesses: list[str]
    """What is weaker."""


class PublicKey(msgspec.Struct):
    """The key that vouches for heads of logs."""

    service: str
    algorithm: str
    public_key: str
    """32 bytes in hex."""


@get("/health/live", tags=["operations"], operation_id="live", security=[])
async def live() -> dict[str, bool]:
    """Tell that the process answers."""
    return {"live": True}


@get("/health/ready", tags=["operations"], operation_id="ready", security=[])
async def ready(context: NamedDependency[Context]) -> Response[Health]:
    """Tell whether commands are taken: 503 if not."""
    health = Health(
        ready=True,
        log=await _log(context),
        work=await _work(context),
        durability="weaker" if context.weaknesses else "always",
        weaknesses=list(context.weaknesses),
    )
    health.ready = health.log == "ok" and not context.draining.is_set()
    return Response(health, status_code=200 if health.ready else 503)


@get("/metrics", tags=["operations"], operation_id="metrics", media_type="text/plain")
async def metrics(
    caller: NamedDependency[Caller], figures: NamedDependency[CollectorRegistry]
) -> Response[bytes]:
    """Give all figures in Prometheus' text format, to officers: counts tell of hidden moves.

    Prometheus itself is answered on SHIPLOG_METRICS_PORT.
    """
    if not caller.sees_all:
        raise forbidden("figures are for officers")
    text = await asyncio.to_thread(generate_latest, figures)
    return Response(text, headers={"Content-Type": CONTENT_TYPE_LATEST})


@get("/keys", tags=["operations"], operation_id="keys", security=[])
async def public_keys(context: NamedDependency[Context]) -> list[PublicKey]:
    """Give the public keys that signed heads can be checked with."""
    raw = context.keys.public.public_bytes_raw().hex()
    return [PublicKey(context.keys.service, "Ed25519", raw)]


async def _log(context: Context) -> str:
    try:
        async with asyncio.timeout(ANSWER_S):
            await context.store.player("nobody")
    except (Unavailable, TimeoutError):
        return "unavailable"
    return "ok"


async def _work(context: Context) -> str:
    try:
        async with asyncio.timeout(ANSWER_S):
            await context.work.ping()
    except (RedisError, OSError, TimeoutError):
        return "unavailable"
    return "ok"


HANDLERS = (
    live,
    ready,
    metrics,
    public_keys,
)
