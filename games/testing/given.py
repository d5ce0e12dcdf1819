"""Given, when, then: a position, a command, and the events or the refusal that follow."""

from collections.abc import Callable
from copy import copy
from typing import Any, Self

import msgspec

from games.chance import Chance
from games.game import AnyGame, Illegal, Undo
from games.playout import seed_of


class Then:
    """The outcome of a command: events, or the code and details of a refusal."""

    def __init__(
        self, events: list[Any], refusal: Illegal | None = None, undo: Undo | None = None
    ) -> None:
        """Take what `Game.decide` returned or raised, and what `Game.undo` says of the events."""
        self._events = events
        self._undo: Undo | None = undo
        self.code = "" if refusal is None else refusal.code
        self.details: dict[str, Any] = {} if refusal is None else refusal.details

    @property
    def accepted(self) -> bool:
        """Whether the command was accepted."""
        return not self.code

    @property
    def events(self) -> list[Any]:
        """The events of a command that was accepted."""
        assert not self.code, f"refused: {self.code}"
        return self._events

    @property
    def undo(self) -> Undo | None:
        """The undo class of a command that was accepted; None if it is never taken back."""
        assert not self.code, f"refused: {self.code}"
        return self._undo

    @property
    def names(self) -> list[str]:
        """Wire names of the events, in order."""
        return [event.__struct_config__.tag for event in self.events]

    def of(self, kind: type) -> list[Any]:
        """Return the events of a type."""
        return [event for event in self.events if isinstance(event, kind)]

    def then(self, *events: Any) -> None:
        """Check that exactly these events followed."""
        assert self.events == [*events]

    def refused(self, code: str, **details: Any) -> None:
        """Check the refusal; details are compared if any are given."""
        assert self.code == code
        assert not details or self.details == details


class Given:
    """A position on which commands are tried one after another."""

    def __init__(self, game: AnyGame, state: Any, *, seed: int = 1, version: int = 1) -> None:
        """Begin at a state; the next command is decided with the dice of `version` + 1."""
        self.game = game
        self.state = state
        self.version = version
        self._seed = seed_of(seed)

    @classmethod
    def dealt(cls, game: AnyGame, seats: int, *, seed: int = 1, **options: Any) -> "Given":
        """Begin after the set-up of a match with these options."""
        converted = msgspec.convert(options, game.Options)
        given = cls(game, game.initial(seats, converted), seed=seed)
        for event in game.setup(seats, converted, Chance(given._seed, 1)):
            game.apply(given.state, event)
        return given

    def when(self, seat: int, command: Any) -> Then:
        """Decide a command and fold its events. A refusal must leave the position as it was."""
        return self._fold(self.trial(seat, command))

    def trial(self, seat: int, command: Any) -> Then:
        """Decide a command and leave the position as it was."""
        chance = Chance(self._seed, self.version + 1)
        then = self._tried(lambda: self.game.decide(self.state, seat, command, chance))
        if not then.accepted:
            return then
        return Then(then.events, undo=self.game.undo(self.state, seat, command, then.events))

    def accepts(self, seat: int, command: Any) -> bool:
        """Return whether a command would be accepted; the position stays as it is."""
        return self.trial(seat, command).accepted

    def play(self, seat: int, *commands: Any) -> Self:
        """Play commands that must be accepted; return this position."""
        for command in commands:
            then = self.when(seat, command)
            assert then.accepted, f"refused: {then.code}"
        return self

    def leave(self, seat: int) -> Then:
        """Take a seat out of the game for good and fold what follows."""
        return self._fold(self._tried(lambda: self.game.leave(self.state, seat)))

    def _tried(self, decide: Callable[[], list[Any]]) -> Then:
        before = msgspec.json.encode(self.state)
        try:
            then = Then(decide())
        except Illegal as refusal:
            then = Then([], refusal)
        assert msgspec.json.encode(self.state) == before
        return then

    def _fold(self, then: Then) -> Then:
        if then.accepted:
            for event in then.events:
                self.game.apply(self.state, event)
            self.version += 1
        return then

    def copy(self) -> Self:
        """Return an independent position."""
        twin = copy(self)
        twin.state = self.state.copy()
        return twin

    def legal(self, seat: int, kind: type | None = None) -> list[Any]:
        """List a seat's legal commands, or those of one type."""
        commands = self.game.legal(self.state, seat)
        return [c for c in commands if kind is None or isinstance(c, kind)]

    @property
    def waiting(self) -> set[int]:
        """The seats on the clock."""
        return set(self.game.waiting(self.state))

    def view(self, viewer: int | None) -> Any:
        """Return what a viewer may know."""
        return self.game.view(self.state, viewer)
