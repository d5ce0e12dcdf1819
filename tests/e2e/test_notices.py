"""One stream per player tells of all its matches, and resumes without loss or says so."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from redis import Redis

from tests.e2e.service import Player, Running, refusal, running
from tests.e2e.streams import Inbox, inbox


def test_a_player_is_told_of_its_match_from_start_to_end(ada, bob):
    with inbox(ada) as told:
        assert told.next() == {"type": "reset", "standing": []}
        match = ada.open_match()
        of = {"match": match, "game": "tranquility"}
        ada.do(match, {"type": "take_seat", "seat": 1})
        bob.do(match, {"type": "take_seat", "seat": 0})
        first = told.next()
        assert first == {"type": "match_started", **of, "seat": 1}
        waiting = ada.get(f"/matches/{match}")["waiting"]
        if waiting == [0]:
            bob.do(match, bob.legal(match)[0])
        turn = told.until("turn")
        assert turn == {"type": "turn", **of, "seat": 1, "after": 0, "deadline": None}
        bob.do(match, {"type": "resign"})
        ada.do(match, {"type": "resign"})
        over = told.until("match_over")
        assert (over["match"], over["status"], over["seat"]) == (match, "finished", 1)


def test_each_turn_is_told_once_and_again_while_it_lasts(ada):
    """A command after which the same seat is to move brings the next notice."""
    with inbox(ada) as told:
        match = ada.open_match(seats=1)
        ada.do(match, {"type": "take_seat"})
        turns = []
        for _ in range(3):
            turns.append(told.until("turn")["after"])
            ada.do(match, ada.legal(match)[0])
        assert turns == sorted(set(turns))
        assert turns[0] == 0


def test_a_new_stream_begins_with_what_stands(ada):
    match = ada.open_match(seats=1)
    ada.do(match, {"type": "take_seat"})
    with inbox(ada) as told:
        if not told.next()["standing"]:
            told.until("turn")
    with inbox(ada) as told:
        (turn,) = told.next()["standing"]
        assert (turn["type"], turn["match"], turn["after"]) == ("turn", match, 0)


def test_a_lost_stream_resumes_without_a_gap(ada, bob):
    with inbox(ada) as told:
        told.next()
        place = told.place
    match = ada.open_match()
    for player in (ada, bob):
        player.do(match, {"type": "take_seat"})
    with inbox(ada, place) as told:
        assert told.next()["type"] == "match_started"
    with inbox(ada, place) as told:
        assert told.next()["type"] == "match_started", "and again"


def test_a_stream_that_cannot_resume_says_so(ada):
    with inbox(ada, "1-1") as told:
        assert told.next() == {"type": "reset", "standing": []}
    refused = ada.http.get("/players/me/stream", headers={"Last-Event-ID": "soon"})
    assert refusal(refused) == (400, "malformed")
    assert refused.json()["errors"][0]["header"] == "Last-Event-ID"


def test_a_wiped_work_redis_is_told_and_loses_no_turn(tmp_path):
    with running(tmp_path, "serve") as service, Player(service.url) as player:
        match = player.open_match(seats=1)
        player.do(match, {"type": "take_seat"})
        with inbox(player) as told, wiped(service) as work:
            told.next()
            work.flushall()
            player.do(match, player.legal(match)[0])
            standing = told.until("reset")["standing"]
            turn = standing[0] if standing else told.until("turn")
            assert (turn["type"], turn["match"]) == ("turn", match)


@contextmanager
def wiped(service: Running) -> Iterator[Redis]:
    with Redis(unix_socket_path=str(service.data / "work" / "redis.sock")) as work:
        yield work


def test_talk_and_proposals_are_told_to_those_they_concern(ada, bob, eve):
    match = ada.open_match()
    ada.do(match, {"type": "take_seat"})
    with inbox(ada) as hers, inbox(bob) as his:
        said = bob.http.post(f"/matches/{match}/talk", json={"text": "hi"})
        assert said.json()["code"] == "not-a-seat"
        bob.do(match, {"type": "take_seat"})
        bob.do(match, {"type": "resign"})
        ada.do(match, {"type": "resign"})
        said = ada.http.post(f"/matches/{match}/talk", json={"text": "well"}).json()
        heard = his.until("talk")
        assert (heard["seat"], heard["message"]) == (0, said["id"])
        assert "well" not in json.dumps(heard), "the text stays where it can be erased"
        bob.http.post(f"/matches/{match}/talk", json={"text": "played"})
        assert hers.until("talk")["seat"] == 1, "nobody is told of their own words"


def test_a_proposal_is_told_to_whom_it_asks(ada, bob, match):
    with inbox(bob) as told:
        ada.do(match, {"type": "pause"})
        asked = told.until("proposal")
        assert (asked["seat"], asked["proposer"], asked["kind"]) == (1, 0, "pause")
        bob.do(match, {"type": "answer", "proposal": asked["proposal"], "accept": True})


def test_streams_count_against_the_limit_and_end_with_their_token(tmp_path):
    with (
        running(tmp_path, "serve", streams_max="1") as service,
        Player(service.url) as player,
        inbox(player) as told,
    ):
        told.next()
        refused = player.http.get("/players/me/stream")
        assert refusal(refused) == (429, "too-many-streams")
        match = player.open_match(seats=1)
        player.do(match, {"type": "take_seat"})
        told.until("turn")
        move = player.legal(match)[0]
        stolen = dict(player.http.headers)
        fresh = player.http.post("/players/me/token").json()["token"]
        player.http.headers["Authorization"] = f"Bearer {fresh}"
        player.do(match, move)
        assert stolen["authorization"] != player.http.headers["Authorization"]
        assert not list(told._lines), "the stream of the old token ends with the next notice"


def test_two_processes_tell_of_each_others_matches(service, ada, tmp_path):
    """The other process shares the servers of the first."""
    folder = service.data
    shared = {
        "log_url": f"unix://{folder}/log/redis.sock",
        "work_url": f"unix://{folder}/work/redis.sock",
        "secret_file": str(folder / "secrets.json"),
        "checkpoints": "none",
    }
    with (
        running(tmp_path, "serve", **shared) as other,
        httpx.Client(base_url=other.url, headers=ada.http.headers, timeout=20) as there,
        there.stream("GET", "/players/me/stream") as answer,
    ):
        told = Inbox(answer)
        told.next()
        match = ada.open_match(seats=1)
        ada.do(match, {"type": "take_seat"})
        assert told.until("turn")["match"] == match
