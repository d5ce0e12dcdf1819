"""What every game must hold to: what is hidden from a viewer changes nothing that the viewer is told."""

from typing import Any

from games.game import AnyGame
from games.playout import Watchers
from tests.games.playouts import Position, encode, law, playout


@law
def test_what_is_hidden_cant_be_told_from_what_is_seen(game, data):
    """View, legal commands, default, clock, the awaited seats and where standing orders apply are those of any twin."""
    for position in playout(game, data, every=6):
        state = position.state
        for viewer in position.viewers():
            seen = observed(game, state, viewer)
            for twin in position.laws.twins(state, viewer, position.dice):
                assert observed(game, twin, viewer) == seen, viewer


def observed(game: AnyGame, state: Any, viewer: int | None) -> bytes:
    own = viewer is not None
    awaited = sorted(game.awaited(state, viewer))
    return encode(
        [
            [(s, name, order(state, s)) for s in awaited for name, order in game.orders.items()],
            game.view(state, viewer),
            awaited,
            game.legal(state, viewer) if own else None,
            game.default(state, viewer) if own and viewer in game.waiting(state) else None,
            game.timing.clock(state, viewer) if own and viewer in game.waiting(state) else None,
        ]
    )


@law
def test_twin_histories_look_alike(game, data):
    """Redacted records, views and the viewer's record numbers are those of any twin history."""
    for position in playout(game, data, every=1 << 30):
        for viewer in position.viewers():
            twin = position.laws.rehistory(position.history, viewer, position.dice)
            if twin is None:
                continue
            assert watched(position, twin, viewer) == watched(position, position.history, viewer)


def watched(position: Position, history: Any, viewer: int | None) -> list[bytes]:
    watchers = Watchers(position.game, position.seats, position.options)
    for ply in history:
        watchers.watch(ply)
    records = watchers.seen(viewer).records
    return [encode(record) for record in records]
