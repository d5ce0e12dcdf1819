"""Every level of every game's bots plays legal commands, the same from the same dice."""

import pytest

from games import GAMES
from games.chance import Chance
from games.playout import Watchers, plies, seed_of
from games.search import LEVELS
from games.search.rollout import blueprint_of

MIDDLE = 30
"""Plies after which the levels choose."""


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("slug", GAMES)
def test_a_level_plays_legal_commands_that_its_dice_decide(slug: str, level: str):
    game = GAMES[slug]
    seats, options = min(game.seats), game.Options()
    watchers, dice = Watchers(game, seats, options), Chance(seed_of(1), 1)

    def choose(state, seat, legal):
        return legal[0] if len(legal) == 1 else blueprint_of(game).policy(state, seat, dice)

    match = plies(game, seats, options, seed_of(3), choose)
    for _ in range(MIDDLE):
        state, ply = next(match)
        watchers.watch(ply)
    seat = min(game.waiting(state))
    view, seen, legal = game.view(state, seat), watchers.seen(seat), game.legal(state, seat)
    first, again = (
        game.players.bots[level](view, seen, legal, Chance(seed_of(2), 1)) for _ in range(2)
    )
    assert first == again
    assert first in legal
