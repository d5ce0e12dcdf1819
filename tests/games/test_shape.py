"""Every game has the same file for the same role: the table in CONTRIBUTING."""

import ast
import re
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

import pytest

from games import GAMES
from games import template as template_package
from games.components import SEEDS, files_of
from games.game import Game

ROOT = Path(__file__).parents[2]
HERE = {slug: game for slug, game in GAMES.items() if (ROOT / "games" / slug).is_dir()}
SHAPED = {**HERE, "template": template_package.GAME}
ROW = re.compile(r"^\| `([\w.]+/?)` \|([^|]*)\|", re.MULTILINE)
TABLE = {
    file: re.findall(r"`([\w.]+)`", names)
    for file, names in ROW.findall(
        (ROOT / "CONTRIBUTING.md").read_text().partition("## Add a game")[2].partition("\n## ")[0]
    )
}
OPTIONAL = {
    *("components.py", "rules/", "solver/", "board.js", "glossary.toml", "words/"),
    *("tutorial.toml", "coach.toml", "puzzles.jsonl"),
}
VALUES = {
    "slug",
    "version",
    "titles",
    "seats",
    "minutes",
    "weight",
    "recommended",
    "recommended_with_bots",
    "files",
    "files.rules",
    "files.board",
    "files.words",
    "files.tutorial",
    "files.coach",
    "files.puzzles",
    "withheld",
    "timing",
    "players",
}
"""Fields that `__init__.py` puts together, without a function or type of their own."""

PLAYERS = {
    "blueprint": ("policy", "ranking", "worths"),
    "reasons": ("reason",),
    "value": ("stage", "value"),
}
"""Fields of a blueprint by file."""


def test_the_table_names_every_field():
    named = {name.partition(".")[0] for names in TABLE.values() for name in names}
    fields = set(SHAPED["template"].__dataclass_fields__) - {"earlier"}
    assert named == fields


@pytest.mark.parametrize("slug", SHAPED)
def test_a_game_has_these_files_and_no_others(slug):
    folder = ROOT / "games" / slug
    found = {path.name + ("/" if path.is_dir() else "") for path in folder.iterdir()}
    found -= {"__pycache__/", "project/"}
    assert found <= set(TABLE), "a file that no other game has belongs into rules/ or players/"
    assert set(TABLE) - OPTIONAL <= found


@pytest.mark.parametrize("slug", SHAPED)
def test_a_field_is_found_where_the_table_says(slug):
    game = SHAPED[slug]
    for file, names in TABLE.items():
        module = f"games.{slug}." + file.removesuffix(".py").replace("/", "")
        for name in set(names) - VALUES - {"values"}:
            value = game
            for part in name.split("."):
                value = getattr(value, part)
            for one in value.values() if isinstance(value, dict) else [value]:
                origin = getattr(one, "__module__", "") or ""
                default = origin in ("games.game", "typing", "types", "builtins")
                assert one is None or default or origin.startswith(module), (name, origin)
    for function in filter(None, (game.timing.clock, game.timing.pace)):
        assert function.__module__ == f"games.{slug}.turns"
    assert game.timing.clock is not None
    if (SEEDS / f"{slug}.toml").exists():
        assert game.values is import_module(f"games.{slug}.components").VALUES
    assert game.players.sample.__module__.startswith(f"games.{slug}.players")


@pytest.mark.parametrize("slug", HERE)
def test_players_have_the_same_names_in_every_game(slug):
    players, folder = HERE[slug].players, f"games.{slug}.players"
    for file, names in PLAYERS.items():
        for name in names:
            if (function := getattr(players.blueprint, name)) is not None:
                assert function == getattr(import_module(f"{folder}.{file}"), name)
    assert players.sample == import_module(f"{folder}.sample").sample
    assert players.bots["heuristic"] == import_module(f"{folder}.bot").heuristic
    assert import_module(f"{folder}.blueprint").chosen


@pytest.mark.parametrize("slug", HERE)
def test_a_game_has_all_files_of_a_game_of_this_repository(slug):
    files = asdict(HERE[slug].files)
    assert files == asdict(files_of(slug))
    assert all(path.exists() for path in files.values() if path is not None)


@pytest.mark.parametrize("slug", SHAPED)
def test_a_game_names_its_fields_in_the_order_of_the_type(slug):
    tree = ast.parse((ROOT / "games" / slug / "__init__.py").read_text())
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    call = next(call for call in calls if getattr(call.func, "id", "") == "Game")
    named = [keyword.arg for keyword in call.keywords]
    assert named == sorted(named, key=list(Game.__dataclass_fields__).index)
