"""Practice on a recorded game: its moves are replayed, and a learner's commands are decided.

Tutorials and puzzles share this. The learner is shown the game as one seat sees it.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from events.record import at_micros, at_text
from games.chance import Chance
from games.game import AnyGame, Illegal
from games.match.clocks import SECOND
from games.match.commands import Actor
from games.playout import seed_of
from projections.folded import ToldRecord

START = at_micros("2000-01-01T00:00:00.000000Z")


class BadRecording(Exception):
    """A recorded move is not valid, or the rules refuse it."""


class Move(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move of the recorded game."""

    seat: int
    command: dict[str, Any]


class Practice:
    """A game with a fixed seed, as shown to a learner."""

    def __init__(self, game: AnyGame, seats: int, learner: int, seed: int, options: Any) -> None:
        """Prepare a game. `learner` is the learner's seat."""
        self.game = game
        self.seats = seats
        self.learner = learner
        self._seed = seed_of(seed)
        self._options = options

    def begin(self) -> tuple[Any, ToldRecord]:
        """Return the state after the set-up, and the record of the set-up."""
        game = self.game
        state = game.initial(self.seats, self._options)
        events = game.setup(self.seats, self._options, Chance(self._seed, 1))
        return state, self._told(state, None, None, 1, events)

    def moved(self, state: Any, moves: Sequence[Move], version: int) -> list[ToldRecord]:
        """Play recorded moves after a version, in place; raises `BadRecording`."""
        records: list[ToldRecord] = []
        for at, move in enumerate(moves, version + 1):
            command = self.decoded(move)
            try:
                records.append(self.play(state, move.seat, command, at)[1])
            except Illegal as error:
                raise BadRecording(
                    f"the rules refuse {move.command} of seat {move.seat}: {error.code}."
                ) from error
        return records

    def decoded(self, move: Move) -> Any:
        """Return the command of a recorded move; raises `BadRecording`."""
        try:
            return msgspec.convert(move.command, self.game.Command)
        except msgspec.ValidationError as error:
            raise BadRecording(str(error)) from error

    def play(
        self, state: Any, seat: int, command: Any, version: int
    ) -> tuple[Sequence[Any], ToldRecord]:
        """Decide a command and fold its events in place; return them, and as told the learner.

        Raises `Illegal` with the rule.
        """
        events = self.game.decide(state, seat, command, Chance(self._seed, version))
        return events, self._told(state, seat, command, version, events)

    def seen(self, state: Any) -> tuple[Any, list[Any], list[int]]:
        """Return the learner's view, the learner's legal commands, and the seats to move."""
        game, seat = self.game, self.learner
        waiting = sorted(game.awaited(state, seat))
        legal = game.legal(state, seat) if seat in game.waiting(state) else []
        return game.view(state, seat), legal, waiting

    def _told(
        self, state: Any, seat: int | None, command: Any, version: int, events: Sequence[Any]
    ) -> ToldRecord:
        """Fold events in place and return their record as shown to the learner."""
        told: list[Any] = []
        for event in events:
            self.game.apply(state, event)
            shown = self.game.redact(event, self.learner, state)
            if shown is not None:
                told.append(shown)
        return ToldRecord(
            v=version,
            game=self.game.slug,
            at=at_text(START + version * SECOND),
            by=None if seat is None else Actor(seat=seat),
            events=told,
            command=command if seat == self.learner else None,
        )
