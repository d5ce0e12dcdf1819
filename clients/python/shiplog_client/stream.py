"""Records of a match as they arrive (server-sent events), resumed when the connection is lost."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import httpx

from shiplog_client.generated.client import AuthenticatedClient
from shiplog_client.generated.unions import TOLD, ToldRecord
from shiplog_client.patience import Patience
from shiplog_client.receipts import Receipts
from shiplog_client.refusal import Refusal

SILENCE = httpx.Timeout(30, read=40)
"""The service is never silent for longer than this on an open stream (seconds)."""


def follow(
    client: AuthenticatedClient,
    match: str,
    *,
    after: int = 0,
    join_code: str | None = None,
    receipts: Receipts | None = None,
    patience: Patience = Patience(),  # noqa: B008 - a frozen value
) -> Iterator[ToldRecord]:
    """Yield the records of a match after a viewer's version, until it is over.

    A lost connection is opened again after the last record, so that none is missed or repeated.
    The stream's receipts are kept in `receipts`. Raises `Refusal`, and `httpx.TransportError` when
    the patience is exhausted.
    """
    position = Position(after, receipts=receipts)
    attempt = 0
    while not position.over:
        before = position.version
        try:
            with client.get_httpx_client().stream(
                "GET", _path(match), headers=_resuming(position), params=_code(join_code),
                timeout=SILENCE,
            ) as answer:  # fmt: skip
                if not answer.is_success:
                    raise _refusal(answer.status_code, answer.read())
                for line in answer.iter_lines():
                    if (record := position.read(line)) is not None:
                        yield record
        except httpx.TransportError:
            attempt = 0 if position.version > before else attempt + 1
            if attempt >= patience.tries:
                raise
        if not position.over:
            time.sleep(patience.wait_s(attempt))


async def follow_async(
    client: AuthenticatedClient,
    match: str,
    *,
    after: int = 0,
    join_code: str | None = None,
    receipts: Receipts | None = None,
    patience: Patience = Patience(),  # noqa: B008 - a frozen value
) -> AsyncIterator[ToldRecord]:
    """Yield the records of a match as `follow` does."""
    position = Position(after, receipts=receipts)
    attempt = 0
    while not position.over:
        before = position.version
        try:
            async with client.get_async_httpx_client().stream(
                "GET", _path(match), headers=_resuming(position), params=_code(join_code),
                timeout=SILENCE,
            ) as answer:  # fmt: skip
                if not answer.is_success:
                    raise _refusal(answer.status_code, await answer.aread())
                async for line in answer.aiter_lines():
                    if (record := position.read(line)) is not None:
                        yield record
        except httpx.TransportError:
            attempt = 0 if position.version > before else attempt + 1
            if attempt >= patience.tries:
                raise
        if not position.over:
            await asyncio.sleep(patience.wait_s(attempt))


@dataclass
class Position:
    """How far a stream has been read."""

    version: int
    """The last version that was received completely."""
    over: bool = False
    """Whether the match is over."""
    receipts: Receipts | None = None
    """Where receipts are kept."""
    _event: str = ""
    _id: str = ""
    _data: str = ""

    def read(self, line: str) -> ToldRecord | None:
        """Read the next line of a stream; return a record if the line completes one."""
        if line:
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            match field:
                case "event":
                    self._event = value
                case "id":
                    self._id = value
                case "data":
                    self._data += f"\n{value}" if self._data else value
                case _:
                    pass
            return None
        event, number, data = self._event, self._id, self._data
        self._event = self._id = self._data = ""
        if event == "end":
            self.over = True
        if event == "receipt" and self.receipts is not None:
            self.receipts.keep(data)
        if event != "record":
            return None
        self.version = int(number)
        told = json.loads(data)
        return TOLD[told["game"]].from_dict(told)


def _path(match: str) -> str:
    return f"/matches/{match}/stream"


def _resuming(position: Position) -> dict[str, str]:
    return {"Accept": "text/event-stream", "Last-Event-ID": str(position.version)}


def _code(join_code: str | None) -> dict[str, str]:
    return {} if join_code is None else {"join_code": join_code}


def _refusal(status: int, body: bytes) -> Refusal:
    try:
        problem = json.loads(body)
        return Refusal(status, problem["code"], problem["detail"], problem)
    except (ValueError, KeyError, TypeError):
        return Refusal(status, "unavailable", f"The service answered {status}.", {})
