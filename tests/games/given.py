"""Given a position, when a command comes, then events or a refusal: how games are tested."""

from typing import Any, Self

import msgspec

from games.chance import Chance
from games.game import AnyGame, Illegal
from games.playout import seed_of


class Then:
    """What came of a command: events, or the code and details of a refusal."""

    def __init__(self, events: list[Any], refusal: Illegal | None = None) -> None:
        self.events = events
        self.code = "" if refusal is None else refusal.code
        self.details = {} if refusal is None else refusal.details

    @property
    def accepted(self) -> bool:
        """Whether the command was accepted."""
        return not self.code

    @property
    def names(self) -> list[str]:
        """Wire names of the events, in order."""
        return [event.__struct_config__.tag for event in self.events]

    def of(self, kind: type) -> list[Any]:
        """Return the events of a type."""
        return [event for event in self.events if isinstance(event, kind)]

    def then(self, *events: Any) -> None:
        """Check that exactly these events followed."""
        assert not self.code, f"refused: {self.code}"
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
        """Decide a command and fold its events."""
        then = self.trial(seat, command)
        for event in then.events:
            self.game.apply(self.state, event)
        self.version += then.accepted
        return then

    def trial(self, seat: int, command: Any) -> Then:
        """Decide a command and leave the position as it was."""
        before = msgspec.json.encode(self.state)
        chance = Chance(self._seed, self.version + 1)
        try:
            then = Then(self.game.decide(self.state, seat, command, chance))
        except Illegal as refusal:
            then = Then([], refusal)
        assert msgspec.json.encode(self.state) == before
        return then

    def after(self, seat: int, command: Any) -> Self:
        """Go on from the position after a command, which must be accepted."""
        then = self.when(seat, command)
        assert then.accepted, f"refused: {then.code}"
        return self

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
