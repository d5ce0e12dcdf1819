"""Data files of games: component data (cards, boards, maps) is read once and validated."""

from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from games.game import Files

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent


def shipped(installed: str, tree: str) -> Path:
    """Return a folder of data files: inside its package if installed, or in the repository."""
    folder = ROOT / installed
    return folder if folder.is_dir() else ROOT / tree


SEEDS = shipped("games/seeds", tree="seeds")
"""The folder with `<slug>.toml` for each game of this repository."""
WORDS = shipped("games/words", tree="web/src/boards")
"""The folder with the words of each game of this repository, in a folder `<slug>`."""


def files_of(slug: str) -> Files:
    """Return the files of a game of this repository."""
    return Files(
        rules=ROOT / "games" / slug / "RULES.md",
        components=SEEDS / f"{slug}.toml",
        words=WORDS / slug,
        tutorial=SEEDS / "tutorials" / f"{slug}.toml",
        coach=SEEDS / "coach" / f"{slug}.toml",
        puzzles=SEEDS / "puzzles" / f"{slug}.jsonl",
    )


def load(path: Path, shape: type[T]) -> T:
    """Read a game's components as the given Struct; raises `msgspec.ValidationError`."""
    return msgspec.toml.decode(path.read_bytes(), type=shape)


@cache
def plain(path: Path) -> dict[str, Any]:
    """Read components as plain values, for clients."""
    return msgspec.toml.decode(path.read_bytes())
