"""Laws on secrecy: what is hidden from a viewer changes nothing that the viewer is shown."""

from collections.abc import Hashable
from typing import Any

from games.chance import Chance
from games.game import AnyGame
from games.playout import Watchers, seed_of
from games.testing.laws import Laws
from games.testing.playouts import Data, Position, encode, law, playout


@law
def test_what_is_hidden_cant_be_told_from_what_is_seen(
    game: AnyGame, laws: Laws, data: Data
) -> None:
    """Views, legal commands, defaults, clocks, awaited seats and orders are those of any twin."""
    for position in playout(game, laws, data, every=6):
        state = position.state
        for viewer in position.viewers():
            seen = observed(game, state, viewer)
            for twin in position.laws.twins(state, viewer, position.dice):
                assert observed(game, twin, viewer) == seen, viewer


def observed(game: AnyGame, state: Any, viewer: int | None) -> bytes:
    """Return everything that a viewer can see or ask of a state, as JSON."""
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
def test_twin_histories_look_alike(game: AnyGame, laws: Laws, data: Data) -> None:
    """Redacted records, views and the viewer's record numbers are those of any twin history."""
    for position in playout(game, laws, data, every=1 << 30):
        for viewer in position.viewers():
            twin = position.laws.rehistory(position.history, viewer, position.dice)
            if twin is None:
                continue
            assert watched(position, twin, viewer) == watched(position, position.history, viewer)


@law
def test_viewers_with_one_key_have_one_view(game: AnyGame, laws: Laws, data: Data) -> None:
    """Whether a record changes a view is asked once for all viewers with the same key."""
    for position in playout(game, laws, data, every=6):
        state = position.state
        views: dict[Hashable, bytes] = {}
        for viewer in position.viewers():
            seen = encode(game.view(state, viewer))
            assert views.setdefault(game.view_key(state, viewer), seen) == seen, viewer


@law
def test_an_event_is_withheld_only_if_its_type_may_be(
    game: AnyGame, laws: Laws, data: Data
) -> None:
    """Folds rely on `Game.withheld`: everybody is shown something of every other event."""
    withheld = game.withheld
    if withheld is None:
        return
    for position in playout(game, laws, data, every=1 << 30):
        state = game.initial(position.seats, position.options)
        for ply in position.history:
            for event in ply.events:
                game.apply(state, event)
                if type(event) not in withheld:
                    for viewer in position.viewers():
                        assert game.redact(event, viewer, state) is not None, (event, viewer)


def watched(position: Position, history: Any, viewer: int | None) -> list[bytes]:
    """Return the records of a history as a viewer sees them, as JSON."""
    watchers = Watchers(position.game, position.seats, position.options)
    for ply in history:
        watchers.watch(ply)
    records = watchers.seen(viewer).records
    return [encode(record) for record in records]


@law
def test_an_undo_class_agrees_with_what_was_revealed(game: AnyGame, laws: Laws, data: Data) -> None:
    """A command whose events tell anyone something hidden is never free or by consent of a few."""
    for position in playout(game, laws, data, every=6):
        state = position.state
        for seat in game.waiting(state):
            legal = game.legal(state, seat)
            for command in position.dice.sample(legal, min(6, len(legal))):
                dice = Chance(seed_of(11), 4)
                events = game.decide(state, seat, command, dice)
                if game.undo(state, seat, command, events) in ("all", None):
                    continue
                told = redacted(game, state, events, seat)
                for twin in position.laws.twins(state, seat, position.dice):
                    again = game.decide(twin, seat, command, Chance(seed_of(12), 4))
                    assert redacted(game, twin, again, seat) == told, command


def redacted(game: AnyGame, state: Any, events: Any, viewer: int | None) -> bytes:
    """Return events as redacted for a viewer, as JSON."""
    after = state.copy()
    shown: list[Any] = []
    for event in events:
        game.apply(after, event)
        shown.append(game.redact(event, viewer, after))
    return encode(shown)
