"""Every game's page and rules file are complete, and its rules and refusals are tested."""

import json
import re
from typing import Any, Union

import msgspec
import pytest

from games import GAMES
from games.game import AnyGame
from games.match.commands import PlayerCommand
from tests.games.laws import ROOT, RULE_ID, kinds, lacks, rule_ids

EXAMPLE = re.compile(r"```json\n(.*?)```", re.DOTALL)
CODE = re.compile(r'"([a-z]+(?:-[a-z]+)+)"|Illegal\(\s*"([a-z]+)"')
COMPOSED = {"ke_dnu": {"card-not-in-water"}}
"""Codes that the sources do not spell out."""


@pytest.fixture(scope="module", params=GAMES.values(), ids=GAMES)
def game(request) -> AnyGame:
    return request.param


@pytest.fixture(scope="module")
def page(game) -> str:
    path = ROOT / "docs" / "games" / f"{game.slug}.md"
    if not path.exists():
        lacks(game.slug, f"page docs/games/{game.slug}.md")
    return path.read_text()


@pytest.fixture(scope="module")
def tests(game) -> str:
    paths = sorted((ROOT / "tests" / "games" / game.slug).rglob("test_*.py"))
    return "".join(path.read_text() for path in paths) or lacks(game.slug, "tests")


def listed(page: str, title: str) -> set[str]:
    """Return the names in the first columns of a section's tables."""
    section = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\|([^|]*)\|", section, re.MULTILINE)
    return set(re.findall(r"`([a-z0-9_-]+)`", " ".join(cells)))


def codes(slug: str) -> set[str]:
    """Return the codes of refusals in a game's rules. Codes in events say how a match ended."""
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for path in (ROOT / "games" / slug).rglob("*.py"):
        if path.parent.name not in {"players", "solver"}:
            spelt = {code for groups in CODE.findall(path.read_text()) for code in groups if code}
            found[path.name == "events.py"] |= spelt
    return (found[False] - found[True]) | COMPOSED.get(slug, set())


def test_each_example_is_understood(game, page):
    """Options may be absent. Commands have all their fields, as in the list of legal commands."""
    commands: Any = Union[PlayerCommand, game.Command]  # noqa: UP007 - a value
    for text in EXAMPLE.findall(page):
        example = json.loads(text)
        kind = commands if "type" in example else game.Options
        again = json.loads(msgspec.json.encode(msgspec.json.decode(text, type=kind)))
        assert example == (again if "type" in example else {name: again[name] for name in example})


def test_every_command_has_an_example(game, page):
    shown = {json.loads(text).get("type") for text in EXAMPLE.findall(page)}
    assert {kind.__struct_config__.tag for kind in kinds(game.Command)} <= shown


def test_every_refusal_is_explained_and_no_other(game, page):
    assert listed(page, "Refusals") == codes(game.slug)


def test_every_refusal_is_tested(game, page, tests):
    assert not {code for code in listed(page, "Refusals") if f'"{code}"' not in tests}


def test_every_option_is_explained_and_no_other(game, page):
    assert listed(page, "Options") == set(game.Options.__struct_fields__)


def test_every_field_of_the_view_is_explained_and_no_other(game, page):
    assert listed(page, "The view") == set(game.View.__struct_fields__)


def test_every_rule_is_stated_once_and_in_order(game):
    rules = game.files.rules or lacks(game.slug, "declared rules file")
    stated = re.findall(r"^- \*\*([A-Z]+-\d+)\*\* ", rules.read_text(), re.MULTILINE)
    assert set(stated) == rule_ids(game.slug), "no rule refers to one that is not there"
    numbers = [int(rule.partition("-")[2]) for rule in stated]
    assert numbers == sorted(set(numbers))


def test_every_rule_is_tested_and_no_other(game, tests):
    marks = "".join(re.findall(r"mark\.rule\(([^)]*)\)", tests))
    assert set(RULE_ID.findall(marks)) == rule_ids(game.slug)
