"""Branches over HTTP: who may fork what, and what the new match is."""

import pytest

from events import file
from games import GAMES
from replay.audit import audit
from replay.evidence import Evidence
from tests.e2e.played import end, play
from tests.e2e.service import refusal


@pytest.fixture
def finished(ada, bob, match):
    """Play a match a little, and end it by consent."""
    play(ada, bob, match, 4)
    end(ada, bob, match)
    return match


def branch(player, match, key=None, **body):
    headers = {"Idempotency-Key": key} if key else {}
    return player.http.post(f"/matches/{match}/branches", json=body, headers=headers)


def test_a_player_goes_on_from_an_earlier_version(ada, bob, finished):
    """The seat sees what it saw, the other seats are free, and the match plays like any other."""
    answer = branch(ada, finished, version=5, seats=["me", "heuristic"])
    assert answer.status_code == 201, answer.text
    made = answer.json()
    assert made["branch"] == {"parent": finished, "version": 5, "seat": 0}
    view = ada.get(f"/matches/{made['match']}")
    assert (view["status"], view["you"], view["branch"]) == ("running", 0, made["branch"])
    assert view["view"] == ada.get(f"/matches/{finished}?at=5")["view"]
    assert view["commitment"] != ada.get(f"/matches/{finished}")["commitment"]
    if view["waiting"] == [0]:
        ada.do(made["match"], ada.legal(made["match"])[0])


def test_nobody_is_told_what_lies_hidden_at_the_fork(ada, bob, eve, finished):
    made = branch(ada, finished, version=5).json()
    for player in (ada, bob, eve):
        (record,) = player.get(f"/matches/{made['match']}/events")["records"]
        assert record["events"][0]["branch"]["state"] is None
        assert "command" not in record


def test_a_branch_is_exported_and_audited(ada, bob, finished):
    made = branch(ada, finished, version=4).json()["match"]
    ada.do(made, {"type": "take_seat", "seat": 1})
    bob.do(made, {"type": "take_seat", "seat": 0})
    play(bob, ada, made, 3)
    end(bob, ada, made)
    lines, head = file.read(bob.http.get(f"/matches/{made}/export").content)
    parent, _ = file.read(bob.http.get(f"/matches/{finished}/export").content)
    report = audit(GAMES, Evidence("branch", lines, made, head, parent))
    assert not report.findings, report.findings
    again = branch(bob, made, version=4)
    assert again.status_code == 201, "branches branch"


def test_a_branch_is_opened_once_under_a_key(ada, finished):
    answers = [branch(ada, finished, "fork", version=5, seats=["me"]) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["match"] for answer in answers}) == 1
    other = branch(ada, finished, "fork", version=4, seats=["me"])
    assert refusal(other) == (409, "id-reused")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"version": 1}, 422, "match-not-started"),
        ({"version": 999}, 404, "no-such-version"),
        ({"version": 5, "truth": True}, 403, "forbidden"),
        ({"version": 5, "seat": 7}, 422, "no-such-seat"),
        ({"version": 5, "seats": ["me", "me"]}, 422, "already-seated"),
        ({"version": 5, "seats": ["grandmaster"]}, 422, "no-such-level"),
        ({"version": 5, "seats": [None, None, None]}, 422, "no-such-seat"),
        ({"version": 0}, 400, "malformed"),
        ({"version": 5, "colour": "red"}, 400, "malformed"),
    ],
)
def test_what_can_not_be_forked_is_refused(ada, finished, body, status, code):
    answer = branch(ada, finished, **body)
    assert refusal(answer) == (status, code)


def test_who_has_no_seat_names_one(eve, finished):
    answer = branch(eve, finished, version=5)
    assert refusal(answer) == (422, "seat-needed")
    assert branch(eve, finished, version=5, seat=1).status_code == 201


def test_players_fork_nothing_that_is_being_played(ada, match):
    answer = branch(ada, match, version=3)
    assert refusal(answer) == (403, "forbidden")


def test_an_officers_branch_is_closed_until_its_parent_has_ended(ada, bob, operator, match):
    """It holds what the players may not know; when the match is over, they may."""
    made = branch(operator, match, version=3, truth=True, seats=["heuristic"] * 2).json()
    assert made["branch"] == {"parent": match, "version": 3, "seat": None}
    branched = made["match"]
    code = {"join_code": made["join_code"]}
    assert made["join_code"], "a branch of what is being played is private"
    for path in ("", "/legal", "/events", "/timeline", "/export", "/talk"):
        answer = ada.http.get(f"/matches/{branched}{path}", params=code)
        assert answer.status_code in (400, 404), path
        assert operator.http.get(f"/matches/{branched}{path}").status_code == 200, path
    seat = ada.http.post(f"/matches/{branched}/commands", params=code, json={"type": "take_seat"})
    assert seat.status_code == 404
    second = branch(operator, branched, version=3, truth=True).json()
    refused = ada.http.get(f"/matches/{second['match']}", params={"join_code": second["join_code"]})
    assert refused.status_code == 404, "nor what was forked from it"
    end(ada, bob, match)
    assert ada.http.get(f"/matches/{branched}", params=code).status_code == 200


def test_a_private_matchs_branch_is_private(ada, bob, eve):
    match = ada.http.post(
        "/matches", json={"game": "tranquility", "seats": 2, "private": True}
    ).json()
    code = {"join_code": match["join_code"]}
    ada.do(match["match"], {"type": "take_seat", "seat": 0})
    bob.http.post(f"/matches/{match['match']}/commands", params=code, json={"type": "take_seat"})
    play(ada, bob, match["match"], 1)
    end(ada, bob, match["match"])
    made = branch(ada, match["match"], version=3).json()
    assert made["join_code"]
    assert eve.http.get(f"/matches/{made['match']}").status_code == 404
    assert branch(eve, match["match"], version=3).status_code == 404
