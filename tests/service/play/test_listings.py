"""What lists show is what a spectator may know."""

import pytest

from games import GAMES
from games.chance import Chance
from games.match.commands import CreateMatch
from games.playout import seed_of
from projections.seen import seen
from projections.summary import summary, waiting_bots
from service.play.listings import listed
from tests.games.laws import weakest_level
from tests.recorder import SECOND, Recorder


def bots_play(game, seats, options, moves):
    """Play with bots; yield the match after each command."""
    level = weakest_level(game)
    given = Recorder(game, CreateMatch(game.slug, seats, options))
    given.sit(*[level] * seats)
    chance = Chance(seed_of(1), 1)
    for _ in range(moves):
        if given.match.status != "running":
            return
        seat, state = waiting_bots(given.match)[0], given.state
        command = game.players.bots[level](
            game.view(state, seat), seen(given.match, seat), game.legal(state, seat), chance
        )
        given.play(seat, command, after=5 * SECOND)
        yield given.match


@pytest.mark.parametrize("slug", GAMES)
def test_a_record_that_is_hidden_from_spectators_changes_no_list(slug):
    """Not even a number or a time: either would tell that it exists."""
    game = GAMES[slug]
    before = number = None
    for match in bots_play(game, game.seats[0], {}, 150):
        shown, row = len(match.shown[None]), listed(summary(match))
        assert row.version == shown
        if shown == number:
            assert row == before
        before, number = row, shown


def test_there_are_such_records():
    game = GAMES["captain_sonar"]
    matches = list(bots_play(game, 2, {}, 150))
    last = summary(matches[-1])
    assert last.told_version < last.version
