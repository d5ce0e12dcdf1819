"""Finding matches and players."""

from tests.e2e.service import Player, refusal, wait_until

TABLE = "/standings/tranquility?count=200"


def test_an_open_match_is_found_joined_and_remembered(ada, bob):
    match = ada.open_match(seats=2)
    found = wait_until(
        lambda: [
            m
            for m in bob.get("/matches?game=tranquility&status=waiting")["matches"]
            if m["match"] == match
        ]
    )
    assert found[0]["free"] == 2
    for player in (ada, bob):
        player.do(match, {"type": "take_seat"})
    wait_until(
        lambda: [m for m in bob.get("/players/me/matches")["matches"] if m["status"] == "running"]
    )
    bob.do(match, {"type": "resign"})
    ada.do(match, {"type": "resign"})
    wait_until(
        lambda: any(m["match"] == match for m in bob.get("/matches?status=finished")["matches"])
    )
    wait_until(lambda: {ada.id, bob.id} <= {line["player"] for line in bob.get(TABLE)["lines"]})


def test_the_lobby_comes_in_pages(ada):
    for _ in range(3):
        ada.open_match(seats=1)
    wait_until(lambda: len(ada.get("/matches")["matches"]) >= 3)
    first = ada.get("/matches?count=2")
    second = ada.get(f"/matches?count=2&after={first['next']}")
    assert not {m["match"] for m in first["matches"]} & {m["match"] for m in second["matches"]}


def test_the_lobby_features_a_public_match_that_is_played(ada, bob, eve, match):
    found = wait_until(lambda: eve.get("/featured")["match"])
    assert (found["status"], found["private"]) == ("running", False)
    assert any(seat["player"] for seat in found["seats"])


def test_private_matches_are_not_listed(ada, eve):
    match = ada.open_match(private=True)
    ada.do(match, {"type": "take_seat"})
    mine = wait_until(lambda: ada.get("/players/me/matches")["matches"])
    assert mine[0]["match"] == match
    assert match not in str(eve.get("/matches?count=200"))
    assert eve.get(f"/players/{ada.id}/matches")["matches"] == []


def test_an_audit_is_asked_for_watched_and_taken_back(ada, bob, eve):
    """Nobody works here, so it waits: only who asked sees it."""
    match = ada.open_match(seats=1)
    refused = ada.http.post(f"/matches/{match}/audit")
    assert refusal(refused) == (403, "forbidden")
    ada.do(match, {"type": "take_seat"})
    ada.do(match, {"type": "resign"})
    asked = ada.http.post(f"/matches/{match}/audit")
    assert asked.status_code == 202
    job = asked.json()
    assert ada.get(f"/jobs/{job['id']}")["state"] == "queued"
    assert [one["id"] for one in ada.get("/jobs")] == [job["id"]]
    assert eve.http.get(f"/jobs/{job['id']}").status_code == 404
    assert ada.http.delete(f"/jobs/{job['id']}").json()["state"] == "cancelled"


def test_jobs_beyond_the_bound_are_refused_and_say_when_to_come_again(service):
    """The bound is the player's own: others are not kept waiting by it."""
    with Player(service.url, "Greedy") as greedy:
        match = greedy.open_match(seats=1)
        greedy.do(match, {"type": "take_seat"})
        greedy.do(match, {"type": "resign"})
        asked = [greedy.http.post(f"/matches/{match}/audit") for _ in range(9)]
        assert [answer.status_code for answer in asked] == [202] * 8 + [429]
        assert asked[-1].json()["code"] == "too-many-jobs"
        assert int(asked[-1].headers["Retry-After"]) > 0
        assert len(greedy.get("/jobs")) == 8
        for answer in asked[:-1]:
            greedy.http.delete(f"/jobs/{answer.json()['id']}")


def test_the_times_of_a_filter_must_be_times(ada):
    opened, path = ada.open_match(), "/players/me/matches"
    ada.do(opened, {"type": "take_seat"})
    wait_until(lambda: opened in str(ada.get(path)))
    whole = f"{path}?since=2020-01-01T00:00:00.000Z&until=9999-12-31T00:00:00Z"
    assert opened in str(ada.get(whole))
    assert opened not in str(ada.get(f"{path}?until=2020-01-01T00:00:00Z"))
    for wrong in ("yesterday", "2026-13-01T00:00:00Z", "2026-11-21T00:00:00"):
        refused = ada.http.get(path, params={"since": wrong})
        assert refusal(refused) == (400, "malformed"), wrong
    assert ada.http.get(f"{path}?game=chess").status_code == 404


def test_a_cursor_of_a_rating_curve_is_checked_though_the_curve_is_empty(ada):
    refused = ada.http.get("/players/me/ratings/ke_dnu", params={"after": "nowhere"})
    assert refusal(refused) == (400, "malformed")


def test_a_page_beyond_the_table_is_empty(ada):
    found = ada.get(f"/standings/tranquility?after={2**63}")
    assert (found["lines"], found["next"]) == ([], None)
