"""A transport that sends requests again until they are answered."""

import asyncio
import re
import secrets
import time

import httpx

from shiplog_client.patience import LOST, PASSING, Patience
from shiplog_client.receipts import Receipts
from shiplog_client.refusal import foreign_refusal

COUNTED = re.compile(r"/(matches|commands|branches|invitations/[^/]+/accept)$")
"""Paths of calls that count once, however often they are sent with the same Idempotency-Key."""
SIGNED = re.compile(r"/matches/([^/]+)(/commands)?$")
"""Paths of calls whose answers have a receipt if the request asks."""
READS = frozenset(("GET", "HEAD", "OPTIONS"))


class PatientTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Sends requests again with the same Idempotency-Key; asks for receipts and keeps them.

    A request that does not count once is sent again only if the service has refused it: after a
    lost connection nobody knows whether it was carried out.
    """

    def __init__(
        self,
        patience: Patience,
        receipts: Receipts | None,
        wrapped: httpx.BaseTransport | None = None,
        wrapped_async: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Wrap transports, by default those of httpx."""
        self._patience = patience
        self._receipts = receipts
        self._sync = wrapped
        self._async = wrapped_async

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request until it is answered for good. Raises `Refusal` for a foreign answer."""
        self._sync = self._sync or httpx.HTTPTransport()
        safe = _prepared(request)
        self._ask(request)
        for attempt in range(self._patience.tries):
            last = attempt + 1 == self._patience.tries
            try:
                answer = self._sync.handle_request(request)
            except LOST:
                if last or not safe:
                    raise
                time.sleep(self._patience.wait_s(attempt))
                continue
            if last or answer.status_code not in PASSING:
                if (refusal := foreign_refusal(answer)) is not None:
                    answer.close()
                    raise refusal
                self._keep(answer)
                return answer
            answer.close()
            time.sleep(self._patience.wait_s(attempt, answer))
        raise AssertionError("unreachable")

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request until it is answered for good. Raises `Refusal` for a foreign answer."""
        self._async = self._async or httpx.AsyncHTTPTransport()
        safe = _prepared(request)
        self._ask(request)
        for attempt in range(self._patience.tries):
            last = attempt + 1 == self._patience.tries
            try:
                answer = await self._async.handle_async_request(request)
            except LOST:
                if last or not safe:
                    raise
                await asyncio.sleep(self._patience.wait_s(attempt))
                continue
            if last or answer.status_code not in PASSING:
                if (refusal := foreign_refusal(answer)) is not None:
                    await answer.aclose()
                    raise refusal
                self._keep(answer)
                return answer
            await answer.aclose()
            await asyncio.sleep(self._patience.wait_s(attempt, answer))
        raise AssertionError("unreachable")

    def close(self) -> None:
        """Close the connections."""
        if self._sync is not None:
            self._sync.close()

    async def aclose(self) -> None:
        """Close the connections."""
        if self._async is not None:
            await self._async.aclose()

    def _ask(self, request: httpx.Request) -> None:
        """Ask for a receipt with each view of a match, and with a command every few seconds."""
        found = SIGNED.search(request.url.path)
        if self._receipts is None or found is None:
            return
        is_command = found[2] is not None
        if not is_command or self._receipts.is_due(found[1]):
            wishes = [request.headers.get("Prefer"), "receipt"]
            request.headers["Prefer"] = ", ".join(filter(None, wishes))

    def _keep(self, answer: httpx.Response) -> None:
        if self._receipts is not None and (receipt := answer.headers.get("Receipt")) is not None:
            self._receipts.keep(receipt)


def _prepared(request: httpx.Request) -> bool:
    """Give a request that counts once its key; return whether it may be sent again blindly."""
    if request.method in READS:
        return True
    counted = request.method == "POST" and COUNTED.search(request.url.path) is not None
    if counted and "Idempotency-Key" not in request.headers:
        request.headers["Idempotency-Key"] = secrets.token_hex(16)
    return counted
