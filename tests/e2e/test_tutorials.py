"""Tutorials over HTTP: public, decided by the rules, and kept by nobody."""

from typing import Any

import httpx
import pytest

from tests.e2e.service import refusal

PATH = "/games/tranquility/tutorial"
TASK = 3
"""The first step of the tutorial that has a goal."""


def attempt(anyone: httpx.Client, *commands: Any, step: int = TASK) -> httpx.Response:
    return anyone.post(f"{PATH}/steps/{step}/try", json={"attempt": commands})


def test_the_list_of_games_says_how_long_a_tutorial_takes(anyone: httpx.Client):
    minutes = {game["slug"]: game["tutorial_minutes"] for game in anyone.get("/games").json()}
    words = anyone.get(PATH).json()
    assert minutes["tranquility"] == words["minutes"]
    assert words["steps"][TASK - 1]["goal"].keys() == {"en", "cs"}


def test_a_try_reaches_the_goal_misses_it_or_gets_its_rule(anyone: httpx.Client):
    before = anyone.get(f"{PATH}/steps/{TASK}").json()
    (shown,) = before["shown"]
    reached = attempt(anyone, shown).json()
    assert (reached["reached"], reached["expected"]) == (True, True)
    assert reached["view"] != before["view"]

    missed = attempt(anyone, shown | {"cell": [0, 0]}).json()
    assert (missed["reached"], missed["expected"]) == (False, False)

    refused = attempt(anyone, shown | {"cell": [5, 5]})
    assert refusal(refused) == (422, "order-broken")
    assert anyone.get(f"{PATH}/steps/{TASK}").json() == before


@pytest.mark.parametrize("commands", [[], [{"type": "fly"}], ["play"], [{}] * 9])
def test_commands_that_cannot_be_read_are_malformed(anyone: httpx.Client, commands: list[Any]):
    refused = attempt(anyone, *commands)
    assert refusal(refused) == (400, "malformed")


@pytest.mark.parametrize(
    "path", ["/games/chess/tutorial", f"{PATH}/steps/0", f"{PATH}/steps/12", f"{PATH}/steps/9999"]
)
def test_what_does_not_exist_is_not_found(anyone: httpx.Client, path: str):
    missing = anyone.get(path)
    assert refusal(missing) == (404, "not-found")


def test_a_large_body_is_refused(anyone: httpx.Client):
    refused = attempt(anyone, {"type": "x" * 1_000_000})
    assert refusal(refused) == (413, "too-large")
