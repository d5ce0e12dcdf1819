"""Blocked players and muted talk: what no longer reaches whom, and what nobody can tell."""

from collections.abc import Iterator

import pytest

from tests.e2e.invitations import invite, received, seek, sent, take
from tests.e2e.people import bot_of, using
from tests.e2e.service import Player, Running, refusal
from tests.e2e.streams import inbox


@pytest.fixture
def dan(service: Running) -> Iterator[Player]:
    with Player(service.url, "Dan") as player:
        yield player


def block(player: Player, other: str):
    return player.http.put(f"/blocks/{other}")


def blocked(player: Player) -> list[str]:
    return [one["player"] for one in player.get("/players/me/blocks")]


def test_a_block_is_listed_for_its_player_alone_and_can_be_lifted(ada, bob):
    assert block(ada, bob.id).status_code == 204
    assert block(ada, bob.id).status_code == 204, "again, with the same effect"
    assert ada.get("/players/me/blocks") == [
        {"player": bob.id, "name": "Bob", "owner": None, "owns_name": False}
    ]
    assert blocked(bob) == []
    assert ada.http.delete(f"/blocks/{bob.id}").status_code == 204
    assert blocked(ada) == []


def test_a_block_must_make_sense(ada):
    assert refusal(block(ada, ada.id)) == (422, "own-block")
    assert refusal(block(ada, "p_nobody")) == (404, "not-found")
    assert refusal(ada.http.put("/mutes/m_none")) == (404, "not-found")


def test_a_blocked_player_cannot_invite_and_gets_the_same_answers(ada, bob, eve):
    block(bob, ada.id)
    match, other = ada.open_match(), eve.open_match()
    with inbox(bob) as told:
        told.next()
        one = invite(ada, match, bob.id, text="Please")
        assert one.status_code == 201
        assert refusal(invite(ada, match, bob.id)) == (422, "already-invited")
        assert sent(ada) == [one.json()]
        assert ada.http.delete(f"/invitations/{one.json()['id']}").status_code == 204
        invite(eve, other, bob.id)
        assert told.next()["by"] == eve.id, "the first notice: the blocked one was not told"
    assert [one["by"] for one in received(bob)] == [eve.id]


def test_a_block_removes_the_invitations_that_are_there(ada, bob):
    one = invite(ada, ada.open_match(), bob.id).json()
    assert received(bob) == [one]
    block(bob, ada.id)
    assert received(bob) == []
    assert sent(ada) == [one]


def test_a_bot_of_a_blocked_player_is_blocked_too(ada, bob):
    made = bot_of(ada)
    block(bob, ada.id)
    with using(ada, made["token"]) as bot:
        match = bot.post("/matches", json={"game": "tranquility", "seats": 2}).json()["match"]
        answer = bot.post(f"/matches/{match}/invitations", json={"player": bob.id})
        assert answer.status_code == 201
    assert received(bob) == []


@pytest.mark.parametrize("by_poster", [True, False])
def test_neither_sees_nor_takes_the_others_seek(ada, bob, by_poster):
    block(*((ada, bob.id) if by_poster else (bob, ada.id)))
    one = seek(ada)
    assert one["seek"] not in str(bob.get("/seeks"))
    assert refusal(take(bob, one)) == refusal(take(bob, {"seek": "s_none"})) == (404, "not-found")
    ada.http.delete(f"/seeks/{one['seek']}")


def test_a_seek_with_a_place_of_a_blocked_player_is_not_offered(ada, bob, eve, dan):
    one = seek(ada, seats=3)
    assert take(bob, one).status_code == 200
    block(eve, bob.id)
    assert one["seek"] not in str(eve.get("/seeks"))
    assert refusal(take(eve, one)) == (404, "not-found")
    assert take(dan, one).json()["match"]


def test_a_block_leaves_the_seeks_that_are_shared(ada, bob, eve):
    theirs, mine = seek(bob, seats=3), seek(ada, seats=3)
    assert take(ada, theirs).status_code == take(bob, mine).status_code == 200
    block(ada, bob.id)
    assert refusal(take(eve, mine)) == (404, "not-found")
    assert take(eve, theirs).json()["players"] == [bob.id, eve.id]
    bob.http.delete(f"/seeks/{theirs['seek']}")


def test_talk_of_the_blocked_and_of_muted_matches_is_not_told(ada, bob):
    quiet, loud = [_table(ada, bob, "submarine") for _ in range(2)]
    assert ada.http.put(f"/mutes/{quiet}").status_code == 204
    assert ada.get("/players/me/mutes") == [quiet]
    with inbox(ada) as told:
        _say(bob, quiet)
        heard = _say(bob, loud)
        assert told.until("talk")["message"] == heard
        block(ada, bob.id)
        _say(bob, loud)
        ada.http.delete(f"/blocks/{bob.id}")
        ada.http.delete(f"/mutes/{quiet}")
        heard = _say(bob, quiet)
        assert told.until("talk")["message"] == heard
    assert len(ada.get(f"/matches/{quiet}/talk")) == 2, "whoever asks still reads it"
    assert ada.get("/players/me/mutes") == []


def test_an_offer_of_a_rematch_by_a_blocked_player_does_not_ask(ada, bob):
    match = _table(ada, bob)
    for player in (ada, bob):
        player.do(match, {"type": "resign"})
    block(ada, bob.id)
    assert bob.http.post(f"/matches/{match}/rematch", json={}).status_code in (200, 201, 202)
    assert ada.get("/players/me/rematches") == []
    ada.http.delete(f"/blocks/{bob.id}")
    assert [one["match"] for one in ada.get("/players/me/rematches")] == [match]


def _table(ada: Player, bob: Player, game: str = "tranquility") -> str:
    match = ada.open_match(game=game)
    ada.do(match, {"type": "take_seat", "seat": 0})
    bob.do(match, {"type": "take_seat", "seat": 1})
    return match


def _say(player: Player, match: str) -> str:
    answer = player.http.post(f"/matches/{match}/talk", json={"text": "Hello"})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]
