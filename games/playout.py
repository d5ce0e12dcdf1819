"""Play a game in process, without a match around it: for benchmarks, bot tables and tests."""

from collections.abc import Callable, Iterator, Sequence
from operator import index
from typing import Any

import msgspec

from games.chance import SEED_BYTES, Chance
from games.game import AnyGame, Bot, Seen, SeenRecord

RANDOM = "random"
"""Level of bots that every game has."""
BOT_DICE = 1 << 32
"""Version that seeds the bots' own randomness."""
Choose = Callable[[Any, int, Sequence[Any]], Any]
"""(state, seat, legal commands) -> the command that the seat sends."""


class Ply(msgspec.Struct, frozen=True):
    """One decision of a playout; `seat` and `command` are None for the set-up."""

    version: int
    """1 is the set-up."""
    seat: int | None
    command: Any
    events: Sequence[Any]


def seed_of(number: int) -> bytes:
    """Return the 32-byte seed that a number stands for; raises `ValueError`."""
    try:
        return index(number).to_bytes(SEED_BYTES, "big")
    except (TypeError, OverflowError):
        expected = f"a whole number between 0 and 2**{8 * SEED_BYTES} - 1"
        raise ValueError(f"Seed must be {expected}, got {number!r}.") from None


def plies(
    game: AnyGame, seats: int, options: Any, seed: bytes, choose: Choose
) -> Iterator[tuple[Any, Ply]]:
    """Play a whole game; yield the live state after each ply, and the ply.

    Dice decide which of several waiting seats acts, so that the order is not always ascending.
    """
    state = game.initial(seats, options)
    version = 1
    events = game.setup(seats, options, Chance(seed, version))
    for event in events:
        game.apply(state, event)
    yield state, Ply(version, None, None, events)
    order = Chance(seed, 0)
    while waiting := game.waiting(state):
        version += 1
        seat = order.choice(sorted(waiting))
        command = choose(state, seat, game.legal(state, seat))
        events = game.step(state, seat, command, Chance(seed, version))
        yield state, Ply(version, seat, command, events)


def at_random(chance: Chance) -> Choose:
    """Choose uniformly among the legal commands."""
    return lambda _state, _seat, legal: legal[chance.randbelow(len(legal))]


class Watchers:
    """What every viewer of a playout has seen so far, for bots, which may not see the state."""

    def __init__(self, game: AnyGame, seats: int, options: Any) -> None:
        """Begin before the set-up."""
        self._game = game
        self._records: dict[int | None, list[SeenRecord]] = {
            viewer: [] for viewer in (*range(seats), None)
        }
        self._seats = seats
        self._options = options
        self._state = game.initial(seats, options)

    def watch(self, ply: Ply) -> None:
        """Redact a ply for every viewer, and remember it."""
        shown: dict[int | None, list[Any]] = {viewer: [] for viewer in self._records}
        before = self._state.copy()
        for event in ply.events:
            self._game.apply(self._state, event)
            for viewer, events in shown.items():
                if (redacted := self._game.redact(event, viewer, self._state)) is not None:
                    events.append(redacted)
        for viewer, events in shown.items():
            seen = self._records[viewer]
            if not events and not self._changed(before, viewer):
                continue
            own = viewer is not None and viewer == ply.seat
            actor = ply.seat if own or events else None
            seen.append(
                SeenRecord(len(seen) + 1, actor, ply.command if own else None, tuple(events))
            )

    def _changed(self, before: Any, viewer: int | None) -> bool:
        return self._game.view(before, viewer) != self._game.view(self._state, viewer)

    def seen(self, viewer: int | None) -> Seen:
        """Return everything that a viewer has seen."""
        return Seen(viewer, self._seats, self._options, self._records[viewer])


def bot_of(game: AnyGame, level: str) -> Bot[Any, Any]:
    """Return the bot of a level. The level "random" exists in every game."""
    return _random_bot if level == RANDOM else game.players.bots[level]


def _random_bot(_view: Any, _seen: Seen, legal: Sequence[Any], chance: Chance) -> Any:
    return chance.choice(legal)


def by_bots(game: AnyGame, watchers: Watchers, levels: Sequence[str], chance: Chance) -> Choose:
    """Choose as bots do, one level a seat, each from its view alone."""
    bots = [bot_of(game, level) for level in levels]

    def choose(state: Any, seat: int, legal: Sequence[Any]) -> Any:
        return bots[seat](game.view(state, seat), watchers.seen(seat), legal, chance)

    return choose


def play_bots(game: AnyGame, seats: int, options: Any, seed: bytes, levels: Sequence[str]) -> Any:
    """Play a game between bots to its end; return the last state."""
    watchers = Watchers(game, seats, options)
    final: Any = None
    bots = by_bots(game, watchers, levels, Chance(seed, BOT_DICE))
    for state, ply in plies(game, seats, options, seed, bots):
        watchers.watch(ply)
        final = state
    return final
