"""Looking back over HTTP: what if, the solver, analyses; who may ask, and what they are told."""

from xml.etree import ElementTree as ET

import pytest

from games import GAMES
from service.base.codes import words
from tests.e2e.played import end, play
from tests.e2e.service import Player, refusal, running_with_worker, wait_until

PATIENCE_S = 240


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """Yield a service whose worker analyses briefly."""
    data = tmp_path_factory.mktemp("analysed")
    with running_with_worker(data, analysis_commands="1000") as process:
        yield process


@pytest.fixture
def finished(ada, bob, match):
    """Play a match a little, and end it by consent."""
    play(ada, bob, match, 6)
    end(ada, bob, match)
    return match


def ended(player: Player, asked) -> dict:
    assert asked.status_code == 202, asked.text
    path = f"/jobs/{asked.json()['id']}"
    return wait_until(
        lambda: (job := player.get(path))["state"] not in ("queued", "running") and job, PATIENCE_S
    )


def agree(ada, bob, match):
    ada.do(match, {"type": "propose_undo", "solve": True})
    proposal = bob.get(f"/matches/{match}")["proposal"]
    assert (proposal["kind"], proposal["asked"]) == ("solve", [1])
    bob.do(match, {"type": "answer", "proposal": proposal["proposal"], "accept": True})


def test_everyone_may_ask_where_a_finished_match_could_be_saved(ada, eve, finished):
    job = ended(eve, eve.http.post(f"/matches/{finished}/solve"))
    assert (job["state"], job["kind"]) == ("finished", "solve")
    found = job["result"]
    assert (found["question"], found["outcome"]) == ("winnable", "line")
    assert found["line"]
    versions = [
        moment["v"] for moment in ada.get(f"/matches/{finished}/timeline?view=full")["moments"]
    ]
    assert found["to"] in versions


def test_a_match_being_played_is_looked_at_by_consent_alone_and_tells_the_version_alone(
    ada, bob, eve, match
):
    play(ada, bob, match, 5)
    for player in (ada, eve):
        refused = player.http.post(f"/matches/{match}/solve")
        assert refusal(refused) == (403, "not-agreed")
    legal = ada.get(f"/matches/{match}/legal")["match_commands"]
    assert {"type": "propose_undo", "solve": True} in legal
    assert not ada.get(f"/matches/{match}/legal")["solve"]
    agree(ada, bob, match)
    assert [player.get(f"/matches/{match}/legal")["solve"] for player in (ada, bob, eve)] == [
        True,
        True,
        False,
    ]
    stranger = eve.http.post(f"/matches/{match}/solve")
    assert stranger.json()["code"] == "not-agreed"
    job = ended(bob, bob.http.post(f"/matches/{match}/solve"))
    assert job["state"] == "finished", job
    found = job["result"]
    assert set(found) == {"game", "question", "outcome", "to"}
    assert eve.http.get(f"/jobs/{job['id']}").status_code == 404
    waiting = ada.get(f"/matches/{match}")["waiting"][0]
    mover = (ada, bob)[waiting]
    mover.do(match, mover.legal(match)[0])
    again = bob.http.post(f"/matches/{match}/solve")
    assert again.json()["code"] == "not-agreed", "a move was made since"
    assert not bob.get(f"/matches/{match}/legal")["solve"]


def test_what_the_solver_has_seen_is_undone_with_everyones_consent_and_marked(ada, bob, match):
    play(ada, bob, match, 3)
    agree(ada, bob, match)
    to = ada.get(f"/matches/{match}")["version"] - 4
    ada.do(match, {"type": "propose_undo", "to": to})
    proposal = bob.get(f"/matches/{match}")["proposal"]
    assert (proposal["undo"], proposal["asked"]) == ("all", [1])


def test_a_finished_match_is_analysed_kept_and_drawn(ada, eve, finished):
    missing = eve.http.get(f"/matches/{finished}/analysis")
    assert refusal(missing) == (404, "not-analysed")
    job = ended(eve, eve.http.post(f"/matches/{finished}/analysis"))
    assert (job["state"], job["kind"]) == ("finished", "analysis")
    assert job["progress"]["done"] == job["progress"]["total"]
    assert job["partial_results"] > 0
    found = ada.get(f"/matches/{finished}/analysis")
    assert found == job["result"]
    assert found["match"] == finished
    assert found["points"]
    assert found["complete"]
    assert found["open_cards"]["outcome"] == "line"
    assert ada.get(f"/matches/{finished}/analysis?partial=true") == found, "complete is better"
    path = f"/matches/{finished}/analysis/undo"
    undo = eve.get(f"{path}?seat={found['points'][0]['seat']}&chance=0")
    own = [point for point in found["points"] if point["seat"] == undo["seat"]]
    assert (undo["to"], undo["had"]) == (own[-1]["v"] - 1, own[-1]["before"])
    refused = eve.http.get(f"{path}?seat=9&chance=0.5")
    assert refusal(refused) == (400, "malformed")
    plain = ada.http.get(f"/matches/{finished}/analysis.svg", headers={"Accept": "text/xml"})
    assert plain.headers["content-type"].startswith("text/xml")
    picture = ada.http.get(f"/matches/{finished}/analysis.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert ET.fromstring(picture.content).get("role") == "img"
    again = ended(ada, ada.http.post(f"/matches/{finished}/analysis"))
    assert again["result"] == found


def test_a_match_being_played_is_not_analysed_for_players(ada, bob, eve, match):
    play(ada, bob, match, 2)
    for player in (ada, eve):
        for call, path in (
            ("POST", "analysis"),
            ("GET", "analysis"),
            ("GET", "analysis?partial=true"),
            ("GET", "analysis.svg"),
            ("GET", "analysis/undo?seat=0&chance=0.5"),
        ):
            refused = player.http.request(call, f"/matches/{match}/{path}")
            assert refusal(refused) == (403, "forbidden")
            assert refused.json()["detail"] == ("The analysis is available once the match is over.")
        refused = player.http.post(f"/matches/{match}/what-if", json={"version": 4})
        assert refusal(refused) == (403, "forbidden")


def test_an_analysis_is_cancelled(ada, finished):
    asked = [ada.http.post(f"/matches/{finished}/analysis").json() for _ in range(3)]
    ends = [ada.http.delete(f"/jobs/{job['id']}").json() for job in asked]
    assert [job["id"] for job in ends] == [job["id"] for job in asked]
    for job in asked:
        wait_until(
            lambda path=f"/jobs/{job['id']}": ada.get(path)["state"] in ("cancelled", "finished"),
            PATIENCE_S,
        )
    assert ada.get(f"/jobs/{asked[-1]['id']}")["state"] == "cancelled"


def first_move(player, match):
    moments = player.get(f"/matches/{match}/timeline?view=full")["moments"]
    return next(m for m in moments if m.get("seat") is not None)


def test_one_command_is_taken_back_as_a_what_if(ada, eve, finished):
    move = first_move(ada, finished)
    before = ada.get(f"/matches/{finished}?view=full")
    answer = eve.http.post(f"/matches/{finished}/what-if", json={"version": move["v"]})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["v"], found["seat"], found["command"]) == (
        move["v"],
        move["seat"],
        move["command"],
    )
    assert found["first_illegal"]["code"]
    assert found["branch_at"] == move["v"] - 1
    same = eve.http.post(
        f"/matches/{finished}/what-if", json={"version": move["v"], "instead": move["command"]}
    ).json()
    assert same["first_illegal"] is None
    assert same["state"] == before["state"]
    assert ada.get(f"/matches/{finished}?view=full") == before, "nothing was changed"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"version": 9999}, 422, "no-such-command"),
        ({"version": 1}, 422, "no-such-command"),
        ({"version": 0}, 400, "malformed"),
        ({"version": 4, "instead": {"type": "nonsense"}}, 400, "malformed"),
        ({"version": 4, "other": 1}, 400, "malformed"),
        ({}, 400, "malformed"),
    ],
)
def test_what_cant_be_asked_is_refused_clearly(ada, finished, body, status, code):
    answer = ada.http.post(f"/matches/{finished}/what-if", json=body)
    assert refusal(answer) == (status, code)


def test_what_the_rules_refuse_is_said_in_the_words_of_the_game(ada, finished):
    move = first_move(ada, finished)
    discard = {"type": "discard_two", "cards": ["a", "b"]}
    answer = ada.http.post(
        f"/matches/{finished}/what-if", json={"version": move["v"], "instead": discard}
    )
    status, code = refusal(answer)
    own = words(GAMES["tranquility"].files.words, "en")
    assert (status, answer.json()["detail"]) == (422, own[code])


def test_what_has_not_begun_is_not_solved(ada):
    match = ada.open_match(seats=2)
    ada.do(match, {"type": "take_seat"})
    answer = ada.http.post(f"/matches/{match}/solve")
    assert refusal(answer) == (422, "match-not-started")
