"""The game's page and rules are complete: commands, codes, options, view fields, rules."""

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from games.nautilus import GAME
from games.nautilus.model import Options, View

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "games" / "nautilus.md").read_text()
RULES = (ROOT / "games" / "nautilus" / "RULES.md").read_text()


def section(title: str) -> str:
    return PAGE.split(f"## {title}\n")[1].split("\n## ")[0]


def listed(title: str) -> set[str]:
    """Return the names in the first column of a section's table."""
    rows = re.findall(r"^\|([^|]*)\|", section(title), flags=re.MULTILINE)
    return set(re.findall(r"`([a-z0-9_-]+)`", " ".join(rows)))


def test_every_command_has_an_example_that_decodes():
    examples = re.findall(r"```json\n(.*?)\n```", section("Commands"), flags=re.DOTALL)
    decoded = [msgspec.json.decode(example, type=GAME.Command) for example in examples]
    assert {type(command) for command in decoded} == set(get_args(GAME.Command))


def test_every_error_code_is_listed_and_no_other():
    raised: set[str] = set()
    for path in (ROOT / "games" / "nautilus").rglob("*.py"):
        raised |= set(re.findall(r'Illegal\(\s*"([a-z0-9-]+)"', path.read_text()))
    assert raised == listed("Error codes")


def test_every_option_and_view_field_is_listed():
    assert listed("Options") == set(Options.__struct_fields__)
    assert listed("The view") == set(View.__struct_fields__)


@pytest.mark.parametrize("number", range(1, 84))
def test_every_rule_is_told(number):
    assert f"**NAU-{number}** " in RULES
