"""What a game is: the `Game` value, and the small types every game shares.

Nothing here knows a particular game. A game is a frozen value made of types and pure functions; `games.GAMES`
lists them all. `games/match.py` wraps any of them with what all matches share.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from games.chance import Chance

Undo = Literal["free", "consent", "all"]
"""Class of a taken-back command: free to its sender, by the others' consent, or marked and by everyone's."""


def snake_case(name: str) -> str:
    """Give the wire name of a type: `CardPlayed` is `card_played`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Tagged(
    msgspec.Struct, frozen=True, tag_field="type", tag=snake_case, forbid_unknown_fields=True
):
    """A command or an event: frozen, tagged in JSON by its name as `type`, strict about its fields."""


class Illegal(Exception):
    """A command that the rules refuse.

    `code` is kebab-case and public API; `details` go to the sender and reveal nothing hidden.
    """

    def __init__(self, code: str, **details: Any) -> None:
        """Name the rule's `code`; `details` are plain JSON values."""
        super().__init__(code)
        self.code = code
        self.details = details


class NothingFits(Illegal):
    """No world can be drawn that fits what a viewer remembers."""

    def __init__(self, viewer: int | None) -> None:
        """Name whose memory it is."""
        super().__init__("nothing-fits", seat=viewer)


class State(Protocol):
    """A game's state: a mutable Struct that `apply` changes in place."""

    def copy(self) -> "State":
        """Give an independent copy, cheaply."""
        ...


class Result(Protocol):
    """How a game ended. Each game's own Struct has the fields of its specification besides."""

    @property
    def winners(self) -> Sequence[int]:
        """The winning seats, ascending; empty when nobody won."""
        ...

    def places(self, seats: int) -> list[int]:
        """Give the place of each seat, 1 the best; equal places are shared (1, 2, 2, 4)."""
        ...


class SeenRecord(msgspec.Struct, frozen=True, gc=False):
    """One record as one viewer saw it."""

    version: int
    """The viewer's own count, without gaps."""
    seat: int | None
    """Who sent the command; None when it was no seat, or the viewer may not know."""
    command: Any
    """The command, to its own sender; else None."""
    events: tuple[Any, ...]
    """The events as redacted for the viewer."""


class Seen(msgspec.Struct, frozen=True):
    """All that one viewer has seen of a running game."""

    viewer: int | None
    """The seat, or None for a spectator."""
    seats: int
    options: Any
    records: Sequence[SeenRecord]
    """The set-up first. What was undone is not among them."""
    whole: bool = True
    """Whether they do begin with the set-up: a branch may leave a viewer a clear memory, to which no world can be drawn."""


class Verdict(msgspec.Struct, frozen=True):
    """What a solver that knows all cards says of a state."""

    outcome: Literal["line", "proof", "not-shown"]
    """It can be won, it can't, or neither was shown within the budget."""
    line: Sequence[tuple[int, Any]] = ()
    """Seats and commands that win by the rules; empty if it is won already, or none is known."""
    proof: str = ""
    """Why it is lost: a word of the game's own."""
    spent: int = 0
    """Positions that were looked at."""


CommandT = TypeVar("CommandT")
EventT = TypeVar("EventT")
StateT = TypeVar("StateT", bound=State)
ViewT = TypeVar("ViewT")
OptionsT = TypeVar("OptionsT")

Bot = Callable[[ViewT, Seen, Sequence[CommandT], Chance], CommandT]
"""(view, seen, legal commands of its seat, randomness of its own) -> one of the legal commands."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Blueprint(Generic[CommandT, StateT, ViewT]):
    """How a game is played fast and well enough: what `games.search` builds hints, strong bots and analyses on."""

    policy: Callable[[StateT, int, Chance], CommandT]
    """(world, waiting seat, randomness) -> its command: always legal, the same in all worlds that the seat can't tell apart."""
    ranking: Callable[[ViewT, Seen, Sequence[CommandT], Chance], Sequence[CommandT]]
    """(view, seen, legal, randomness) -> the legal commands worth a closer look, the best first."""
    reason: Callable[[ViewT, int, CommandT], str]
    """(view, seat, command) -> why one plays it: one of the codes of `reasons`."""
    reasons: Mapping[str, str]
    """By code, in words; the game's documentation lists them."""
    stage: Callable[[StateT], int] | None = None
    """Counts up as the game goes on, by turns or rounds; None where playing on is always to the end."""
    horizon: int = 0
    """Stages that are played before `value` judges; used with `stage`."""
    value: Callable[[StateT], Sequence[float]] | None = None
    """(world) -> each team's chance of winning, in the order of `teams`; used with `stage`."""
    budget: int = 0
    """Playouts that the level "strong" spends on a command; 0 where looking ahead gains nothing."""
    cost: int = 1
    """What one of the policy's commands counts in the budget of an analysis: how long it takes, beside the quickest game's."""
    worlds: Callable[[ViewT, Seen], Callable[[Chance], StateT]] | None = None
    """(view, seen) -> as `Game.sample`, but what all the worlds share is found once; None: `sample` as it is."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Game(Generic[OptionsT, CommandT, EventT, StateT, ViewT]):
    """A game as a value. All functions are pure, save `apply`, which changes the given state."""

    slug: str
    version: int
    """Of the rules: raised whenever a recorded command would be decided otherwise."""
    titles: Mapping[str, str]
    """By language: `cs`, `en`."""
    seats: range
    Options: type[OptionsT]
    Command: Any
    """Tagged union of the commands, by the field `type`."""
    Event: Any
    """Tagged union of the events, by the field `type`."""
    State: type[StateT]
    View: type[ViewT]
    setup: Callable[[int, OptionsT, Chance], list[EventT]]
    """(seats, options, chance) -> opening events, all chance recorded in them; raises `Illegal`."""
    initial: Callable[[int, OptionsT], StateT]
    """(seats, options) -> the state before any event."""
    decide: Callable[[StateT, int, CommandT, Chance], list[EventT]]
    """(state, seat, command, chance) -> events; raises `Illegal`; never changes the state."""
    apply: Callable[[StateT, EventT], None]
    """Fold one event in place: total, no chance, no validation."""
    legal: Callable[[StateT, int], list[CommandT]]
    """(state, seat) -> every legal command, or representatives where the specification says so."""
    waiting: Callable[[StateT], frozenset[int]]
    """The seats on the clock."""
    awaited: Callable[[StateT, int | None], frozenset[int]]
    """(state, viewer) -> `waiting` as far as that viewer may know."""
    default: Callable[[StateT, int], CommandT]
    """(state, seat) -> what the clock plays for a waiting seat; always legal."""
    clock: Callable[[StateT, int], tuple[str, int] | None]
    """(state, seat) -> name and seconds of a waiting seat's clock; it restarts when the name changes."""
    view: Callable[[StateT, int | None], ViewT]
    """(state, viewer) -> what that viewer may know; None is a spectator."""
    redact: Callable[[EventT, int | None, StateT], EventT | None]
    """(event, viewer, state after the event) -> what that viewer may know of it."""
    undo: Callable[[StateT, int, CommandT, Sequence[EventT]], Undo | None]
    """(state before, seat, command, its events) -> the command's undo class; None is never."""
    teams: Callable[[StateT], list[frozenset[int]]]
    """The seats that win and lose together."""
    leave: Callable[[StateT, int], list[EventT]]
    """(state, seat) -> what follows when a seat leaves for good; [] where the default or a bot plays on."""
    pace: Callable[[StateT, int, CommandT], tuple[str, int] | None]
    """Real time only: (state, seat, command) -> bucket and least milliseconds since its last command."""
    sample: Callable[[ViewT, Seen, Chance], StateT]
    """(view, seen, chance) -> a world that fits all that the viewer has seen; for a whole memory."""
    bots: Mapping[str, Bot[ViewT, CommandT]]
    """By level, weakest first."""
    result: Callable[[StateT], Result | None]
    """None while the game goes on."""
    blueprint: Blueprint[CommandT, StateT, ViewT] | None = None
    """Needed for hints, analyses and bots that search."""
    advised: Callable[[OptionsT], bool] = lambda _options: True
    """(options) -> whether seats may have hints: what the table agreed on."""
    winnable: Callable[[StateT, int], Verdict] | None = None
    """(state, positions to look at) -> whether all seats together can still win with all cards known; None if undecidable."""
    unhurried: frozenset[str] = frozenset()
    """Names of clocks that run their time also for a seat that is gone, whose other defaults come as soon as they may."""
    earlier: "tuple[AnyGame, ...]" = ()
    """The game under earlier versions of its rules, for the matches that were opened under them."""
    leave_by_dice: Callable[[StateT, int, Chance], list[EventT]] | None = None
    """(state, seat, chance) -> as `leave`, for a game in which dice may be needed then; None: they never are."""
    recall: Callable[[StateT, StateT], None] | None = None
    """(rewound state, the state before) -> keep, in place, what seats have looked at and can't unsee; None: nothing."""
    secret_clocks: bool = False
    """A seat's clock would tell its rivals what it does in hiding: only its team knows it."""
    orders: Mapping[str, Callable[[StateT, int], CommandT | None]] = field(
        default_factory=dict[str, Any]
    )
    """Standing orders by name: (state, waiting seat) -> what the order answers, or None where it doesn't apply.

    Whether it applies must follow from what every viewer knows, and the answer be the one that gives nothing away.
    """

    def under(self, rules: int) -> "AnyGame | None":
        """Give the game under a version of its rules; None where that is not here."""
        return next((game for game in (self, *self.earlier) if game.version == rules), None)

    def let_go(self, state: StateT, seat: int, chance: Chance) -> list[EventT]:
        """Give what follows when a seat leaves for good, with dice at hand."""
        if self.leave_by_dice is None:
            return self.leave(state, seat)
        return self.leave_by_dice(state, seat, chance)


AnyGame = Game[Any, Any, Any, Any, Any]
