"""The OpenAPI document says everything, of every type and every call."""

import inspect
import json
import os
import re
import subprocess
import sys
from typing import get_args

import pytest

from games import GAMES
from service.http.callers import counts_of
from service.http.calls import CALLS
from service.http.documents import document
from service.http.openapi.games import named
from service.http.parts import CALLER_PARTS, PARTS, PUBLIC_PARTS
from service.jobs.kinds import KINDS
from tests.e2e.routes import OPEN_TO_ALL

REF = "#/components/schemas/"
OPEN = {
    "GameDetail.components": "as the game's components are",
    "PatchOperation.value": "any JSON",
    **{named(game, "Refused") + ".details": "as the code says" for game in GAMES.values()},
    **{named(game, "Change") + ".value": "any part of a state" for game in GAMES.values()},
    **{named(game, "Blame") + ".value": "any part of a state" for game in GAMES.values()},
}
"""Properties without a type, and why."""


@pytest.fixture(scope="module")
def made():
    return json.loads(json.dumps(document()))


def operations(made):
    return [
        (method, path, operation)
        for path, item in made["paths"].items()
        for method, operation in item.items()
    ]


def tag_of(kind):
    return kind.__struct_config__.tag


def properties(made):
    return [
        (f"{name}.{key}", value)
        for name, schema in made["components"]["schemas"].items()
        for key, value in schema.get("properties", {}).items()
    ]


def nodes(node):
    yield node
    inner = (
        [part for key, part in node.items() if key != "examples"]
        if isinstance(node, dict)
        else node
    )
    for part in inner:
        if isinstance(part, dict | list):
            yield from nodes(part)


def test_it_is_the_same_in_every_process():
    documents = [
        subprocess.run(
            [sys.executable, "-c", "from shiplog import main; main()", "schema"],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert documents[0] == documents[1] != b""


def test_every_reference_leads_somewhere_and_every_schema_is_reached(made):
    schemas = made["components"]["schemas"]
    seen, todo = set(), [made["paths"]]
    while todo:
        for name in set(re.findall(f'"{REF}([^"]+)"', json.dumps(todo.pop()))) - seen:
            seen.add(name)
            todo.append(schemas[name])
    assert seen == schemas.keys()


def test_every_game_is_typed(made):
    schemas = made["components"]["schemas"]
    assert schemas["MatchView"]["discriminator"]["mapping"].keys() == GAMES.keys()
    for slug, target in schemas["MatchView"]["discriminator"]["mapping"].items():
        view = schemas[target.removeprefix(REF)]
        assert view["properties"]["game"]["const"] == slug
        assert view["properties"]["options"]["$ref"].endswith("Options")
        assert view["properties"]["view"]["oneOf"][0]["$ref"].endswith("View")
    for name in ("Accepted", "ToldRecord", "Moment", "Legal", "FullView", "Hint", "Analysis"):
        assert schemas[name]["discriminator"]["mapping"].keys() == GAMES.keys()
    assert schemas["Job"]["discriminator"]["mapping"].keys() == KINDS.keys()
    for game in GAMES.values():
        event = schemas[named(game, "ToldRecord")]["properties"]["events"]["items"]
        assert event == {"$ref": REF + named(game, "RecordedEvent")}
        types = schemas[named(game, "RecordedEvent")]["discriminator"]["mapping"]
        assert {"match_created", "undone", *(tag_of(kind) for kind in get_args(game.Event))} <= {
            *types
        }


UNTOLD = {
    "GameCommand": "in a call that does not name the game",
    "MatchResult": "in a report, which may be of an unreadable log",
    "StreamedEvent": "whose `event` tells",
    "SentCommand": "the match in the path tells the game",
}
"""Unions without a field that tells their members apart, and why."""


def test_unions_are_told_apart(made):
    for name, schema in made["components"]["schemas"].items():
        for node in nodes(schema):
            if isinstance(node, dict) and "$ref" in str(node.get("anyOf")):
                assert name in UNTOLD, name


def test_nothing_is_untyped_whose_type_is_known(made):
    for name, value in properties(made):
        if name in OPEN:
            continue
        for node in nodes({**value, "description": "", "default": None}):
            assert node != {}, name
            if isinstance(node, dict) and node.get("type") == "object":
                known = {"additionalProperties", "discriminator", "properties"}
                assert known & node.keys(), name


def test_every_tuple_says_what_its_elements_are(made):
    for node in nodes(made):
        if (
            isinstance(node, dict)
            and "prefixItems" in node
            and isinstance(node["prefixItems"], list)
        ):
            assert isinstance(node["items"], dict)
            assert node["minItems"] == node["maxItems"] == len(node["prefixItems"])


def test_every_union_told_apart_can_be(made):
    """Each member has the tag that the mapping says."""
    schemas = made["components"]["schemas"]
    for node in nodes(made):
        if not (isinstance(node, dict) and isinstance(node.get("discriminator"), dict)):
            continue
        assert len(node["oneOf"]) == len(node["discriminator"]["mapping"])
        field = node["discriminator"]["propertyName"]
        for value, target in node["discriminator"]["mapping"].items():
            member = schemas[target.removeprefix(REF)]
            assert member["properties"][field]["const"] == value
            assert field in member["required"]


def test_everything_is_described(made):
    for name, schema in made["components"]["schemas"].items():
        assert "properties" not in schema or schema.get("description"), name
    for method, path, operation in operations(made):
        assert operation["summary"], (method, path)
        assert operation["description"], (method, path)
        for parameter in operation.get("parameters", ()):
            assert parameter["description"], (method, path, parameter["name"])
        for answer in operation["responses"].values():
            assert answer["description"], (method, path)
    assert [name for name, value in properties(made) if not value.get("description")] == []


def test_no_description_is_code_because_of_its_indentation(made):
    schemas = made["components"]["schemas"]
    texts = [schema["description"] for schema in schemas.values() if "description" in schema]
    assert [text for text in texts if text != inspect.cleandoc(text)] == []
    assert any("\n\n" in text for text in texts)


def test_no_field_of_a_body_is_called_as_a_part_of_the_service(made):
    """Litestar would answer 500 instead of 400 if such a field were malformed."""
    schemas = made["components"]["schemas"]
    bodies, seen = [], set()
    for _, _, operation in operations(made):
        bodies += operation.get("requestBody", {}).get("content", {}).values()
    while bodies:
        for node in nodes(bodies.pop()):
            parts = node.get("properties", {}) if isinstance(node, dict) else {}
            assert not parts.keys() & {"caller", *PUBLIC_PARTS, *CALLER_PARTS, *PARTS}
            name = node.get("$ref", "").removeprefix(REF) if isinstance(node, dict) else ""
            if name and name not in seen:
                seen.add(name)
                bodies.append(schemas[name])


def test_times_have_one_form(made):
    times = {name for name, value in properties(made) if '"date-time"' in json.dumps(value)}
    assert {"NautilusToldRecord.at", "ClockView.deadline", "Profile.created", "Message.at"} <= times
    assert {
        "ToldProposal.expires",
        "NautilusProposalView.expires",
        "NautilusFullView.paused",
    } <= times
    assert not re.search(r"\b1970\b", json.dumps(made))
    for node in nodes(made):
        if isinstance(node, dict) and node.get("format") == "date-time":
            assert re.fullmatch(node["pattern"], "2026-11-21T09:00:00.000000Z")


def test_public_operations_say_so(made):
    public = {
        (method, path)
        for method, path, operation in operations(made)
        if operation.get("security") == []
    }
    assert public == OPEN_TO_ALL


def test_a_call_without_a_token_is_counted_unless_its_answer_is_the_same_for_all():
    uncounted = {
        handler.operation_id
        for handler in CALLS
        if handler.include_in_schema
        and "caller" not in handler.parsed_fn_signature.parameters
        and not counts_of(handler)
    }
    same_for_all = {
        "listGames", "getGame", "getComponents", "getTutorial", "getCoach", "live", "ready", "keys",
    }  # fmt: skip
    assert uncounted == {*same_for_all, "createPlayer"}, "a new player counts as a guest"


def test_a_stream_is_one_of_server_sent_events(made):
    stream = made["paths"]["/matches/{match}/stream"]["get"]
    (content,) = stream["responses"]["200"]["content"].items()
    assert content[0] == "text/event-stream"
    assert content[1]["schema"] == {"$ref": f"{REF}StreamedEvent"}
    data = made["components"]["schemas"]["StreamedEvent"]["properties"]["data"]
    kinds = [{"$ref": f"{REF}{kind}"} for kind in ("ToldRecord", "Receipt")]
    assert data["contentSchema"] == {"anyOf": kinds}


def test_calls_name_their_headers(made):
    view = made["paths"]["/matches/{match}"]["get"]
    assert "ETag" in view["responses"]["200"]["headers"]
    assert "ETag" in view["responses"]["304"]["headers"]
    send = made["paths"]["/matches/{match}/commands"]["post"]
    assert "ETag" in send["responses"]["200"]["headers"]
    assert {"Idempotency-Key", "If-Match"} <= {each["name"] for each in send["parameters"]}
    stream = made["paths"]["/matches/{match}/stream"]["get"]
    assert "Last-Event-ID" in {each["name"] for each in stream["parameters"]}
    for method, path, operation in operations(made):
        if "413" in operation["responses"]:
            assert "408" in operation["responses"], (method, path)
        for status, answer in operation["responses"].items():
            assert {"X-Request-ID", "RateLimit", "RateLimit-Policy"} <= answer["headers"].keys()
            if status == "429":
                assert "Retry-After" in answer["headers"], (method, path)
