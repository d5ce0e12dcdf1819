"""Invitations to a match, and seeks: from the offer to the table."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from redis import Redis

from service.play.invitations import SENT_MAX
from service.play.seek_store import OPEN_MAX
from tests.e2e.invitations import DUEL, invite, received, seek, sent, take
from tests.e2e.people import bot_of, using
from tests.e2e.service import Player, Running, refusal, running, running_with_worker, wait_until
from tests.e2e.streams import inbox

pytestmark = pytest.mark.long


def invited(host: Player, guest: Player, match: str | None = None, **more) -> dict:
    match = match or host.open_match(private=True)
    answer = invite(host, match, guest.id, **more)
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_an_invitation_opens_a_private_match_to_the_invited_alone(ada, bob, eve):
    match = ada.open_match(private=True)
    assert bob.http.get(f"/matches/{match}").status_code == 404
    with inbox(bob) as told:
        told.next()
        one = invited(ada, bob, match, text="A quick one?", seat=1)
        notice = told.until("invitation")
    assert notice == {
        "type": "invitation",
        "invitation": one["id"],
        "match": match,
        "game": "tranquility",
        "by": ada.id,
    }
    assert received(bob) == sent(ada) == [one]
    assert (one["text"], one["seat"], one["by"], one["to"]) == ("A quick one?", 1, ada.id, bob.id)
    assert bob.get(f"/matches/{match}")["status"] == "waiting"
    assert eve.http.get(f"/matches/{match}").status_code == 404
    assert received(eve) == sent(bob) == []


def test_whoever_may_invite_is_told_the_join_code_until_the_start(ada, bob, eve):
    """Another browser of the same player has no other way to the link."""
    made = ada.http.post("/matches", json={**DUEL, "private": True}).json()
    match, code = made["match"], {"join_code": made["join_code"]}

    def told(player: Player) -> str | None:
        return player.get(f"/matches/{match}/legal?join_code={made['join_code']}")["join_code"]

    assert (told(ada), told(bob), told(eve)) == (made["join_code"], None, None)
    sat = bob.http.post(f"/matches/{match}/commands", json={"type": "take_seat"}, params=code)
    assert sat.status_code == 200
    assert (told(bob), told(eve)) == (made["join_code"], None)
    ada.do(match, {"type": "take_seat"})
    assert (told(ada), told(bob)) == (None, None)
    assert ada.get(f"/matches/{ada.open_match()}/legal")["join_code"] is None


def test_who_invites_and_withdraws_again_and_again_is_heard_once(ada, bob):
    match = ada.open_match(private=True)
    with inbox(bob) as told:
        told.next()
        for _ in range(3):
            one = invited(ada, bob, match)
            assert ada.http.delete(f"/invitations/{one['id']}").status_code == 204
        other = invited(ada, bob)
        heard = [told.until("invitation"), told.until("invitation_closed")]
        assert [notice["match"] for notice in heard] == [match, match]
        assert told.until("invitation")["invitation"] == other["id"]


def test_who_accepts_has_the_seat_and_the_host_is_told(ada, bob):
    match = ada.open_match(private=True)
    ada.do(match, {"type": "take_seat", "seat": 0})
    one = invited(ada, bob, match, seat=1)
    path = f"/invitations/{one['id']}/accept"
    with inbox(ada) as told:
        told.next()
        key = {"Idempotency-Key": "yes"}
        answer = bob.http.post(path, json={"entropy": "b0b"}, headers=key)
        assert (answer.status_code, answer.json()["seat"]) == (200, 1)
        assert bob.http.post(path, json={"entropy": "b0b"}, headers=key).json() == answer.json()
        assert told.until("invitation_closed")["state"] == "accepted"
    assert ada.get(f"/matches/{match}")["status"] == "running"
    assert received(bob) == sent(ada) == []


def test_a_declined_invitation_is_not_repeated(ada, bob):
    match = ada.open_match(private=True)
    one = invited(ada, bob, match, text="please")
    with inbox(ada) as told:
        told.next()
        assert bob.http.post(f"/invitations/{one['id']}/decline").status_code == 204
        assert told.until("invitation_closed")["state"] == "declined"
    assert bob.http.get(f"/matches/{match}").status_code == 404
    assert refusal(bob.http.post(f"/invitations/{one['id']}/accept", json={})) == (404, "not-found")
    assert refusal(ada.http.delete(f"/invitations/{one['id']}")) == (404, "not-found")
    assert refusal(invite(ada, match, bob.id)) == (422, "already-invited")
    assert received(bob) == sent(ada) == []


def test_a_withdrawn_invitation_closes_the_match_again(ada, bob):
    match = ada.open_match(private=True)
    one = invited(ada, bob, match)
    with inbox(bob) as told:
        told.next()
        assert ada.http.delete(f"/invitations/{one['id']}").status_code == 204
        assert told.until("invitation_closed")["state"] == "withdrawn"
    assert bob.http.get(f"/matches/{match}").status_code == 404
    assert invite(ada, match, bob.id).status_code == 201, "and may be made again"


def test_the_invited_no_longer_see_a_private_match_that_has_started_without_them(ada, bob, eve):
    match = ada.open_match(private=True)
    invited(ada, bob, match)
    invited(ada, eve, match)
    ada.do(match, {"type": "take_seat"})
    one = received(bob)[0]
    assert bob.http.post(f"/invitations/{one['id']}/accept", json={}).status_code == 200
    assert eve.http.get(f"/matches/{match}").status_code == 404
    wait_until(lambda: received(eve) == [])


def test_only_those_concerned_may_answer(ada, bob, eve):
    one = invited(ada, bob)
    for player, path in ((eve, "accept"), (eve, "decline"), (ada, "accept"), (ada, "decline")):
        answer = player.http.post(f"/invitations/{one['id']}/{path}", json={})
        assert refusal(answer) == (404, "not-found")
    for player in (bob, eve):
        assert refusal(player.http.delete(f"/invitations/{one['id']}")) == (404, "not-found")
    assert received(bob) == [one]


def test_what_is_no_id_is_not_found_even_if_something_is_stored_under_its_key(ada, bob):
    made, sought = invite(ada, ada.open_match(), bob.id).json()["id"], seek(ada)["seek"]
    for path in (f"/invitations/{made}:told/accept", f"/seeks/{sought}:places/take"):
        assert refusal(bob.http.post(path, json={})) == (404, "not-found")


def test_an_invitation_must_make_sense(ada, bob, eve):
    match = ada.open_match()
    assert refusal(invite(eve, match, bob.id)) == (403, "not-at-the-table")
    assert refusal(invite(ada, match, "p_nobody")) == (404, "not-found")
    assert refusal(invite(ada, match, ada.id)) == (400, "malformed")
    assert refusal(invite(ada, match, bob.id, seat=2)) == (422, "no-such-seat")
    assert refusal(invite(ada, match, bob.id, text="x" * 201)) == (400, "malformed")
    eve.do(match, {"type": "take_seat", "seat": 0})
    assert refusal(invite(ada, match, bob.id, seat=0)) == (422, "seat-taken")
    assert refusal(invite(ada, match, eve.id)) == (422, "already-seated")
    assert invite(eve, match, bob.id).status_code == 201, "who has a seat may invite"
    assert refusal(invite(ada, match, bob.id)) == (422, "already-invited")
    ada.do(match, {"type": "take_seat", "seat": 1})
    with Player(str(ada.http.base_url)) as late:
        assert refusal(invite(ada, match, late.id)) == (422, "match-started")


def test_a_bot_accepts_over_its_stream(ada):
    made = bot_of(ada)
    match = ada.open_match(private=True)
    ada.do(match, {"type": "take_seat"})
    invite(ada, match, made["player"])
    with using(ada, made["token"]) as bot:
        one = bot.get("/players/me/invitations").json()["received"][0]
        assert bot.post(f"/invitations/{one['id']}/accept", json={}).json()["seat"] == 1


def test_open_invitations_are_limited(tmp_path):
    with (
        running(tmp_path, "serve") as service,
        Player(service.url) as host,
        ThreadPoolExecutor(8) as pool,
    ):
        match = host.open_match(seats=2)
        names = [f"Guest {number}" for number in range(SENT_MAX + 5)]
        guests = list(pool.map(lambda name: guest_of(service, name), names))
        answers = list(pool.map(lambda guest: invite(host, match, guest), guests))
        refused = {guest for guest, one in zip(guests, answers, strict=True) if one.is_error}
        assert len(refused) == 5
        for answer in answers:
            if answer.is_error:
                assert refusal(answer) == (429, "too-many-invitations")
                assert int(answer.headers["Retry-After"]) > 0
        host.http.delete(f"/invitations/{sent(host)[0]['id']}")
        assert invite(host, match, refused.pop()).status_code == 201


def guest_of(service: Running, name: str) -> str:
    with Player(service.url, name) as guest:
        return guest.id


def test_nothing_is_left_of_an_erased_players_invitations_and_seeks(ada, bob, eve):
    invited(ada, bob, text="secret")
    invited(eve, ada)
    assert ada.http.post("/seeks", json=DUEL).status_code == 201
    ada.http.delete("/players/me")
    assert received(bob) == sent(eve) == []
    assert ada.id not in str(bob.get("/seeks"))


def test_a_seek_is_listed_taken_and_played(ada, bob, eve):
    pace = {"type": "per_move", "seconds": 60}
    one = seek(ada, options={"variant": "competitive"}, clock=pace)
    assert (one["players"], one["match"], one["by"]) == ([ada.id], None, ada.id)
    assert one in bob.get("/seeks?game=tranquility")
    assert one not in bob.get("/seeks?game=submarine")
    with inbox(ada) as told:
        told.next()
        taken = take(bob, one).json()
        filled = told.until("seek_filled")
    match = taken["match"]
    assert filled["match"] == match
    view = ada.get(f"/matches/{match}")
    assert [seat["player"] for seat in view["seats"]] == [ada.id, bob.id]
    assert (view["status"], view["options"]["variant"]) == ("running", "competitive")
    assert take(bob, one).json()["match"] == match, "asked again, the same answer"
    assert refusal(take(eve, one)) == (404, "not-found")
    assert one["seek"] not in str(eve.get("/seeks"))


def test_a_seek_for_more_waits_for_all_and_may_be_left(ada, bob, eve):
    one = seek(ada, seats=3)
    assert take(bob, one).json()["players"] == [ada.id, bob.id]
    assert take(bob, one).json()["players"] == [ada.id, bob.id]
    assert bob.http.delete(f"/seeks/{one['seek']}").status_code == 204
    assert refusal(bob.http.delete(f"/seeks/{one['seek']}")) == (404, "not-found")
    assert take(eve, one).json()["players"] == [ada.id, eve.id]
    assert take(bob, one).json()["match"]


def test_a_withdrawn_seek_is_gone(ada, bob):
    one = seek(ada)
    assert ada.http.delete(f"/seeks/{one['seek']}").status_code == 204
    assert refusal(take(bob, one)) == (404, "not-found")
    assert one["seek"] not in str(bob.get("/seeks"))


def test_who_joins_meets_the_first_who_wants_the_same(tmp_path):
    with (
        running(tmp_path, "serve") as service,
        Player(service.url, "Ada") as ada,
        Player(service.url, "Bob") as bob,
        Player(service.url, "Eve") as eve,
    ):
        posted = seek(ada, join=True)
        assert seek(ada, join=True) == posted
        assert ada.http.put(f"/blocks/{eve.id}").status_code == 204
        assert seek(eve, join=True)["players"] == [eve.id], "the blocked never meet"
        taken = seek(bob, join=True)
        assert (taken["seek"], taken["players"]) == (posted["seek"], [ada.id, bob.id])
        assert bob.get(f"/matches/{taken['match']}")["status"] == "running"


def test_the_worker_completes_a_seek_with_bots(tmp_path):
    with (
        running_with_worker(tmp_path, worker_poll_ms="50") as service,
        Player(service.url, "Ada") as ada,
        Player(service.url, "Bob") as bob,
    ):
        bots = {"level": "heuristic", "after_s": 10}
        with inbox(bob) as told:
            told.next()
            one = seek(ada, seats=3, bots=bots)
            assert one["bots"] == bots
            assert take(bob, one).json()["players"] == [ada.id, bob.id]
            match = told.until("seek_filled")["match"]
        view = ada.get(f"/matches/{match}")
        assert [seat["player"] or seat["bot"] for seat in view["seats"]] == [
            ada.id, bob.id, "heuristic"
        ]  # fmt: skip
        assert take(bob, one).json()["match"] == match


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"game": "chess", "seats": 2}, "not-found"),
        ({"game": "tranquility", "seats": 1}, "malformed"),
        ({"game": "tranquility", "seats": 9}, "bad-player-count"),
        ({"game": "tranquility", "seats": 2, "options": {"variant": "x"}}, "bad-option"),
        ({"game": "tranquility", "seats": 2, "expires_in_s": 5}, "malformed"),
        ({**DUEL, "bots": {"level": "heuristic", "after_s": 9}}, "malformed"),
        ({**DUEL, "bots": {"level": "heuristic", "after_s": 301}}, "malformed"),
        ({**DUEL, "bots": {"level": "heuristic", "after_s": 60}, "expires_in_s": 60}, "malformed"),
        ({**DUEL, "bots": {"level": "oracle", "after_s": 30}}, "no-such-level"),
        ({**DUEL, "bots": {"level": "oracle"}, "join": True}, "no-such-level"),
    ],
)
def test_a_seek_that_cannot_be_played_says_why(ada, body, expected):
    assert ada.http.post("/seeks", json=body).json()["code"] == expected


def test_seeks_are_limited_and_those_taken_count_too(service, ada):
    with Player(service.url, "Greedy") as greedy, ThreadPoolExecutor(OPEN_MAX) as pool:
        mine = [seek(greedy) for _ in range(OPEN_MAX - 3)]
        theirs = [seek(ada, seats=3) for _ in range(6)]
        calls = [lambda one=one: take(greedy, one) for one in theirs]
        calls += [lambda: greedy.http.post("/seeks", json=DUEL)] * 4
        answers = list(pool.map(lambda call: call(), calls))
        refused = [answer for answer in answers if answer.is_error]
        assert [refusal(answer) for answer in refused] == [(429, "too-many-seeks")] * 7
        greedy.http.delete(f"/seeks/{mine[0]['seek']}")
        assert seek(greedy)


def test_a_seek_taken_late_in_the_life_of_a_players_list_stays_in_it(tmp_path):
    with (
        running(tmp_path, "serve") as service,
        Player(service.url, "Ada") as ada,
        Player(service.url, "Bob") as bob,
        Redis(unix_socket_path=str(tmp_path / "work" / "redis.sock")) as work,
    ):
        seek(bob)
        index = f"seeks:of:{bob.id}"
        assert work.expire(index, 60)
        taken = seek(ada, seats=3)
        assert take(bob, taken).status_code == 200
        assert work.ttl(index) > 60
        assert work.zscore(index, taken["seek"]) is not None
