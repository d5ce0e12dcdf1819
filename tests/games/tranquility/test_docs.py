"""The documentation explains every command, option, field and refusal."""

import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from games.game import snake_case
from games.tranquility import GAME

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/games/tranquility.md").read_text()
EXAMPLES = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
COMMANDS = {snake_case(kind.__name__) for kind in get_args(GAME.Command)}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.get("type", "options"))
def test_each_example_is_understood(example):
    kind = GAME.Command if "type" in example else GAME.Options
    value = msgspec.convert(example, kind)
    again = json.loads(msgspec.json.encode(value))
    assert {name: again[name] for name in example} == example


def test_every_command_has_an_example():
    assert {example.get("type") for example in EXAMPLES} >= COMMANDS


def test_every_refusal_is_explained():
    sources = (ROOT / "games/tranquility").rglob("*.py")
    codes = {
        code
        for path in sources
        for code in re.findall(r'Illegal\(\s*"([a-z-]+)"', path.read_text())
    }
    assert len(codes) > 40
    assert not {code for code in codes if f"`{code}`" not in PAGE}


def test_every_field_of_the_view_and_option_is_explained():
    fields = {*GAME.View.__struct_fields__, *GAME.Options.__struct_fields__}
    assert not {field for field in fields if f"`{field}`" not in PAGE}


def test_every_rule_is_restated():
    rules = (ROOT / "games/tranquility/RULES.md").read_text()
    assert re.findall(r"\*\*TRA-(\d+)\*\*", rules) == [str(number) for number in range(1, 85)]
