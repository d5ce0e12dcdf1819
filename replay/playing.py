"""A game as researchers play it: seats and numbered actions, in the manner of OpenSpiel.

The log, clocks and seats of a match are left out, so that playouts are fast. docs/library.md
describes actions, observations and returns.
"""

from copy import copy
from typing import Any, Self, cast
from zlib import crc32

import msgspec

from games import GAMES
from games.chance import SEED_BYTES, Chance
from games.playout import Ply, Watchers, seed_of

TERMINAL = -4
"""What `current_player` returns after the end, as in OpenSpiel."""
ACTIONS = {
    "captain_sonar": 512, "ke_dnu": 1_024, "nautilus": 2_048, "submarine": 512,
    "tranquility": 2_048,
}  # fmt: skip
"""Number of actions by game."""
ACTIONS_ELSE = 2_048
"""Number of actions of a game that another package declares."""
FEATURES = 2_048
"""Length of an observation and of an information state."""

_ENCODER = msgspec.json.Encoder(order="sorted")


class Playing:
    """A game that is being played."""

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        *,
        options: dict[str, Any] | None = None,
        seed: int = 0,
    ) -> None:
        """Set up a game, by default for as few seats as possible; raises `Illegal`.

        `seed` is a number below 2**256, from which all dice follow.
        """
        if game not in GAMES:
            raise ValueError(f"Unknown game {game!r}. Installed games: {', '.join(GAMES)}.")
        if not 0 <= seed < 1 << (8 * SEED_BYTES):
            raise ValueError(f"Seed must be between 0 and 2**{8 * SEED_BYTES} - 1.")
        self.game = GAMES[game]
        self.seats = self.game.seats[0] if seats is None else seats
        if self.seats not in self.game.seats:
            raise ValueError(
                f"Seats must be between {self.game.seats[0]} and {self.game.seats[-1]}, "
                f"got {self.seats}."
            )
        self.options: Any = msgspec.convert(options or {}, self.game.Options)
        self._seed = seed_of(seed)
        self.state: Any = self.game.initial(self.seats, self.options)
        events = self.game.setup(self.seats, self.options, Chance(self._seed, 1))
        for event in events:
            self.game.apply(self.state, event)
        self._plies = [Ply(1, None, None, tuple(events))]
        self._legal: list[Any] | None = None

    @property
    def num_distinct_actions(self) -> int:
        """Number of actions: they are 0 … n - 1 in every state."""
        return ACTIONS.get(self.game.slug, ACTIONS_ELSE)

    def current_player(self) -> int:
        """Return the lowest seat that is to move, or `TERMINAL`."""
        return min(self.game.waiting(self.state), default=TERMINAL)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.current_player() == TERMINAL

    def commands(self) -> list[Any]:
        """Return the legal commands of the current player. Action i is the i-th of them."""
        if self._legal is None:
            seat = self.current_player()
            found = [] if seat == TERMINAL else self.game.legal(self.state, seat)
            self._legal = found[: self.num_distinct_actions]
        return self._legal

    def legal_actions(self, seat: int | None = None) -> list[int]:
        """Return the legal actions, of a seat or of the current player."""
        mine = seat is None or seat == self.current_player()
        return list(range(len(self.commands()))) if mine else []

    def action_to_string(self, action: int) -> str:
        """Return the command of a legal action as JSON."""
        return _ENCODER.encode(self._command(action)).decode()

    def apply_action(self, action: int) -> None:
        """Play a legal action for the current player."""
        command, seat, version = self._command(action), self.current_player(), len(self._plies) + 1
        events = self.game.step(self.state, seat, command, Chance(self._seed, version))
        self._plies.append(Ply(version, seat, command, tuple(events)))
        self._legal = None

    def returns(self) -> list[float]:
        """Return 1 for each winner, and -1 for each other seat; 0 for all before the end.

        If rivals end a game without a winner, all get 0.
        """
        result = self.game.result(self.state)
        if result is None or (not result.winners and len(self.game.teams(self.state)) > 1):
            return [0.0] * self.seats
        return [1.0 if seat in result.winners else -1.0 for seat in range(self.seats)]

    def observation_string(self, seat: int | None) -> str:
        """Return the view of a seat as JSON; None is a spectator."""
        viewer = None if seat is None else self._seat(seat)
        return _ENCODER.encode(self.game.view(self.state, viewer)).decode()

    def observation_tensor(self, seat: int) -> list[float]:
        """Return the view of a seat as `FEATURES` numbers."""
        return features(msgspec.to_builtins(self.game.view(self.state, self._seat(seat))))

    def information_state_string(self, seat: int) -> str:
        """Return all records that a seat was shown, as JSON: perfect recall."""
        return _ENCODER.encode(self._seen(seat).records).decode()

    def information_state_tensor(self, seat: int) -> list[float]:
        """Return all records that a seat was shown, as `FEATURES` numbers."""
        return features(msgspec.to_builtins(self._seen(seat).records))

    def clone(self) -> Self:
        """Return an independent copy, with the same dice."""
        twin = copy(self)
        twin.state, twin._plies = self.state.copy(), list(self._plies)  # noqa: SLF001 - own class
        return twin

    def resample_from_infostate(self, seat: int, seed: int) -> Any:
        """Return a state that fits everything that a seat was shown; raises `NothingFits`."""
        view = self.game.view(self.state, self._seat(seat))
        return self.game.players.sample(view, self._seen(seat), Chance(seed_of(seed), 0))

    def _command(self, action: int) -> Any:
        commands = self.commands()
        if not 0 <= action < len(commands):
            raise ValueError(f"Action must be between 0 and {len(commands) - 1}, got {action}.")
        return commands[action]

    def _seen(self, seat: int) -> Any:
        watchers = Watchers(self.game, self.seats, self.options)
        for ply in self._plies:
            watchers.watch(ply)
        return watchers.seen(self._seat(seat))

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.seats:
            raise ValueError(f"Seat must be between 0 and {self.seats - 1}, got {seat}.")
        return seat


def features(value: Any) -> list[float]:
    """Return plain values as `FEATURES` numbers by feature hashing.

    Each value with its path adds to the position that is the CRC-32 of `/path=value`, modulo the
    length. A number adds 1 to the position of its value, and itself to the position of `/path#`.
    """
    found = [0.0] * FEATURES
    _add(found, "", value)
    return found


def _add(found: list[float], path: str, value: Any) -> None:
    match value:
        case dict():
            for name, part in cast("dict[str, Any]", value).items():
                _add(found, f"{path}/{name}", part)
        case list() | tuple():
            for place, part in enumerate(cast("list[Any]", value)):
                _add(found, f"{path}/{place}", part)
        case _:
            found[crc32(f"{path}={value}".encode()) % FEATURES] += 1.0
            if isinstance(value, int) and not isinstance(value, bool):
                found[crc32(f"{path}#".encode()) % FEATURES] += value
