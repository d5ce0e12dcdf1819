"""Component data (cards, boards, maps): read once from `seeds/<slug>.toml` and validated."""

from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent


def shipped(installed: str, tree: str) -> Path:
    """Return a folder of data files: inside its package if installed, or in the repository."""
    folder = ROOT / installed
    return folder if folder.is_dir() else ROOT / tree


SEEDS = shipped("games/seeds", tree="seeds")


def load(slug: str, shape: type[T]) -> T:
    """Read the components of a game as the given Struct; raises `msgspec.ValidationError`."""
    return msgspec.toml.decode((SEEDS / f"{slug}.toml").read_bytes(), type=shape)


@cache
def plain(path: Path) -> dict[str, Any]:
    """Read components as they are written down, for clients."""
    return msgspec.toml.decode(path.read_bytes())
