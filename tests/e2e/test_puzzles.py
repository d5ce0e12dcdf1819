"""Puzzles over HTTP: read by anybody, attempted by players, and rated at the first attempt."""

from typing import Any

import httpx
import pytest

from games import GAMES
from replay.puzzle import puzzles_of
from tests.e2e.service import Player, refusal

PUZZLES = puzzles_of(GAMES)
SHOT, OTHER = [name for name, one in PUZZLES.items() if one.data.task == "hit"][:2]
(RIGHT,) = PUZZLES[SHOT].data.right
(OTHER_RIGHT,) = PUZZLES[OTHER].data.right


def attempt(player: Player, puzzle: str, *commands: Any) -> httpx.Response:
    return player.http.post(f"/puzzles/{puzzle}/attempts", json={"attempt": commands})


def test_anybody_reads_the_puzzles_and_none_of_them_tells_its_solution(anyone: httpx.Client):
    listed = anyone.get("/puzzles").json()
    assert [one["id"] for one in listed] == list(PUZZLES)
    of_game = anyone.get("/puzzles", params={"game": "captain_sonar"}).json()
    assert of_game == [one for one in listed if one["game"] == "captain_sonar"]
    assert refusal(anyone.get("/puzzles", params={"game": "chess"})) == (404, "not-found")
    assert anyone.get("/puzzles/daily").json()["puzzle"] in listed
    shown = anyone.get(f"/puzzles/{SHOT}").json()
    assert RIGHT in shown["legal"]
    assert shown["view"]["crews"][1 - shown["seat"]]["position"] is None
    assert not {"right", "losses", "seed", "moves"} & shown.keys()


def test_the_first_attempt_is_rated_and_no_other(ada: Player):
    before = ada.get("/players/me/puzzles")
    assert (before["rating"], before["solved"], before["tried"]) == (0.0, 0, [])
    legal = ada.get(f"/puzzles/{SHOT}")["legal"]
    wrong = next(each for each in legal if each["type"] == "launch_torpedo" and each != RIGHT)

    failed = attempt(ada, SHOT, wrong).json()
    assert (failed["attempt"]["outcome"], failed["attempt"]["right"]) == ("failed", [RIGHT])
    assert (failed["score"]["solved"], failed["score"]["tried"]) == (0, [SHOT])

    again = attempt(ada, SHOT, RIGHT).json()
    assert (again["attempt"]["outcome"], again["attempt"]["right"]) == ("solved", [])
    assert again["score"]["solved"] == 0

    other = attempt(ada, OTHER, OTHER_RIGHT).json()
    assert other["score"]["solved"] == 1
    assert other["score"]["rating"] > failed["score"]["rating"]
    assert ada.get("/players/me/puzzles") == other["score"]


def test_an_open_attempt_is_not_rated(ada: Player):
    legal = ada.get(f"/puzzles/{SHOT}")["legal"]
    aid = next(each for each in legal if each["type"] == "set_overlay")
    made = attempt(ada, SHOT, aid).json()
    assert (made["attempt"]["outcome"], made["score"]["tried"]) == ("open", [])


@pytest.mark.parametrize("commands", [[], [{"type": "fly"}], ["play"], [{}] * 25])
def test_commands_that_cannot_be_read_are_malformed(ada: Player, commands: list[Any]):
    refused = attempt(ada, SHOT, *commands)
    assert refusal(refused) == (400, "malformed")


def test_a_refusal_names_its_rule_and_a_missing_puzzle_is_not_found(ada: Player):
    refused = attempt(ada, SHOT, {"type": "dive"})
    assert refused.status_code == 422
    assert refused.json()["code"] == "wrong-phase"
    missing = attempt(ada, "captain_sonar-0", RIGHT)
    assert refusal(missing) == (404, "not-found")
