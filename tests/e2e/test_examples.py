"""The examples of the document are what the service answers, and fit the schemas."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from games import GAMES
from service.http.documents import document
from service.http.openapi.document import EXAMPLES
from tests.record_examples import record

WITHOUT = {
    "getGame": "long, and open to everybody",
    "getAnalysis": "takes a worker some time",
    "drawAnalysis": "a drawing",
    "findUndoPoint": "a look-up in an analysis",
    "exportMatch": "a file",
    "exportMe": "a file; docs/http.md describes it",
    "metrics": "never the same twice",
    "checkpoint": "a note; docs/checkpoints.md shows one",
    "checkpointKey": "one line; docs/checkpoints.md shows one",
    "checkpointConsistency": "follows from an installation's own tree",
    "matchLeaves": "follows from an installation's own tree",
    "tile": "bytes",
}
"""Operations whose answer is not shown, and why."""


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return json.loads(json.dumps(document()))


def contents(made: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Return what each operation takes and answers: its id, the part, and its content."""
    found = []
    for item in made["paths"].values():
        for operation in item.values():
            parts = dict(operation["responses"])
            if "requestBody" in operation:
                parts["request"] = operation["requestBody"]
            found += [
                (operation["operationId"], name, content)
                for name, part in parts.items()
                for content in part.get("content", {}).values()
            ]
    return found


async def test_the_service_answers_as_the_examples_say():
    again = await record()
    assert again == json.loads(EXAMPLES.read_text()), "run: python -m tests.record_examples"


def test_examples_fit_their_schemas(made: dict[str, Any]):
    shown = 0
    for operation, part, content in contents(made):
        schema = {**content["schema"], "components": made["components"]}
        validator = Draft202012Validator(schema, format_checker=FormatChecker())
        for name, example in content.get("examples", {}).items():
            errors = [error.message for error in validator.iter_errors(example["value"])]
            assert errors == [], (operation, part, name)
            shown += 1
    assert shown > 100


def test_every_answer_has_an_example(made: dict[str, Any]):
    lacking = {
        operation
        for operation, part, content in contents(made)
        if part.startswith("2") and not content.get("examples")
    }
    assert lacking == WITHOUT.keys()


@pytest.mark.parametrize("operation", ["getMatch", "getLegal", "sendCommand", "createMatch"])
def test_what_depends_on_the_game_is_shown_for_each(made: dict[str, Any], operation: str):
    shown = {
        name
        for found, part, content in contents(made)
        if found == operation and part.startswith("2")
        for name in content["examples"]
    }
    assert shown >= GAMES.keys()
