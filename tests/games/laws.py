"""Find what a game's tests declare for the laws: `LAWS` in `tests/games/<slug>/laws.py`."""

import importlib
import importlib.util

import pytest

from games.testing.laws import Laws


def laws_of(slug: str) -> Laws:
    """Return a game's laws; skip the test if the game declares none in this repository."""
    name = f"tests.games.{slug}.laws"
    if importlib.util.find_spec(f"tests.games.{slug}") is None:
        pytest.skip(f"{slug} has no tests in this repository: its own package runs the laws")
    return importlib.import_module(name).LAWS
