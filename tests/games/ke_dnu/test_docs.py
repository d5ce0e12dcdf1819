"""The documentation lists all commands, codes, options, view fields and rules."""

import json
import re
from pathlib import Path
from typing import Union, get_args

import msgspec
import pytest

from games.game import snake_case
from games.ke_dnu import GAME
from games.ke_dnu.components import KINDS
from games.ke_dnu.model import SeatView, SupplyType
from games.match.commands import PlayerCommand

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/games/ke_dnu.md").read_text()
RULES = (ROOT / "games/ke_dnu/RULES.md").read_text()
EXAMPLES = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
COMMANDS = {snake_case(kind.__name__) for kind in get_args(GAME.Command)}
IDS = [
    *range(1, 39), *range(40, 48), *range(50, 55), *range(60, 63), 66, *range(70, 76),
    *range(80, 89), *range(90, 103), *range(110, 117),
]  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.get("type", "options"))
def test_each_example_is_understood(example):
    commands = Union[PlayerCommand, GAME.Command]  # noqa: UP007 - a value
    value = msgspec.convert(example, commands if "type" in example else GAME.Options)
    again = json.loads(msgspec.json.encode(value))
    assert {name: again[name] for name in example} == example
    if "type" in example:
        assert again == example, "legal commands carry all their fields"


def test_absent_fields_mean_none():
    short = json.loads('{"type": "activate", "card": "jack_1"}')
    full = json.loads(msgspec.json.encode(msgspec.convert(short, GAME.Command)))
    assert full == short | {"target": -1, "cards": [], "victims": [], "host": ""}


def test_every_command_has_an_example():
    assert {example.get("type") for example in EXAMPLES} >= COMMANDS


def test_every_refusal_is_explained():
    """Codes are literals in the code, or chosen among literals."""
    sources = "".join(path.read_text() for path in (ROOT / "games/ke_dnu").rglob("*.py"))
    codes = set(re.findall(r'Illegal\(\s*"([a-z-]+)"', sources))
    codes |= {"card-not-in-hand", "card-not-in-water", "self-target", "not-exhausted"}
    assert len(codes) > 40
    assert not {code for code in codes if f"| `{code}` |" not in PAGE}


def test_every_field_of_the_views_and_every_option_is_explained():
    fields = {
        *GAME.View.__struct_fields__,
        *SeatView.__struct_fields__,
        *GAME.Options.__struct_fields__,
    }
    assert not {field for field in fields if f"`{field}`" not in PAGE}


def test_every_rule_is_restated():
    assert [
        int(number) for number in re.findall(r"^- \*\*KED-(\d+)\*\*", RULES, re.MULTILINE)
    ] == IDS


def test_every_rule_has_a_test():
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    marked = {
        rule
        for marks in re.findall(r"mark\.rule\(([^)]*)\)", tests)
        for rule in re.findall(r'"([^"]+)"', marks)
    }
    assert not {f"KED-{number}" for number in IDS} - {"KED-101"} - marked
    assert not {f"KED-101/{kind}" for kind in KINDS} - marked


def test_the_types_that_can_be_excluded_are_those_of_the_supply():
    supply = {kind.id for kind in KINDS.values() if kind.dealt in {"supply", "option"}}
    assert set(get_args(SupplyType)) == supply
