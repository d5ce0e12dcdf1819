"""Hints over HTTP: the first answer at once, a job for the better one, and clear refusals."""

from tests.e2e.service import refusal


def test_a_seat_that_is_to_act_gets_a_hint_at_once(ada, bob, match):
    """Nobody works here, so the job waits; the rules' own answer doesn't."""
    by_seat = {0: ada, 1: bob}
    seat = ada.get(f"/matches/{match}")["waiting"][0]
    player = by_seat[seat]
    answer = player.http.post(f"/matches/{match}/hints", json={"budget": 32})
    assert answer.status_code == 202
    body = answer.json()
    hint, job = body["hint"], body["job"]
    legal = player.get(f"/matches/{match}/legal")
    assert body["version"] == legal["version"]
    assert hint["command"] in legal["commands"]
    assert legal["hint"]
    assert not by_seat[1 - seat].get(f"/matches/{match}/legal")["hint"]
    assert (hint["sure"], hint["playouts"], hint["budget"]) == ("rule", 0, 32)
    assert hint["reason"]["code"]
    assert hint["reason"]["words"]
    assert hint["best"]["share"] is None
    assert (job["kind"], job["state"]) == ("hint", "queued")
    assert by_seat[1 - seat].http.get(f"/jobs/{job['id']}").status_code == 404
    assert player.http.delete(f"/jobs/{job['id']}").json()["state"] == "cancelled"


def test_the_budget_is_optional_and_bounded(ada, bob, match):
    seat = ada.get(f"/matches/{match}")["waiting"][0]
    player = (ada, bob)[seat]
    asked = player.http.post(f"/matches/{match}/hints", json={})
    assert asked.json()["hint"]["budget"] == 160
    player.http.delete(f"/jobs/{asked.json()['job']['id']}")
    for budget in (0, 1_000_000, "much"):
        refused = player.http.post(f"/matches/{match}/hints", json={"budget": budget})
        assert refusal(refused) == (400, "malformed")


def test_who_gets_no_hint_is_told_why(ada, bob, eve, match):
    def told(player):
        answer = player.http.post(f"/matches/{match}/hints", json={})
        return refusal(answer)

    seat = ada.get(f"/matches/{match}")["waiting"][0]
    other = (bob, ada)[seat]
    if other.get(f"/matches/{match}")["waiting"] == [seat]:
        assert told(other) == (422, "not-your-turn")
    assert told(eve) == (403, "not-a-seat")
    ada.do(match, {"type": "resign"})
    bob.do(match, {"type": "resign"})
    assert told(bob) == (422, "game-over")
