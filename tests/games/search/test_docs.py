"""The documentation of hints is complete."""

from pathlib import Path

import pytest

from games import GAMES
from tests.games.laws import lacks

PAGE = (Path(__file__).parents[3] / "docs" / "bots.md").read_text()


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_reason_is_listed(game):
    if game.players.blueprint is None:
        pytest.skip(f"{game.slug} declares no blueprint")
    reasons = game.players.blueprint.reasons.items()
    if missing := [code for code, words in reasons if f"| `{code}` | {words} |" not in PAGE]:
        lacks(game.slug, f"row in docs/bots.md for {missing}")
