"""A player of a service follows a match over its stream."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from service.cli import remote
from service.cli.remote import RemotePlayer, RequestRefused


class Cut(httpx.SyncByteStream):
    """A stream that is lost after some bytes."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __iter__(self) -> Iterator[bytes]:
        yield self._text.encode()
        raise httpx.ReadError("cut")


class Script:
    """A service that answers as written, and remembers where streams began."""

    def __init__(self, views: list[dict[str, Any]], streams: list[httpx.Response]) -> None:
        self._views = views
        self._streams = streams
        self.began: list[str] = []

    def player(self) -> RemotePlayer:
        player = RemotePlayer("http://shiplog", "Ada", "t")
        player.http = httpx.Client(
            base_url="http://shiplog", transport=httpx.MockTransport(self.answer)
        )
        return player

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/stream"):
            self.began.append(request.headers["Last-Event-ID"])
            return self._streams.pop(0)
        return httpx.Response(200, json=self._views.pop(0))


def view(version: int, status: str = "running", waiting: tuple[int, ...] = ()) -> dict[str, Any]:
    return {"version": version, "status": status, "you": 0, "waiting": waiting}


def records(*versions: int) -> str:
    return "".join(f"event: record\r\nid: {one}\r\ndata: {{}}\r\n\r\n" for one in versions)


END = "event: end\r\ndata: {}\r\n\r\n"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(remote, "POLL_S", 0)


def test_a_lost_stream_resumes_after_the_last_record():
    script = Script(
        [view(3), view(4), view(5, "finished")],
        [
            httpx.Response(200, stream=Cut(": still here\r\n\r\n" + records(4))),
            httpx.Response(503, json={}),
            httpx.Response(200, text=records(5) + END),
        ],
    )
    assert [shown["version"] for shown in script.player().changes("m")] == [3, 4, 5]
    assert script.began == ["3", "4", "4"]


def test_records_that_a_view_has_already_shown_are_passed_over():
    script = Script(
        [view(3), view(6), view(7, "abandoned")],
        [httpx.Response(200, text=records(4, 5, 6, 7) + END)],
    )
    assert [shown["version"] for shown in script.player().changes("m")] == [3, 6, 7]


def test_a_view_that_is_behind_the_stream_is_not_shown():
    script = Script(
        [view(3), view(3), view(4, "finished")], [httpx.Response(200, text=records(4) + END)]
    )
    assert [shown["version"] for shown in script.player().changes("m")] == [3, 4]


def test_a_player_who_is_to_move_is_asked_without_a_stream():
    script = Script([view(3, waiting=(0,)), view(3, waiting=(0,)), view(4, "finished")], [])
    assert [shown["version"] for shown in script.player().changes("m")] == [3, 3, 4]


def test_a_stream_that_cannot_be_opened_again_is_given_up(monkeypatch):
    monkeypatch.setattr(remote, "LOST_S", -1)
    script = Script([view(3)], [httpx.Response(200, stream=Cut(""))])
    with pytest.raises(httpx.ReadError):
        list(script.player().changes("m"))


def test_a_refusal_names_the_places_that_are_wrong():
    wrong = {"pointer": "/options/variant", "detail": "Expected `standard`, got 'x'"}
    problem = {"code": "bad-option", "detail": "The rules refuse this.", "errors": [wrong]}
    script = Script([view(3)], [httpx.Response(422, json=problem)])
    with pytest.raises(RequestRefused, match="bad-option: /options/variant: Expected `standard`"):
        list(script.player().changes("m"))


def test_an_address_without_a_scheme_is_refused(shiplog):
    refused = shiplog("watch", "m", "--url", "localhost:8000")
    assert refused.exit_code == 2
    assert "must begin with http:// or https://" in refused.output
