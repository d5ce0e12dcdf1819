"""Erasing a person: name, identity, tokens and talk go; no log is touched."""

import pytest
from redis import Redis

from events import file
from games import GAMES
from replay.audit import audit
from replay.evidence import Evidence
from tests.e2e.played import end
from tests.e2e.service import Player, refusal, running, wait_until


@pytest.fixture
def played(ada, bob, match):
    """End the match, and talk."""
    end(ada, bob, match)
    for player in (ada, bob):
        said = player.http.post(f"/matches/{match}/talk", json={"text": "ahoy"})
        assert said.status_code == 201
    for player in (ada, bob):
        wait_until(lambda player=player: player.get("/players/me/matches")["matches"])
    return match


def names(player, match):
    return {seat["player"]: seat["name"] for seat in player.get(f"/matches/{match}")["seats"]}


def test_an_erased_player_has_no_name_anywhere(ada, bob, played):
    assert names(bob, played)[ada.id] == "Ada"
    before = bob.http.get(f"/matches/{played}/export").content
    assert ada.http.delete("/players/me").status_code == 204
    assert ada.http.get("/players/me").status_code == 401
    assert names(bob, played) == {ada.id: "erased player", bob.id: "Bob"}
    assert bob.get(f"/players/{ada.id}")["name"] == "erased player"
    assert [message["seat"] for message in bob.get(f"/matches/{played}/talk")] == [1]
    pages = ["/matches?count=200", f"/players/{ada.id}/matches", "/standings/tranquility"]
    for path in (*pages, f"/matches/{played}", f"/matches/{played}/events"):
        assert '"Ada"' not in bob.http.get(path).text, path
    after = bob.http.get(f"/matches/{played}/export").content
    assert after == before, "no log is touched"
    lines, head = file.read(after)
    assert audit(GAMES, Evidence(played, lines, played, head)).findings == []


def test_operators_erase_others(ada, bob, eve, operator, played):
    refused = eve.http.delete(f"/players/{ada.id}")
    assert refusal(refused) == (403, "forbidden")
    assert operator.http.delete("/players/p_nobody").status_code == 404
    assert operator.http.delete(f"/players/{ada.id}").status_code == 204
    assert operator.http.delete(f"/players/{ada.id}").status_code == 204, "again, to no harm"
    assert names(bob, played)[ada.id] == "erased player"
    assert ada.http.get("/players/me").status_code == 401
    assert ada.http.patch("/players/me", json={"name": "Ada"}).status_code == 401


def test_talk_is_durable_and_erased_without_the_work_redis_knowing_of_it(tmp_path):
    """A wipe of the work Redis loses no talk, and an erasure right after it misses none."""
    with (
        running(tmp_path, "serve") as service,
        Player(service.url) as ada,
        Player(service.url) as bob,
        Redis(unix_socket_path=str(service.data / "work" / "redis.sock")) as work,
    ):
        match = ada.open_match("submarine", 2)
        for player in (ada, bob):
            player.do(match, {"type": "take_seat"})
            said = player.http.post(f"/matches/{match}/talk", json={"text": player.id})
            assert said.status_code == 201, said.text
        work.flushall()
        heard = [message["text"] for message in bob.get(f"/matches/{match}/talk")]
        assert heard == [ada.id, bob.id]
        assert wait_until(lambda: ada.http.delete("/players/me").status_code == 204)
        left = [message["text"] for message in bob.get(f"/matches/{match}/talk")]
        assert left == [bob.id]
