"""What nobody can take from running matches: room in the log."""

from collections.abc import Iterator

import httpx
import pytest
from redis import Redis

from service.embedded.servers import Server, Supervisor
from tests.e2e.service import Player, Running, running, wait_until

MEMORY_MAX = 32 << 20
PIECE = 1 << 19
SCARCE = 0.85
"""Share of the log's memory that the test fills."""


@pytest.fixture
def small(tmp_path) -> Iterator[tuple[Running, Redis]]:
    """Give a service, and its log's server."""
    with (
        Supervisor(Server.log(tmp_path / "log", maxmemory=str(MEMORY_MAX))) as log,
        Redis.from_url(log.url) as server,
        running(tmp_path, "serve", log_url=log.url) as service,
    ):
        yield service, server


def health(service: Running) -> dict:
    answer = httpx.get(f"{service.url}/health/ready")
    assert answer.status_code == 200, "commands are accepted all the time"
    return answer.json()


def test_a_log_that_is_nearly_full_is_kept_for_the_matches_that_run(small):
    service, server = small
    with Player(service.url) as ada:
        assert health(service)["new_matches"]
        assert 0 < health(service)["log_used"] < 0.5
        over = ada.open_match(seats=1)
        ada.do(over, {"type": "take_seat"})
        ada.do(over, {"type": "resign"})
        match = ada.open_match(seats=1)
        ada.do(match, {"type": "take_seat"})
        while server.info()["used_memory"] < SCARCE * MEMORY_MAX:
            server.rpush("filler", b"x" * PIECE)
        wait_until(lambda: not health(service)["new_matches"])
        assert health(service)["ready"]
        assert 0.8 < health(service)["log_used"] <= 1
        for path, body in (
            ("/matches", {"game": "tranquility", "seats": 1}),
            (f"/matches/{over}/branches", {"version": 2}),
            ("/players", {"name": "Eve"}),
        ):
            answer = ada.http.post(path, json=body)
            assert (answer.status_code, answer.json()["code"]) == (503, "log-nearly-full"), path
            assert int(answer.headers["Retry-After"]) > 0
        for _ in range(3):
            ada.do(match, ada.legal(match)[0])
        server.unlink("filler")
        wait_until(lambda: health(service)["new_matches"])
        assert ada.open_match(seats=1)
