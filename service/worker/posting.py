"""Send HTTP requests to addresses that players have named.

Only checked addresses are reached, and an answer is read only so far and for so long.
"""

import asyncio
import socket
import ssl
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial

import httpcore

from events.record import at_text
from service.base.addresses import Network
from service.base.clock import now_micros
from service.base.connections import CONNECT_S, Lookup, NoPublicAddress, checked_pool
from service.play.deliveries import TOGETHER, Failure, Try

ANSWER_MAX = 16 * 1024
"""Number of bytes of an answer that are read. They are not kept."""
THREADS = TOGETHER
"""Number of names that are looked up at the same time: none of a job waits for another."""


class Poster:
    """Posts to URLs."""

    def __init__(self, pool: httpcore.AsyncConnectionPool) -> None:
        """Use a pool of connections."""
        self._pool = pool

    async def post(self, url: str, body: bytes, headers: Mapping[str, str], limit_s: float) -> Try:
        """Post a body, and return what came of it within a time (seconds)."""
        began, watch = now_micros(), time.perf_counter()
        status: int | None = None
        error: Failure | None = None
        try:
            async with asyncio.timeout(limit_s):
                status = await self._post(url, body, headers)
        except NoPublicAddress:
            error = "no-public-address"
        except (TimeoutError, httpcore.TimeoutException):
            error = "timed-out"
        except httpcore.ConnectError as failed:
            error = "tls-failed" if _is_of_tls(failed) else "connection-failed"
        except (httpcore.NetworkError, httpcore.ProtocolError):
            error = "answer-broken"
        return Try(at_text(began), status, error, round((time.perf_counter() - watch) * 1_000))

    async def _post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        limits = {"timeout": {"connect": CONNECT_S}}
        async with self._pool.stream(
            "POST", url, headers=list(headers.items()), content=body, extensions=limits
        ) as answer:
            size = 0
            async for part in answer.aiter_stream():
                size += len(part)
                if size > ANSWER_MAX:
                    break
            return answer.status


@asynccontextmanager
async def posting(
    networks: Sequence[Network],
    lookup: Lookup | None = None,
    trust: ssl.SSLContext | None = None,
) -> AsyncIterator[Poster]:
    """Open a poster. Each request has a connection of its own."""
    threads = ThreadPoolExecutor(THREADS, "lookup")
    try:
        async with checked_pool(networks, lookup or partial(_look_up, threads), trust) as pool:
            yield Poster(pool)
    finally:
        threads.shutdown(wait=False, cancel_futures=True)


def _is_of_tls(failed: httpcore.ConnectError) -> bool:
    """Return whether a connection failed because of TLS."""
    cause: BaseException | None = failed
    while cause is not None and not isinstance(cause, ssl.SSLError):
        cause = cause.__context__
    return cause is not None


async def _look_up(threads: ThreadPoolExecutor, host: str, port: int) -> Sequence[str]:
    look = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(threads, look)
    return [str(address[0]) for *_, address in found]
