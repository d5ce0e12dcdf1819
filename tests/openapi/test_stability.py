"""No release breaks clients, and the version of the document moves with its shape."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.openapi.breaks import breaks
from tests.openapi.released import current, released

Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def now() -> dict[str, Any]:
    return current()


def schema(made: dict[str, Any], name: str) -> dict[str, Any]:
    return made["components"]["schemas"][name]


def call(made: dict[str, Any], method: str, path: str) -> dict[str, Any]:
    return made["paths"][path][method]


def content(made: dict[str, Any], method: str, path: str, status: str) -> dict[str, Any]:
    return call(made, method, path)["responses"][status]["content"]


def test_nothing_is_broken_since_the_last_release(now):
    found = breaks(released(), now)
    assert found == [], "keep the old form beside the new one, as docs/stability.md says"


def test_a_new_shape_has_a_new_version(now):
    before = released()
    version = [tuple(map(int, each["info"]["version"].split("."))) for each in (before, now)]
    assert version[1] >= version[0]
    assert version[1][0] == version[0][0], "the first number stays: nothing may break"
    if version[1] == version[0]:
        assert now == before, "raise VERSION in service/http/openapi/pages.py"


BREAKS: dict[str, Change] = {
    "GET /games: removed": lambda made: made["paths"].pop("/games"),
    "GET /games: operationId was listGames": lambda made: call(made, "get", "/games").update(
        operationId="games"
    ),
    "GET /games: needs a token": lambda made: call(made, "get", "/games").pop("security"),
    "GET /matches: parameter count removed": lambda made: call(made, "get", "/matches")[
        "parameters"
    ].pop(),
    "GET /matches: parameter game is required": lambda made: call(made, "get", "/matches")[
        "parameters"
    ][0].update(required=True),
    "POST /players body.name: maxLength 20": lambda made: schema(made, "NewPlayer")["properties"][
        "name"
    ].update(maxLength=20),
    "POST /players body.age: required": lambda made: schema(made, "NewPlayer").update(
        required=["name", "age"]
    ),
    "POST /players 201: header RateLimit removed": lambda made: call(made, "post", "/players")[
        "responses"
    ]["201"]["headers"].pop("RateLimit"),
    "POST /players 201.token: removed": lambda made: schema(made, "Welcome")["properties"].pop(
        "token"
    ),
    "POST /players 201.token: may be absent": lambda made: schema(made, "Welcome").update(
        required=["player"]
    ),
    "POST /players 201.token: type ['string', 'null'] instead of string": lambda made: schema(
        made, "Welcome"
    )["properties"]["token"].update(type=["string", "null"]),
    "GET /matches/{match}/export 200: application/zstd removed": lambda made: content(
        made, "get", "/matches/{match}/export", "200"
    ).pop("application/zstd"),
    "GET /matches/{match}/legal 200: nautilus removed": lambda made: schema(made, "Legal")[
        "discriminator"
    ]["mapping"].pop("nautilus"),
}


@pytest.mark.parametrize("expected", BREAKS)
def test_a_break_is_found(now, expected: str):
    changed = copy.deepcopy(now)
    BREAKS[expected](changed)
    assert expected in breaks(now, changed)


def test_an_answer_may_become_narrower_but_not_wider(now):
    changed = copy.deepcopy(now)
    schema(changed, "Health")["properties"]["work"]["format"] = "uri"
    assert breaks(now, changed) == []
    assert breaks(changed, now) == ["GET /health/ready 200.work: format None instead of uri"]


ALLOWED: dict[str, Change] = {
    "a new call": lambda made: made["paths"].update({"/new": made["paths"]["/games"]}),
    "a new property of an answer": lambda made: schema(made, "Welcome")["properties"].update(
        seen={"type": "string"}
    ),
    "a new optional property that is taken": lambda made: schema(made, "NewPlayer")[
        "properties"
    ].update(pronouns={"type": "string"}),
    "a wider limit": lambda made: schema(made, "NewPlayer")["properties"]["name"].update(
        maxLength=80
    ),
    "a new game": lambda made: schema(made, "Legal")["discriminator"]["mapping"].update(
        nim="#/components/schemas/NautilusLegal"
    ),
    "a new refusal": lambda made: call(made, "get", "/games")["responses"].update(
        {"410": {"content": {}}}
    ),
}


@pytest.mark.parametrize("name", ALLOWED)
def test_what_clients_need_not_notice_is_no_break(now, name: str):
    changed = copy.deepcopy(now)
    ALLOWED[name](changed)
    assert changed != now
    assert breaks(now, changed) == []


def test_a_value_more_breaks_an_answer_and_a_value_less_breaks_a_call(now):
    changed = copy.deepcopy(now)
    status = schema(changed, "NautilusMatchView")["properties"]["status"]
    status["enum"] = [*status["enum"], "adjourned"]
    assert any("values added" in each for each in breaks(now, changed))
    changed = copy.deepcopy(now)
    level = schema(changed, "NautilusOptions")["properties"]["first_seat"]
    level["enum"] = level["enum"][1:]
    assert any("values removed" in each for each in breaks(now, changed))
