"""A game as researchers play it: seats and numbered actions, in the manner of OpenSpiel.

A command is chosen by one or more actions (`replay/actions.py`). The log, clocks and seats of a
match are left out, so that playouts are fast. docs/library.md describes actions, observations and
returns.
"""

from copy import copy
from typing import Any, Self, cast
from zlib import crc32

import msgspec

from games.chance import Chance
from games.playout import Ply, Watchers, seed_of
from replay.actions import Choice, begin, narrow, vocabulary_of
from replay.arguments import game_named, seat_among

TERMINAL = -4
"""What `current_player` returns after the end, as in OpenSpiel."""
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
        self.game = game_named(game)
        self.seats = self.game.seats[0] if seats is None else seats
        if self.seats not in self.game.seats:
            raise ValueError(
                f"Seats must be between {self.game.seats[0]} and {self.game.seats[-1]}, "
                f"got {self.seats!r}."
            )
        self.options: Any = msgspec.convert(options or {}, self.game.Options)
        self._seed = seed_of(seed)
        self.state: Any = self.game.initial(self.seats, self.options)
        events = self.game.setup(self.seats, self.options, Chance(self._seed, 1))
        for event in events:
            self.game.apply(self.state, event)
        self._plies = [Ply(1, None, None, tuple(events))]
        self.vocabulary = vocabulary_of(self.game)
        self._choice: Choice | None = None

    @property
    def num_distinct_actions(self) -> int:
        """Number of actions: they are 0 … n - 1 in every state."""
        return len(self.vocabulary.words)

    def current_player(self) -> int:
        """Return the lowest seat that is to move, or `TERMINAL`."""
        return min(self.game.waiting(self.state), default=TERMINAL)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.current_player() == TERMINAL

    def commands(self) -> list[Any]:
        """Return the legal commands of the current player."""
        seat = self.current_player()
        return [] if seat == TERMINAL else self.game.legal(self.state, seat)

    def legal_actions(self, seat: int | None = None) -> list[int]:
        """Return the legal actions, of a seat or of the current player."""
        mine = seat is None or seat == self.current_player()
        return sorted(self._open().open) if mine else []

    def action_to_string(self, action: int) -> str:
        """Return the meaning of an action as JSON: a type of commands, a value, or "end"."""
        if not 0 <= action < self.num_distinct_actions:
            raise ValueError(
                f"Action must be between 0 and {self.num_distinct_actions - 1}, got {action}."
            )
        return _ENCODER.encode(self.vocabulary.words[action]).decode()

    def apply_action(self, action: int) -> None:
        """Choose a legal action. The command is played as soon as one legal command is left."""
        commands = self._open().open.get(action)
        if commands is None:
            legal = ", ".join(map(str, self.legal_actions()))
            raise ValueError(f"Action {action!r} is not legal. Legal actions: {legal or 'none'}.")
        if len(commands) == 1:
            self._play(commands[0])
        else:
            self._choice = narrow(self.vocabulary, commands)

    def actions_of(self, command: Any) -> list[int]:
        """Return the actions that choose a legal command, from the choice of its type on."""
        commands = self.commands()
        if command not in commands:
            raise ValueError(f"{command} is not legal.")
        spelled, found = self.vocabulary.spell(command), list[int]()
        choice = begin(self.vocabulary, commands)
        while True:
            found.append(spelled[len(choice.chosen)])
            left = choice.open[found[-1]]
            if len(left) == 1:
                return found
            choice = narrow(self.vocabulary, left)

    def returns(self) -> list[float]:
        """Return 1 for each winner, and -1 for each other seat; 0 for all before the end.

        If rivals end a game without a winner, all get 0.
        """
        result = self.game.result(self.state)
        if result is None or (not result.winners and len(self.game.teams(self.state)) > 1):
            return [0.0] * self.seats
        return [1.0 if seat in result.winners else -1.0 for seat in range(self.seats)]

    def chosen(self, seat: int | None) -> tuple[int, ...]:
        """Return the actions of the command that a seat is choosing. No other seat is shown them.

        Actions without an alternative are included.
        """
        return self._open().chosen if seat == self.current_player() else ()

    def observation_string(self, seat: int | None) -> str:
        """Return as JSON what a seat is choosing, and its view; None is a spectator."""
        return _ENCODER.encode(self._observed(seat)).decode()

    def observation_tensor(self, seat: int) -> list[float]:
        """Return what a seat is choosing, and its view, as `FEATURES` numbers."""
        return features(msgspec.to_builtins(self._observed(seat)))

    def information_state_string(self, seat: int) -> str:
        """Return as JSON what a seat is choosing, and all records that it was shown."""
        return _ENCODER.encode(self._remembered(seat)).decode()

    def information_state_tensor(self, seat: int) -> list[float]:
        """Return what a seat is choosing, and all records that it was shown, as numbers."""
        return features(msgspec.to_builtins(self._remembered(seat)))

    def clone(self) -> Self:
        """Return an independent copy, with the same dice."""
        twin = copy(self)
        twin.state, twin._plies = self.state.copy(), list(self._plies)  # noqa: SLF001 - own class
        return twin

    def resample_from_infostate(self, seat: int, seed: int) -> Any:
        """Return a state that fits everything that a seat was shown; raises `NothingFits`."""
        view = self.game.view(self.state, self._seat(seat))
        return self.game.players.sample(view, self._seen(seat), Chance(seed_of(seed), 0))

    def _open(self) -> Choice:
        if self._choice is None:
            self._choice = begin(self.vocabulary, self.commands())
        return self._choice

    def _play(self, command: Any) -> None:
        seat, version = self.current_player(), len(self._plies) + 1
        events = self.game.step(self.state, seat, command, Chance(self._seed, version))
        self._plies.append(Ply(version, seat, command, tuple(events)))
        self._choice = None

    def _observed(self, seat: int | None) -> dict[str, Any]:
        viewer = None if seat is None else self._seat(seat)
        return {"chosen": self.chosen(seat), "view": self.game.view(self.state, viewer)}

    def _remembered(self, seat: int) -> dict[str, Any]:
        return {"chosen": self.chosen(seat), "records": self._seen(seat).records}

    def _seen(self, seat: int) -> Any:
        watchers = Watchers(self.game, self.seats, self.options)
        for ply in self._plies:
            watchers.watch(ply)
        return watchers.seen(self._seat(seat))

    def _seat(self, seat: int) -> int:
        return seat_among(seat, self.seats)


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
