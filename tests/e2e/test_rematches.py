"""Rematches: from the end of a match to the next one, and the score of the series."""

from concurrent.futures import ThreadPoolExecutor

import httpx
from redis import Redis

from service.play.rematches import OPEN_MAX
from tests.e2e.service import Player, refusal, running, wait_until
from tests.e2e.streams import inbox

TERMS = ("game", "options", "clock", "private", "bot_pace")


def played(*players: Player, bots: int = 0, **more) -> str:
    """Open a match, fill its seats, and end it."""
    host = players[0]
    match = host.open_match(seats=len(players) + bots, **more)
    for seat, player in enumerate(players):
        sit = {"type": "take_seat", "seat": seat}
        if more.get("private") and player is not host:
            invited = host.http.post(f"/matches/{match}/invitations", json={"player": player.id})
            assert invited.status_code == 201, invited.text
        player.do(match, sit)
    for bot in range(bots):
        host.do(match, {"type": "add_bot", "seat": len(players) + bot, "level": "heuristic"})
    return ended(match, *players)


def ended(match: str, *players: Player) -> str:
    players[0].do(match, {"type": "propose_abandon"})
    for player in players[1:]:
        proposal = player.get(f"/matches/{match}")["proposal"]["proposal"]
        player.do(match, {"type": "answer", "proposal": proposal, "accept": True})
    assert players[0].get(f"/matches/{match}")["status"] == "abandoned"
    return match


def agree(player: Player, match: str) -> httpx.Response:
    return player.http.post(f"/matches/{match}/rematch", json={"entropy": player.id})


def rematch(player: Player, match: str) -> dict:
    return player.get(f"/matches/{match}/rematch")


def players_of(player: Player, match: str) -> list[str]:
    return [seat["player"] or seat["bot"] for seat in player.get(f"/matches/{match}")["seats"]]


def terms(player: Player, match: str) -> dict:
    view = player.get(f"/matches/{match}")
    return {name: view[name] for name in TERMS}


def test_a_rematch_has_the_same_people_and_bots_one_seat_further(ada, bob):
    match = played(
        ada, bob, bots=1, options={"wilds": 2}, undo_limit=3, private=True, bot_pace="instant"
    )
    with inbox(bob) as told:
        told.next()
        offer = agree(ada, match).json()["offer"]
        assert (offer["by"], offer["agreed"], offer["declined"]) == (ada.id, [ada.id], None)
        notice = told.until("rematch")
        assert notice == {
            "type": "rematch", "match": match, "game": "tranquility", "by": ada.id,
            "state": "offered", "rematch": None,
        }  # fmt: skip
        assert [one["match"] for one in bob.get("/players/me/rematches")] == [match]
        made = agree(bob, match).json()["rematch"]
        assert told.until("rematch") == {
            **notice, "by": None, "state": "started", "rematch": made
        }  # fmt: skip
    assert bob.get("/players/me/rematches") == []
    assert players_of(ada, match) == [ada.id, bob.id, "heuristic"]
    assert players_of(ada, made) == ["heuristic", ada.id, bob.id]
    assert terms(ada, made) == terms(ada, match)
    assert terms(ada, made)["bot_pace"] == "instant"
    assert ada.get(f"/matches/{made}")["status"] == "running"
    assert rematch(ada, match)["rematch"] == made
    assert rematch(ada, made)["series"]["previous"] == match


def test_two_taps_at_once_make_one_match(service, ada, bob):
    match = played(ada, bob)

    with ThreadPoolExecutor() as pool:
        answers = list(pool.map(lambda player: agree(player, match), (ada, bob) * 4))
    assert {answer.status_code for answer in answers} == {200}
    made = rematch(ada, match)["rematch"]
    assert made
    assert {answer.json()["rematch"] for answer in answers} <= {None, made}
    assert agree(bob, match).json()["rematch"] == made
    assert set(players_of(ada, made)) == {ada.id, bob.id}


def test_who_plays_against_bots_alone_gets_the_rematch_at_once(ada):
    match = played(ada, bots=1)
    assert agree(ada, match).json()["rematch"]


def test_a_declined_offer_is_not_repeated_except_by_who_declined(ada, bob):
    match = played(ada, bob)
    assert agree(ada, match).status_code == 200
    with inbox(ada) as told:
        told.next()
        assert bob.http.delete(f"/matches/{match}/rematch").status_code == 204
        assert told.until("rematch")["state"] == "declined"
    assert rematch(ada, match)["offer"]["declined"] == bob.id
    assert refusal(agree(ada, match)) == (422, "rematch-declined")
    assert refusal(bob.http.delete(f"/matches/{match}/rematch")) == (404, "not-found")
    assert bob.get("/players/me/rematches") == []
    assert agree(bob, match).json()["offer"]["by"] == bob.id
    assert agree(ada, match).json()["rematch"]


def test_who_offered_may_withdraw(ada, bob):
    match = played(ada, bob)
    agree(ada, match)
    assert ada.http.delete(f"/matches/{match}/rematch").status_code == 204
    assert rematch(bob, match)["offer"] is None
    assert bob.get("/players/me/rematches") == []


def test_only_players_of_an_ended_match_offer_a_rematch_or_see_the_offer(ada, bob, eve, match):
    assert refusal(agree(ada, match)) == (422, "match-not-over")
    over = played(ada, bob)
    assert refusal(agree(eve, over)) == (403, "not-a-seat")
    assert refusal(eve.http.delete(f"/matches/{over}/rematch")) == (403, "not-a-seat")
    assert refusal(bob.http.delete(f"/matches/{over}/rematch")) == (404, "not-found")
    agree(ada, over)
    assert rematch(eve, over)["offer"] is None
    hidden = played(ada, bob, private=True)
    assert refusal(agree(eve, hidden)) == (404, "not-found")
    assert refusal(eve.http.get(f"/matches/{hidden}/rematch")) == (404, "not-found")


def test_nobody_creates_a_match_under_the_key_of_a_rematch(ada, bob):
    """Once a rematch is over, its log tells everybody the key."""
    match = played(ada, bob)
    forged = {"Idempotency-Key": f"series.{match}.2.{'0' * 12}"}
    refused = ada.http.post("/matches", json={"game": "tranquility", "seats": 2}, headers=forged)
    assert refusal(refused) == (400, "malformed")
    assert refused.json()["errors"][0]["header"] == "Idempotency-Key"


def test_an_erased_player_is_not_asked(service, ada, bob):
    match = played(ada, bob)
    agree(bob, match)
    assert bob.http.delete("/players/me").status_code == 204
    assert rematch(ada, match)["offer"] is None
    assert refusal(agree(ada, match)) == (422, "no-rematch")


def test_open_offers_are_limited(service, bob):
    with Player(service.url, "Greedy") as greedy:
        matches = [played(greedy, bob) for _ in range(OPEN_MAX + 1)]
        with ThreadPoolExecutor(OPEN_MAX + 1) as pool:
            answers = list(pool.map(lambda match: agree(greedy, match), matches))
        (refused,) = [answer for answer in answers if answer.status_code != 200]
        assert refusal(refused) == (429, "too-many-rematches")
        again = [agree(greedy, match).status_code for match in matches]
        assert again == [answer.status_code for answer in answers], "no new offers"


def test_the_score_of_a_series_survives_the_loss_of_the_work_redis(tmp_path):
    with (
        running(tmp_path, "serve") as service,
        Player(service.url, "Ada") as ada,
        Player(service.url, "Bob") as bob,
    ):
        match = won_by_bob(ada, bob)
        series = rematch(ada, match)["series"]
        assert (series["number"], series["played"]) == (1, 1)
        assert series["scores"] == [
            {"player": ada.id, "bot": None, "won": 0},
            {"player": bob.id, "bot": None, "won": 1},
        ]
        agree(ada, match)
        second = agree(bob, match).json()["rematch"]
        expected = {
            "number": 2,
            "previous": match,
            "played": 1,
            "together": False,
            "scores": [
                {"player": bob.id, "bot": None, "won": 1},
                {"player": ada.id, "bot": None, "won": 0},
            ],
        }
        wait_until(lambda: rematch(ada, second)["series"] == expected)
        empty(tmp_path)
        wait_until(lambda: is_back(ada, second, expected))


def won_by_bob(ada: Player, bob: Player) -> str:
    match = ada.open_match("submarine")
    for seat, player in enumerate((ada, bob)):
        player.do(match, {"type": "take_seat", "seat": seat})
    ada.do(match, {"type": "resign"})
    assert ada.get(f"/matches/{match}")["status"] == "finished"
    return match


def empty(data) -> None:
    with Redis(unix_socket_path=str(data / "work" / "redis.sock")) as work:
        work.flushall()


def is_back(player: Player, match: str, expected: dict) -> bool:
    answer = player.http.get(f"/matches/{match}/rematch")
    return answer.status_code == 200 and answer.json()["series"] == expected
