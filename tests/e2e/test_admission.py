"""What nobody can take from running matches: room in the log."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from redis import Redis

from service.embedded.servers import Server, Supervisor
from tests.e2e.service import Player, Running, refusal, running, wait_until

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
        fillers: list[str] = []
        while server.info()["used_memory"] < SCARCE * MEMORY_MAX:
            fillers.append(f"player:filler{len(fillers)}")
            server.getset(fillers[-1], b"x" * PIECE)
        wait_until(lambda: not health(service)["new_matches"])
        assert health(service)["ready"]
        assert 0.8 < health(service)["log_used"] <= 1
        for path, body in (
            ("/matches", {"game": "tranquility", "seats": 1}),
            (f"/matches/{over}/branches", {"version": 2}),
            ("/players", {"name": "Eve"}),
        ):
            answer = ada.http.post(path, json=body)
            assert refusal(answer) == (503, "log-nearly-full"), path
            assert int(answer.headers["Retry-After"]) > 0
        for _ in range(3):
            ada.do(match, ada.legal(match)[0])
        for filler in fillers:
            server.getdel(filler)
        wait_until(lambda: health(service)["new_matches"])
        assert ada.open_match(seats=1)


@pytest.mark.parametrize("limit", ["matches_open_max", "matches_open_address_max"])
def test_who_opens_too_many_matches_waits_until_they_start(tmp_path, limit):
    """Those of a player, and those of all players of an address."""
    with running(tmp_path, "serve", **{limit: "3"}) as service, Player(service.url) as ada:
        matches = [ada.open_match(seats=1) for _ in range(3)]
        with Player(service.url, "Bob") as bob:
            for player in (ada, bob) if limit == "matches_open_address_max" else (ada,):
                answer = player.http.post("/matches", json={"game": "tranquility", "seats": 2})
                assert answer.status_code == 429
                assert answer.json()["code"] == "too-many-open-matches"
                assert int(answer.headers["Retry-After"]) > 0
            if limit == "matches_open_max":
                assert bob.open_match()
        ada.do(matches[0], {"type": "take_seat"})
        wait_until(lambda: ada.get("/matches?status=running")["matches"])
        assert ada.open_match()
        refused = ada.http.post("/matches", json={"game": "tranquility", "seats": 2})
        assert refused.json()["code"] == "too-many-open-matches"


def test_a_match_of_bots_alone_counts_until_it_is_over(tmp_path):
    with running(tmp_path, "serve", matches_open_max="1") as service, Player(service.url) as ada:
        match = ada.open_match(seats=2)
        for seat in range(2):
            ada.do(match, {"type": "add_bot", "seat": seat})
        wait_until(lambda: ada.get("/matches?status=running")["matches"])
        refused = ada.http.post("/matches", json={"game": "tranquility", "seats": 2})
        assert refused.json()["code"] == "too-many-open-matches"


def test_many_matches_opened_at_once_are_no_more_than_one_may_open(tmp_path):
    with (
        running(tmp_path, "serve", matches_open_max="5") as service,
        Player(service.url) as ada,
        ThreadPoolExecutor(20) as pool,
    ):
        body = {"game": "tranquility", "seats": 2}
        answers = list(pool.map(lambda _: ada.http.post("/matches", json=body), range(20)))
    assert sorted(answer.status_code for answer in answers) == [201] * 5 + [429] * 15


def test_neither_a_refused_match_nor_a_retry_takes_a_place(tmp_path):
    with running(tmp_path, "serve", matches_open_max="1") as service, Player(service.url) as ada:
        unknown = {"game": "tranquility", "seats": 2, "options": {"none": True}}
        assert ada.http.post("/matches", json=unknown).status_code == 422
        body, key = {"game": "tranquility", "seats": 2}, {"Idempotency-Key": "once"}
        first = ada.http.post("/matches", json=body, headers=key)
        again = ada.http.post("/matches", json=body, headers=key)
        assert (first.status_code, again.status_code) == (201, 201)
        assert first.json()["match"] == again.json()["match"]
        assert ada.http.post("/matches", json=body).status_code == 429
