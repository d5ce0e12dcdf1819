"""What a game's tests in this repository declare: `tests/games/<slug>/laws.py`.

A check of all games that needs something which a game does not have ends with a sentence. It is
skipped if the game comes from another package, and fails if the game is in this repository.
"""

import importlib
import re
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, get_args

import pytest

from games import GAMES
from games.game import AnyGame
from games.testing.laws import Laws

ROOT = Path(__file__).parents[2]
RULE_ID = re.compile(r"\b[A-Z]+-\d+\b")


def lacks(slug: str, thing: str) -> NoReturn:
    """End a test because a game has no such thing: skip or fail it."""
    if (ROOT / "games" / slug).is_dir():
        pytest.fail(f"{slug} has no {thing}")
    pytest.skip(f"{slug} comes from another package and has no {thing} in this repository")


def kinds(union: Any) -> tuple[Any, ...]:
    """Return the types of a union of commands or events; a single type is its only member."""
    return get_args(union) or (union,)


def rule_ids(slug: str) -> set[str]:
    """Return the rule ids in the rules file that a game declares, or end the test."""
    rules = GAMES[slug].files.rules or lacks(slug, "declared rules file")
    return set(RULE_ID.findall(rules.read_text())) or lacks(slug, f"numbered rules in {rules}")


def weakest_level(game: AnyGame) -> str:
    """Return the level of the game's weakest bot; skip the test if the game has no bot."""
    for level in game.players.bots:
        return level
    pytest.skip(f"{game.slug} declares no bot")


def has_laws(slug: str) -> bool:
    """Return whether the game's laws are in this repository."""
    return (ROOT / "tests" / "games" / slug / "laws.py").is_file()


def laws_module(slug: str) -> ModuleType:
    """Import a game's `laws.py`, or end the test."""
    if not has_laws(slug):
        lacks(slug, f"tests/games/{slug}/laws.py")
    return importlib.import_module(f"tests.games.{slug}.laws")


def laws_of(slug: str) -> Laws:
    """Return a game's laws, or end the test."""
    return laws_module(slug).LAWS


def hidden_laws_of(slug: str) -> Laws:
    """Return the laws of a game that hides something; skip the test if the game hides nothing."""
    laws = laws_of(slug)
    if laws.rehistory is Laws.rehistory:
        pytest.skip(f"{slug} declares no twin histories: it hides nothing")
    return laws
