"""Laws on secrecy: what is hidden from a viewer changes nothing that the viewer is shown."""

from collections.abc import Hashable, Iterator
from itertools import product
from typing import Any

import pytest

from games.chance import Chance
from games.game import AnyGame
from games.playout import Watchers, seed_of
from games.structs import private
from games.testing.laws import Laws
from games.testing.playouts import Data, Position, encode, law, playout

OPENING = 4
"""Number of plies after which only every eighth position is looked at."""
COMPARED = 24
"""Maximum number of commands of a seat whose reasons are compared."""


def test_the_laws_know_what_is_hidden(game: AnyGame, laws: Laws) -> None:
    """Without twins, the laws on secrecy would try nothing, and hold whatever is shown."""
    fields = [name for name in private(game.State) if name != "options"]
    missing = [name for name in ("twins", "rehistory") if getattr(laws, name) is vars(Laws)[name]]
    if fields and missing:
        pytest.fail(
            f"{game.slug} has fields of the state that are not `Public`: {', '.join(fields)}. "
            f"Give {' and '.join(missing)} to `Laws`, which say what a viewer cannot know. If "
            "nothing is hidden, give functions that return `()` and `None`.",
            pytrace=False,
        )


@law
def test_what_is_hidden_cant_be_told_from_what_is_seen(
    game: AnyGame, laws: Laws, data: Data
) -> None:
    """Views, legal commands, defaults, clocks, awaited seats and orders are those of any twin."""
    for position in playout(game, laws, data, every=6):
        state = position.state
        for viewer in position.viewers():
            seen = _observed(game, state, viewer)
            for twin in position.laws.twins(state, viewer, position.dice):
                assert _observed(game, twin, viewer) == seen, viewer


def _observed(game: AnyGame, state: Any, viewer: int | None) -> bytes:
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
            assert _watched(position, twin, viewer) == _watched(position, position.history, viewer)


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


def _watched(position: Position, history: Any, viewer: int | None) -> list[bytes]:
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
                told = _redacted(game, state, events, seat)
                for twin in position.laws.twins(state, seat, position.dice):
                    again = game.decide(twin, seat, command, Chance(seed_of(12), 4))
                    assert _redacted(game, twin, again, seat) == told, command


@law
def test_a_reason_tells_no_more_than_the_move(game: AnyGame, laws: Laws, data: Data) -> None:
    """Commands that show a viewer the same events have the same reason for that viewer.

    They are those of a state and of its twins. The reason is that of the viewer's own view.
    """
    blueprint = game.players.blueprint
    if blueprint is None:
        pytest.skip(f"{game.slug} has no blueprint")
    for position in playout(game, laws, data):
        plies = len(position.history)
        if plies > OPENING and plies % 8:
            continue
        for viewer in position.viewers():
            worlds = [position.state, *position.laws.twins(position.state, viewer, position.dice)]
            view = game.view(position.state, viewer)
            reasons: dict[tuple[int, bytes], str] = {}
            for world, seat in product(worlds, range(position.seats)):
                if seat == viewer or seat not in game.waiting(world):
                    continue
                legal = game.legal(world, seat)
                for command in position.dice.sample(legal, min(COMPARED, len(legal))):
                    events = game.decide(world, seat, command, Chance(seed_of(11), 4))
                    told = _shown_events(game, world, events, viewer)
                    if told is None:
                        continue
                    reason = blueprint.reason(view, seat, command)
                    assert reason in blueprint.reasons
                    assert reasons.setdefault((seat, told), reason) == reason, command


def _shown_events(game: AnyGame, state: Any, events: Any, viewer: int | None) -> bytes | None:
    """Return the events that a viewer is shown, as JSON; None if there is none."""
    shown = [event for event in _shown_to(game, state, events, viewer) if event is not None]
    return encode(shown) if shown else None


def _redacted(game: AnyGame, state: Any, events: Any, viewer: int | None) -> bytes:
    """Return events as redacted for a viewer, as JSON."""
    return encode(list(_shown_to(game, state, events, viewer)))


def _shown_to(game: AnyGame, state: Any, events: Any, viewer: int | None) -> Iterator[Any]:
    """Yield events as redacted for a viewer; None for those that are hidden."""
    after = state.copy()
    for event in events:
        game.apply(after, event)
        yield game.redact(event, viewer, after)
