"""The documentation is complete, and its examples are valid."""

import re
from pathlib import Path

import msgspec

from games.submarine import GAME
from games.submarine.model import Options, View

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "games" / "submarine.md").read_text()
SOURCES = "".join(path.read_text() for path in (ROOT / "games" / "submarine").rglob("*.py"))


def test_every_command_has_one_example():
    examples = re.findall(r"```json\n(.*?)\n```", PAGE, re.DOTALL)
    commands = [msgspec.json.decode(example, type=GAME.Command) for example in examples]
    assert {type(command) for command in commands} == set(GAME.Command.__args__)
    assert len(commands) == len(GAME.Command.__args__)


def test_every_error_code_is_explained():
    codes = set(re.findall(r'Illegal\("([a-z-]+)"', SOURCES))
    table = PAGE.partition("## Errors")[2].partition("## Options")[0]
    assert set(re.findall(r"^\| `([a-z-]+)`", table, re.MULTILINE)) == codes


def test_every_option_and_view_field_is_explained():
    for field in Options.__struct_fields__ + View.__struct_fields__:
        assert f"`{field}`" in PAGE


def test_every_rule_is_restated_and_tested():
    rules = (ROOT / "games" / "submarine" / "RULES.md").read_text()
    ids = [f"SUB-{number}" for number in range(1, 65)]
    assert re.findall(r"^- \*\*(SUB-\d+)\*\*", rules, re.MULTILINE) == ids
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    marked = set(re.findall(r'"(SUB-\d+)"', "".join(re.findall(r"rule\((.*?)\)", tests))))
    assert marked == set(ids)
