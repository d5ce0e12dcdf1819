"""With whose eyes a match is looked at: one's own while it is played, anybody's when it is over."""

import pytest

from tests.e2e.service import refusal


def end(match, *players):
    """Send every seat away, which ends a match of any game."""
    for player in players:
        player.do(match, {"type": "resign"})


@pytest.mark.parametrize("view", ["full", "spectator", "1"])
def test_others_eyes_are_closed_while_the_match_is_played(ada, eve, match, view):
    paths = ("?", "/timeline?", "/diff?from=1&to=2&", "/blame?path=/turn&", "/bisect?when=turn&")
    for path in paths:
        answer = ada.http.get(f"/matches/{match}{path}view={view}")
        assert refusal(answer) == (403, "forbidden"), path
    assert eve.http.get(f"/matches/{match}?view=0").status_code == 403
    assert ada.http.get(f"/matches/{match}/explanation?record=2").status_code == 403


def test_a_record_is_explained_to_anyone_when_the_match_is_over(ada, bob, eve, match):
    end(match, ada, bob)
    last = eve.get(f"/matches/{match}?view=full")["version"]
    path = f"/matches/{match}/explanation?record="
    for record in (1, 3, last):
        explanation = eve.get(f"{path}{record}")
        assert (explanation["record"], explanation["same"]) == (record, True)
        assert explanation["recorded"] == explanation["decided"]
    answer = eve.http.get(f"{path}{last + 1}")
    assert refusal(answer) == (404, "no-such-version")


def test_a_value_is_blamed_at_a_version_with_its_causes(ada, bob, eve, match):
    mover, _ = (ada, bob) if ada.legal(match) else (bob, ada)
    mover.do(match, mover.legal(match)[0])
    path = f"/matches/{match}/blame?path=&causes=true"
    assert mover.get(path).get("facts", []) == [], "a seat may not know what the rules read"
    end(match, ada, bob)
    told = eve.get(f"{path}&view=full&at=4")
    assert told["set_by"]["record"]["v"] == 4
    assert {fact["set_by"] for fact in told["facts"]} <= {0, 3}
    answer = eve.http.get(f"{path}&at=9999")
    assert refusal(answer) == (404, "no-such-version")


def test_ones_own_eyes_may_be_named(ada, eve, match):
    assert ada.get(f"/matches/{match}?view=0") == ada.get(f"/matches/{match}")
    assert eve.get(f"/matches/{match}?view=spectator") == eve.get(f"/matches/{match}")


def test_eyes_without_the_full_view_show_nothing_more(ada, match):
    assert ada.get(f"/matches/{match}?eyes=1")["you"] == 0


def test_every_pair_of_eyes_opens_when_the_match_is_over(ada, bob, eve, match):
    before = bob.get(f"/matches/{match}")
    end(match, ada, bob)
    for view, you in (("0", 0), ("1", 1), ("spectator", None)):
        assert eve.get(f"/matches/{match}?view={view}")["you"] == you
    then = eve.get(f"/matches/{match}?view=1&at={before['version']}")
    assert (then["view"], then["head"]) == (before["view"], before["head"])
    moments = eve.get(f"/matches/{match}/timeline?view=1")["moments"]
    assert moments == bob.get(f"/matches/{match}/timeline")["moments"]
    moments = eve.get(f"/matches/{match}/timeline?view=full")["moments"]
    place = next(moment["v"] for moment in moments if moment["at"] == before["at"])
    same = eve.get(f"/matches/{match}?view=full&at={place}&eyes=1")
    assert (same["you"], same["view"]) == (1, before["view"])


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("view=2", 422, "no-such-seat"),
        ("view=full%0A", 400, "malformed"),
        ("view=me", 400, "malformed"),
        ("view=full&eyes=9", 422, "no-such-seat"),
        ("eyes=full", 400, "malformed"),
    ],
)
def test_eyes_that_nobody_has_are_refused(ada, bob, match, query, status, code):
    end(match, ada, bob)
    answer = ada.http.get(f"/matches/{match}?{query}")
    assert refusal(answer) == (status, code)


def test_an_uploaded_log_is_seen_with_any_eyes(ada, bob, match):
    end(match, ada, bob)
    data = ada.http.get(f"/matches/{match}/export").content
    seen = ada.http.post("/replays", content=data, params={"at": 3, "eyes": "1"}).json()["seen"]
    assert seen["you"] == 1
    assert seen["view"] == bob.get(f"/matches/{match}?at=3")["view"]
    assert ada.http.post("/replays", content=data).json()["seen"]["you"] is None
    refused = ada.http.post("/replays", content=data, params={"eyes": "7"})
    assert refusal(refused) == (422, "no-such-seat")
