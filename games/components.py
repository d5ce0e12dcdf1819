"""Component data (cards, boards, maps): read once from `seeds/<slug>.toml` and validated."""

from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

SEEDS = Path(__file__).resolve().parent.parent / "seeds"


def slugs() -> list[str]:
    """Name the games that have components, in alphabetical order."""
    return sorted(path.stem for path in SEEDS.glob("*.toml"))


def load(slug: str, shape: type[T]) -> T:
    """Read the components of a game as the given Struct; raises `msgspec.ValidationError`."""
    return msgspec.toml.decode((SEEDS / f"{slug}.toml").read_bytes(), type=shape)


@cache
def public(slug: str) -> dict[str, Any]:
    """Give the components of a game as they are written down, for clients; {} for a game without any."""
    path = SEEDS / f"{slug}.toml"
    return msgspec.toml.decode(path.read_bytes()) if path.exists() else {}
