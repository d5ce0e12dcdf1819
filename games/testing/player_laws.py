"""Laws on players: they know what their seat knows and choose what is legal."""

from itertools import cycle

import pytest

from games.chance import Chance
from games.game import AnyGame
from games.playout import seed_of
from games.testing.laws import Laws
from games.testing.playouts import Data, accepts, encode, law, watched_playout


@law
def test_sampled_worlds_fit_what_was_seen(game: AnyGame, laws: Laws, data: Data) -> None:
    """A sampled world gives its viewer the same view and legal commands.

    Not the same default: a game may draw it from what every seat is kept from (SON, `pads`).
    """
    for position, watchers in watched_playout(game, laws, data, every=8):
        state = position.state
        for viewer in position.viewers():
            view = game.view(state, viewer)
            world = game.players.sample(view, watchers.seen(viewer), position.dice)
            assert encode(game.view(world, viewer)) == encode(view)
            assert encode(sorted(game.awaited(world, viewer))) == encode(
                sorted(game.awaited(state, viewer))
            )
            if viewer is not None:
                assert encode(game.legal(world, viewer)) == encode(game.legal(state, viewer))
            assert position.laws.census(world) == position.laws.census(state)


@law
def test_bots_choose_legal_commands(game: AnyGame, laws: Laws, data: Data) -> None:
    """Levels answer decisions by turns, with a legal command and from their view alone."""
    if not game.players.bots:
        pytest.skip(f"{game.slug} has no bots")
    bots = cycle(game.players.bots.values())
    for position, watchers in watched_playout(game, laws, data, every=10):
        state = position.state
        for seat in game.waiting(state):
            legal = game.legal(state, seat)
            command = next(bots)(
                game.view(state, seat), watchers.seen(seat), legal, Chance(seed_of(5), 1)
            )
            assert accepts(position, state, seat, command)


@law
def test_a_blueprint_knows_only_its_seat(game: AnyGame, laws: Laws, data: Data) -> None:
    """The policy is legal and the same in twins; candidates are legal; shares add up to 1."""
    blueprint = game.players.blueprint
    if blueprint is None:
        pytest.skip(f"{game.slug} has no blueprint")
    for position, watchers in watched_playout(game, laws, data, every=10):
        state = position.state
        before = encode(state)
        for seat in game.waiting(state):
            command = blueprint.policy(state, seat, Chance(seed_of(5), 1))
            assert accepts(position, state, seat, command), (seat, command)
            for twin in position.laws.twins(state, seat, position.dice):
                assert blueprint.policy(twin, seat, Chance(seed_of(5), 1)) == command
            legal = game.legal(state, seat)
            seen = watchers.seen(seat)
            ranked = blueprint.ranking(game.view(state, seat), seen, legal, Chance(seed_of(5), 1))
            assert ranked
            assert len({encode(command) for command in ranked}) == len(ranked)
            assert all(accepts(position, state, seat, command) for command in ranked)
            for command in ranked:
                assert blueprint.reason(game.view(state, seat), seat, command) in blueprint.reasons
            weighed = blueprint.worths(game.view(state, seat), seen, legal, Chance(seed_of(5), 1))
            if blueprint.temperatures and len(legal) > 1:
                worths = [worth for worth, _ in weighed]
                assert weighed[0][1] == ranked[0]
                assert worths == sorted(worths, reverse=True)
                assert len({encode(command) for _, command in weighed}) == len(weighed)
                assert all(accepts(position, state, seat, command) for _, command in weighed)
        if blueprint.value is not None and game.waiting(state):
            values = blueprint.value(state)
            assert len(values) == len(game.teams(state))
            assert min(values) >= 0
            assert sum(values) <= 1 + 1e-9
        assert encode(state) == before
