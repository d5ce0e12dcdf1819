"""Open streams: of a match's records, and of a player's notices."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from tests.e2e.service import Player


def events(player: Player, match: str, **headers: str) -> Iterator[dict]:
    with player.http.stream("GET", f"/matches/{match}/stream", headers=headers) as answer:
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        event: dict = {}
        for line in answer.iter_lines():
            name, _, value = line.partition(": ")
            if name in ("id", "event", "data"):
                event[name] = value
            elif not line and event:
                yield event
                event = {}


def records(player: Player, match: str, **headers: str) -> Iterator[dict]:
    return (event for event in events(player, match, **headers) if event["event"] == "record")


class Inbox:
    """An open stream of a player's notices."""

    def __init__(self, answer: httpx.Response) -> None:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        self._lines = answer.iter_lines()
        self.place = ""

    def next(self) -> dict:
        event: dict[str, str] = {}
        for line in self._lines:
            name, _, value = line.partition(": ")
            if name in ("id", "event", "data"):
                event[name] = value
            elif not line and "id" in event:
                self.place = event["id"]
                notice = json.loads(event["data"])
                assert notice["type"] == event["event"]
                return notice
        raise AssertionError("the stream has ended")

    def until(self, kind: str) -> dict:
        while (notice := self.next())["type"] != kind:
            pass
        return notice


@contextmanager
def inbox(player: Player, place: str | None = None) -> Iterator[Inbox]:
    headers = {} if place is None else {"Last-Event-ID": place}
    with player.http.stream("GET", "/players/me/stream", headers=headers, timeout=20) as answer:
        yield Inbox(answer)
