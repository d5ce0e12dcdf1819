"""The documentation of hints is complete."""

from pathlib import Path

import pytest

from games import GAMES

PAGE = (Path(__file__).parents[3] / "docs" / "bots.md").read_text()


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_reason_is_listed(game):
    for code, words in game.players.blueprint.reasons.items():
        assert f"| `{code}` | {words} |" in PAGE
