"""Streams of server-sent events, resumed when the connection is lost: a match, and notices."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import httpx

from shiplog_client.generated.client import AuthenticatedClient
from shiplog_client.generated.unions import NOTICES, TOLD, Notice, ToldRecord
from shiplog_client.patience import LOST, Patience
from shiplog_client.receipts import Receipts
from shiplog_client.refusal import Refusal

SILENCE = httpx.Timeout(30, read=40)
"""The service is never silent for longer than this on an open stream (seconds)."""
NOTICED = "/players/me/stream"


@dataclass(frozen=True)
class PlacedNotice:
    """A notice of a player's stream."""

    place: str
    """Where to resume: `after` of another `follow_notices`."""
    notice: Notice


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
    for event in _events(client, Place(_path(match), str(after), _code(join_code)), patience):
        if event.type == "end":
            return
        if (record := _record(event, receipts)) is not None:
            yield record


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
    place = Place(_path(match), str(after), _code(join_code))
    async for event in _events_async(client, place, patience):
        if event.type == "end":
            return
        if (record := _record(event, receipts)) is not None:
            yield record


def follow_notices(
    client: AuthenticatedClient,
    *,
    after: str | None = None,
    patience: Patience = Patience(),  # noqa: B008 - a frozen value
) -> Iterator[PlacedNotice]:
    """Yield what concerns the player in all matches, without an end.

    A lost connection is opened again after the last notice. A notice may come twice. Some may be
    missing before `reset`: then read the lists anew. Raises as `follow` does.
    """
    for event in _events(client, Place(NOTICED, after or ""), patience):
        if (placed := _notice(event)) is not None:
            yield placed


async def follow_notices_async(
    client: AuthenticatedClient,
    *,
    after: str | None = None,
    patience: Patience = Patience(),  # noqa: B008 - a frozen value
) -> AsyncIterator[PlacedNotice]:
    """Yield what concerns the player as `follow_notices` does."""
    async for event in _events_async(client, Place(NOTICED, after or ""), patience):
        if (placed := _notice(event)) is not None:
            yield placed


class Event(NamedTuple):
    """An event that was received completely."""

    type: str
    id: str
    data: str


@dataclass
class Place:
    """How far a stream has been read."""

    path: str
    last: str
    """Id of the last event; empty before the first."""
    query: dict[str, str] = field(default_factory=dict[str, str])
    _fields: dict[str, str] = field(default_factory=dict[str, str])

    def headers(self) -> dict[str, str]:
        """Return the headers with which the stream goes on; what was cut off is forgotten."""
        self._fields.clear()
        resuming = {"Last-Event-ID": self.last} if self.last else {}
        return {"Accept": "text/event-stream", **resuming}

    def read(self, line: str) -> Event | None:
        """Read the next line of a stream; return an event if the line completes one."""
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data" and "data" in self._fields:
                value = f"{self._fields['data']}\n{value}"
            self._fields[name] = value
            return None
        event = Event(*(self._fields.get(name, "") for name in ("event", "id", "data")))
        self._fields.clear()
        if not event.data:  # what only keeps the connection open
            return None
        self.last = event.id or self.last
        return event


def _events(client: AuthenticatedClient, place: Place, patience: Patience) -> Iterator[Event]:
    """Yield the events of a stream, and open it again after the last one whenever it is cut."""
    attempt = 0
    while True:
        try:
            with client.get_httpx_client().stream(
                "GET", place.path, headers=place.headers(), params=place.query, timeout=SILENCE
            ) as answer:
                if not answer.is_success:
                    raise _refusal(answer.status_code, answer.read())
                for line in answer.iter_lines():
                    if (event := place.read(line)) is not None:
                        attempt = 0
                        yield event
        except LOST:
            attempt += 1
            if attempt >= patience.tries:
                raise
        time.sleep(patience.wait_s(attempt))


async def _events_async(
    client: AuthenticatedClient, place: Place, patience: Patience
) -> AsyncIterator[Event]:
    """Yield events as `_events` does."""
    attempt = 0
    while True:
        try:
            async with client.get_async_httpx_client().stream(
                "GET", place.path, headers=place.headers(), params=place.query, timeout=SILENCE
            ) as answer:
                if not answer.is_success:
                    raise _refusal(answer.status_code, await answer.aread())
                async for line in answer.aiter_lines():
                    if (event := place.read(line)) is not None:
                        attempt = 0
                        yield event
        except LOST:
            attempt += 1
            if attempt >= patience.tries:
                raise
        await asyncio.sleep(patience.wait_s(attempt))


def _record(event: Event, receipts: Receipts | None) -> ToldRecord | None:
    """Return the record of an event, or keep its receipt."""
    if event.type == "receipt" and receipts is not None:
        receipts.keep(event.data)
    if event.type != "record":
        return None
    told = json.loads(event.data)
    return TOLD[told["game"]].from_dict(told)


def _notice(event: Event) -> PlacedNotice | None:
    """Return the notice of an event; None if a newer service has a type that is not known here."""
    told = json.loads(event.data)
    kind = NOTICES.get(told["type"])
    return None if kind is None else PlacedNotice(event.id, kind.from_dict(told))


def _path(match: str) -> str:
    return f"/matches/{match}/stream"


def _code(join_code: str | None) -> dict[str, str]:
    return {} if join_code is None else {"join_code": join_code}


def _refusal(status: int, body: bytes) -> Refusal:
    problem = json.loads(body)
    return Refusal(status, problem["code"], problem["detail"], problem)
