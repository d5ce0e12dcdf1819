"""The witness notices silence, also if it is started anew for every look.

A service cannot keep it from noticing.
"""

import httpx
import pytest
from freezegun import freeze_time

from events.store import Unavailable
from service.cli import witness
from service.cli.witness import BUSY_TRIES, RemoteFiles, quiet_s


def test_the_time_without_growth_is_noted_in_the_folder(tmp_path):
    with freeze_time("2026-11-21 12:00:00") as clock:
        assert quiet_s(tmp_path, 5) == 0
        clock.tick(60)
        assert quiet_s(tmp_path, 5) == 60
        clock.tick(60)
        assert quiet_s(tmp_path, 5) == 120
        assert quiet_s(tmp_path, 6) == 0
        clock.tick(10)
        assert quiet_s(tmp_path, 6) == 10


def service(monkeypatch, answer):
    client = httpx.Client(transport=httpx.MockTransport(answer))
    monkeypatch.setattr(httpx, "Client", lambda **_: client)
    return RemoteFiles("http://service")


def test_a_service_that_asks_to_wait_for_ever_is_given_up(monkeypatch):
    pauses = []
    monkeypatch.setattr(witness.time, "sleep", pauses.append)
    files = service(monkeypatch, lambda _: httpx.Response(429, headers={"Retry-After": "1e9"}))
    with pytest.raises(Unavailable, match="status 429"):
        files.read("checkpoint")
    assert sum(pauses) <= BUSY_TRIES


def test_a_busy_service_is_asked_again(monkeypatch):
    monkeypatch.setattr(witness.time, "sleep", lambda _: None)
    answers = iter([httpx.Response(429), httpx.Response(200, content=b"note")])
    assert service(monkeypatch, lambda _: next(answers)).read("checkpoint") == b"note"


def test_an_answer_without_end_is_given_up(monkeypatch):
    endless = (bytes(1 << 16) for _ in iter(int, 1))
    files = service(monkeypatch, lambda _: httpx.Response(200, content=endless))
    with pytest.raises(Unavailable, match="does not end"):
        files.read("checkpoint")
