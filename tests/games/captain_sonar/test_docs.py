"""The examples of the page are commands and options of this game, and none is left out."""

import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from games.captain_sonar import GAME
from games.captain_sonar.model import CrewView, Result
from games.game import snake_case

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/games/captain_sonar.md").read_text()
EXAMPLES = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
TESTS = sorted(Path(__file__).parent.glob("test_*.py"))


def named(union) -> set[str]:
    return {snake_case(kind.__name__) for kind in get_args(union)}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.get("type", "options"))
def test_each_example_is_understood(example):
    kind = GAME.Command if "type" in example else GAME.Options
    value = msgspec.convert(example, kind)
    again = json.loads(msgspec.json.encode(value))
    assert {name: again[name] for name in example} == example


def test_every_command_has_an_example():
    assert {example.get("type") for example in EXAMPLES} >= named(GAME.Command)


def test_every_event_is_named():
    assert not {event for event in named(GAME.Event) if f"`{event}`" not in PAGE}


def codes() -> set[str]:
    """Return the codes of refusals. The codes of reasons look the same."""
    sources = (ROOT / "games/captain_sonar").rglob("*.py")
    sources = (path for path in sources if path.name != "reasons.py")
    return {
        code for path in sources for code in re.findall(r'"([a-z]+(?:-[a-z]+)+)"', path.read_text())
    }


def test_every_refusal_is_explained():
    assert len(codes()) > 50
    assert not {code for code in codes() if f"`{code}`" not in PAGE}


def test_every_refusal_is_tested():
    tests = "".join(path.read_text() for path in TESTS)
    assert not {code for code in codes() if f'"{code}"' not in tests}


def test_every_field_of_view_result_and_option_is_explained():
    fields = {
        *GAME.View.__struct_fields__,
        *CrewView.__struct_fields__,
        *GAME.Options.__struct_fields__,
        *Result.__struct_fields__,
    }
    assert not {field for field in fields if f"`{field}`" not in PAGE}


def test_every_rule_is_restated():
    rules = (ROOT / "games/captain_sonar/RULES.md").read_text()
    assert re.findall(r"\*\*SON-(\d+)\*\*", rules) == [str(number) for number in range(1, 109)]


def test_every_rule_has_a_test():
    marked = {
        int(number)
        for path in TESTS
        for mark in re.findall(r"mark\.rule\(([^)]*)\)", path.read_text())
        for number in re.findall(r"SON-(\d+)", mark)
    }
    assert not set(range(1, 109)) - marked
