"""What a game is: the `Game` value, and the small types that all games share.

Nothing here knows a particular game. A game is a frozen value made of types and pure functions;
`games.GAMES` lists them all. `games/match` wraps any of them with what all matches share.
CONTRIBUTING says in which file of a game each field is found.
"""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, Self, TypeVar

import msgspec

from games.chance import Chance
from games.draft import Draft

Undo = Literal["free", "consent", "all"]
"""Class of a command that is taken back.

`free` to its sender, by `consent` of those whom it concerns, or by consent of `all`, and marked.
"""
HIDDEN = "?"
"""Stands for a card or a piece of which the viewer may know only that it is there."""
Weight = Literal["light", "medium", "heavy"]
"""How much there is to learn and to think about in a game."""
House = Literal["classic", "balanced"]
"""Values for what the rulebook leaves open.

`balanced` makes up for a late place in the turn order. A game with both has the option `house`,
which means `classic` where it is absent: logs and states of older matches do not have it.
"""


Proposed = Mapping[str, bool | int | str]
"""Options by name, in plain form."""


def hidden(things: Sequence[str]) -> tuple[str, ...]:
    """Return a placeholder for each card or piece, for a viewer who may know only their number."""
    return (HIDDEN,) * len(things)


def snake_case(name: str) -> str:
    """Return the wire name of a type: `CardPlayed` is `card_played`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Tagged(
    msgspec.Struct,
    frozen=True,
    tag_field="type",
    tag=snake_case,
    forbid_unknown_fields=True,
    gc=False,
):
    """A command or an event: frozen, tagged in JSON by its name as `type`, without other fields."""


class Illegal(Exception):
    """A command that the rules refuse.

    `code` is kebab-case and public API; `details` go to the sender and reveal nothing hidden.
    """

    def __init__(self, code: str, **details: Any) -> None:
        """Refuse with the rule's `code`; `details` are plain JSON values."""
        super().__init__(code)
        self.code = code
        self.details = details

    def __str__(self) -> str:
        """Return the code and the details: `bad-player-count (least=2, most=4)`."""
        details = ", ".join(f"{name}={value!r}" for name, value in self.details.items())
        return f"{self.code} ({details})" if details else self.code


class NothingFits(Illegal):
    """No world can be sampled that fits what a viewer remembers."""

    def __init__(self, viewer: int | None) -> None:
        """Name the viewer."""
        super().__init__("nothing-fits", seat=viewer)


class State(Protocol):
    """A game's state: a mutable Struct that `apply` changes in place."""

    def copy(self) -> Self:
        """Return an independent copy, cheaply (see `games.structs.Copyable`)."""
        ...


class Result(Protocol):
    """How a game ended. Each game's own Struct adds its own fields.

    It may have a `reason` (text) and `scores` (a number by seat), which the log then names.
    """

    @property
    def winners(self) -> Sequence[int]:
        """The winning seats, ascending; empty when nobody won."""
        ...

    def places(self, seats: int) -> list[int]:
        """Return the place of each seat, 1 the best; equal places are shared (1, 2, 2, 4)."""
        ...


class SeenRecord(msgspec.Struct, frozen=True, gc=False):
    """One record as one viewer saw it."""

    version: int
    """The viewer's version, counted without gaps."""
    seat: int | None
    """The actor. None if no seat sent the command, or the actor is hidden from this viewer."""
    command: Any
    """The command if the viewer sent it; else None."""
    events: tuple[Any, ...]
    """Events as redacted for the viewer."""


class Seen(msgspec.Struct, frozen=True):
    """Everything that one viewer has seen of a running game."""

    viewer: int | None
    """The seat, or None for a spectator."""
    seats: int
    options: Any
    records: Sequence[SeenRecord]
    """The set-up first. Undone records are left out."""
    whole: bool = True
    """Whether `records` begins with the set-up.

    A branch may leave a viewer without a memory; no world can then be sampled.
    """

    @property
    def seat(self) -> int:
        """The seat that the viewer plays. A spectator must not be asked."""
        assert self.viewer is not None, "a spectator plays nothing"
        return self.viewer


class Verdict(msgspec.Struct, frozen=True):
    """The answer of a solver that knows all cards."""

    outcome: Literal["line", "proof", "not-shown"]
    """The game can be won, can't be won, or neither was shown within the budget."""
    line: Sequence[tuple[int, Any]] = ()
    """Seats and commands that win; empty if the game is won already, or no line is known."""
    proof: str = ""
    """Why the game is lost: a code of the game's own."""
    spent: int = 0
    """Number of positions examined."""


CommandT = TypeVar("CommandT")
EventT = TypeVar("EventT")
StateT = TypeVar("StateT", bound=State)
ViewT = TypeVar("ViewT")
OptionsT = TypeVar("OptionsT")

Bot = Callable[[ViewT, Seen, Sequence[CommandT], Chance], CommandT]
"""(view, seen, legal commands of the seat, the bot's own randomness) -> one legal command."""


AtOnce = Callable[[Sequence[int], int], Sequence[Sequence[float]]]
"""(commands by index, number of worlds) -> for each of these commands, the team's share of the win
in each world. All are played in the same worlds, new ones for each call."""


def _unweighed(
    _view: Any, _seen: Seen, _legal: Sequence[Any], _chance: Chance
) -> Sequence[tuple[float, Any]]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Blueprint(Generic[CommandT, StateT, ViewT]):
    """A fast and good enough way to play: the base of hints, strong bots and analyses."""

    policy: Callable[[StateT, int, Chance], CommandT]
    """(world, waiting seat, randomness) -> a legal command.

    The same in all worlds that the seat can't tell apart.
    """
    ranking: Callable[[ViewT, Seen, Sequence[CommandT], Chance], Sequence[CommandT]]
    """(view, seen, legal, randomness) -> the legal commands worth a closer look, the best first."""
    reason: Callable[[ViewT, int, CommandT], str]
    """(view, seat, command) -> why one plays it: a code of `reasons`."""
    reasons: Mapping[str, str]
    """By code, in words; the game's documentation lists them."""
    worths: Callable[
        [ViewT, Seen, Sequence[CommandT], Chance], Sequence[tuple[float, CommandT]]
    ] = _unweighed
    """(view, seen, legal, randomness) -> what a weaker player might choose: (worth, command), best
    first, and the policy's choice first of all. Worths count in the game's own points."""
    temperatures: Sequence[float] = ()
    """Temperatures of the levels below the top one, weakest first, in the unit of `worths`."""
    stage: Callable[[StateT], int] | None = None
    """Number of turns or rounds so far. None: playouts always go on to the end."""
    horizon: int = 0
    """Number of stages played before `value` judges; used with `stage`."""
    value: Callable[[StateT], Sequence[float]] | None = None
    """(world) -> each team's chance of winning, in the order of `teams`; used with `stage`."""
    only_compares: bool = False
    """Whether `value` judges only playouts that compare commands.

    Chances that people read are then those of whole games, which know more.
    """
    budget: Callable[[ViewT], int] | None = None
    """(view) -> playouts that the level "expert" spends on a command; 0 where they gain nothing.

    None: it never looks ahead.
    """
    searched: "Blueprint[CommandT, StateT, ViewT] | None" = None
    """The base of the level "expert", if another."""
    cost: int = 1
    """Weight of one policy command in an analysis' budget, so that no analysis takes too long."""
    worlds: Callable[[ViewT, Seen], Callable[[Chance], StateT]] | None = None
    """(view, seen) -> a sampler that has worked out once what all worlds share.

    None: `Players.sample` is called for each world.
    """
    at_once: (
        Callable[[ViewT, Seen, Sequence[CommandT], bytes, Callable[[], None]], AtOnce | None] | None
    ) = None
    """(view, seen, commands, seed, pause) -> what plays them in many worlds at once.

    `pause` is called every few milliseconds, and may raise. What takes long is left to the first
    playouts, since a first hint needs none. None: worlds are played one by one.
    """


def _unredacted(event: EventT, _viewer: int | None, _state: Any) -> EventT:
    return event


def _own_view(_state: Any, viewer: int | None) -> Hashable:
    return viewer


def _by_consent(_state: Any, _seat: int, _command: Any, _events: Sequence[Any]) -> Undo:
    return "consent"


def _stays(_draft: Any, _seat: int) -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Timing(Generic[StateT, CommandT]):
    """How a game runs against clocks."""

    clock: Callable[[StateT, int], tuple[str, int] | None]
    """(state, seat) -> name and seconds of a waiting seat's clock.

    The clock restarts when the name changes. None: this seat may take its time.
    """
    pace: Callable[[StateT, int, CommandT], tuple[str, int] | None] | None = None
    """Real time only: (state, seat, command) -> a bucket, and the least milliseconds between two
    commands of that bucket. None: no command is paced."""
    unhurried: frozenset[str] = frozenset()
    """Names of clocks that run their full time also for a seat that has left."""
    secret: bool = False
    """Whether only a seat's team may see its clock, which would tell rivals of hidden actions."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Players(Generic[OptionsT, CommandT, StateT, ViewT]):
    """What plays, advises and solves without a person: `games/<slug>/players` and `solver`."""

    sample: Callable[[ViewT, Seen, Chance], StateT]
    """(view, seen, chance) -> a world that fits everything that the viewer has seen."""
    bots: Mapping[str, Bot[ViewT, CommandT]] = field(default_factory=dict[str, Any])
    """By level, weakest first."""
    earlier: frozenset[str] = frozenset()
    """Levels of earlier releases: matches may have them, but they are no longer offered."""
    blueprint: Blueprint[CommandT, StateT, ViewT] | None = None
    """Needed for hints, analyses and bots that search."""
    advised: Callable[[OptionsT], bool] = lambda _options: True
    """(options) -> whether the table allows hints."""
    winnable: Callable[[StateT, int], Verdict] | None = None
    """(state, positions to examine) -> whether all seats together can still win, all cards known.

    None: the game has no solver.
    """
    coming: Callable[[StateT, int], Sequence[str]] | None = None
    """(state, seat) -> the cards that the seat will draw, in order, for puzzles with open cards."""

    @property
    def levels(self) -> list[str]:
        """Levels of bots that are offered, weakest first."""
        return [level for level in self.bots if level not in self.earlier]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Files:
    """Files that come with a game beside its code."""

    rules: Path | None = None
    """Numbered rules as implemented, in Markdown."""
    components: Path | None = None
    """Component data (cards, boards, maps), in TOML."""
    words: Path | None = None
    """Folder with the game's words by language: the catalogues `en.json` and `cs.json`, whose
    `refusals` explain the codes of its rules, and the rules in Czech, `rules.cs.md`.
    """
    tutorial: Path | None = None
    """Steps on which a player learns the game, in TOML (`replay/tutorial.py`)."""
    coach: Path | None = None
    """Tips for each kind of decision in a first match, in TOML (`replay/coach.py`)."""
    puzzles: Path | None = None
    """Puzzles of the game, one JSON object a line (`replay/puzzle.py`)."""
    board: Path | None = None
    """The game's board for the page: an ES module (docs/web.md). None: a generic board."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Game(Generic[OptionsT, CommandT, EventT, StateT, ViewT]):
    """A game as a value. All functions are pure, except those that say that they change a state.

    Fields whose names end in `_on` and `_by` are the game's part of the methods of that name.
    """

    slug: str
    version: int
    """Rules version: raised whenever a recorded command would be decided otherwise."""
    titles: Mapping[str, str]
    """By language: `cs`, `en`."""
    seats: range
    minutes: int | None = None
    """Typical length of a match (minutes)."""
    weight: Weight | None = None
    """None if the game does not say."""
    recommended: Proposed = field(default_factory=dict[str, bool | int | str])
    """Options that forms choose beforehand, where they are not the defaults."""
    recommended_with_bots: Proposed = field(default_factory=dict[str, bool | int | str])
    """Options that forms choose beforehand as well if bots take all other seats."""
    Options: type[OptionsT]
    Command: Any
    """Tagged union of the commands, by the field `type`."""
    values: Sequence[str | int | tuple[int, ...]] = range(256)
    """What fields of commands can hold, or their items. Programs that choose by number need it."""
    Event: Any
    """Tagged union of the events, by the field `type`."""
    State: type[StateT]
    View: type[ViewT]
    initial: Callable[[int, OptionsT], StateT]
    """(seats, options) -> the state before any event."""
    setup: Callable[[int, OptionsT, Chance], list[EventT]]
    """(seats, options, chance) -> opening events, all chance recorded in them; raises `Illegal`."""
    decide_on: Callable[[Draft[StateT, EventT], int, CommandT], None]
    """(draft, seat, command): add the command's events, or raise `Illegal`."""
    apply: Callable[[StateT, EventT], None]
    """Fold one event in place: total, no chance, no validation."""
    legal: Callable[[StateT, int], list[CommandT]]
    """(state, seat) -> every legal command, or representatives of large families."""
    waiting: Callable[[StateT], frozenset[int]]
    """The seats on the clock."""
    awaited_by: Callable[[StateT, int | None], frozenset[int]] | None = None
    """(state, viewer) -> the waiting seats as far as that viewer may know; None: everyone knows."""
    teams: Callable[[StateT], list[frozenset[int]]]
    """The seats that win and lose together."""
    timing: Timing[StateT, CommandT]
    default: Callable[[StateT, int], CommandT]
    """(state, seat) -> the command that the clock plays for a waiting seat; always legal."""
    leave_on: Callable[[Draft[StateT, EventT], int], None] = _stays
    """(draft, seat): add what follows when a seat leaves for good.

    Nothing if the default or a bot plays on for the seat. The draft may be without dice.
    """
    orders: Mapping[str, Callable[[StateT, int], CommandT | None]] = field(
        default_factory=dict[str, Any]
    )
    """Standing orders by name: (state, waiting seat) -> the order's answer; None if none applies.

    Whether an order applies must follow from what every viewer knows, and its answer must reveal
    nothing.
    """
    view: Callable[[StateT, int | None], ViewT]
    """(state, viewer) -> what that viewer may know; None is a spectator."""
    view_key: Callable[[StateT, int | None], Hashable] = _own_view
    """(state, viewer) -> a key that viewers share whose views are always equal."""
    redact: Callable[[EventT, int | None, StateT], EventT | None] = _unredacted
    """(event, viewer, state after the event) -> what that viewer may know of the event."""
    withheld: frozenset[type] | None = None
    """Types of the events of which `redact` may show a viewer nothing at all. None: any type."""
    undo: Callable[[StateT, int, CommandT, Sequence[EventT]], Undo | None] = _by_consent
    """(state before, seat, command, its events) -> the command's undo class; None is never."""
    recall: Callable[[StateT, StateT], None] | None = None
    """(rewound state, state before the undo): restore, in place, what seats cannot unsee."""
    result: Callable[[StateT], Result | None]
    """None while the game goes on."""
    players: Players[OptionsT, CommandT, StateT, ViewT]
    files: Files = Files()
    earlier: "tuple[AnyGame, ...]" = ()
    """The game under its earlier rules versions, for the matches that were opened under them."""

    def draft(self, state: StateT, chance: Chance | None) -> Draft[StateT, EventT]:
        """Open a draft on a copy of a state."""
        return Draft(state.copy(), self.apply, chance)

    def decide(self, state: StateT, seat: int, command: CommandT, chance: Chance) -> list[EventT]:
        """Return the events of a command, or raise `Illegal`. The state stays as it was."""
        draft = self.draft(state, chance)
        self.decide_on(draft, seat, command)
        return draft.events

    def step(self, state: StateT, seat: int, command: CommandT, chance: Chance) -> list[EventT]:
        """Decide a command and fold its events in place; return the events.

        The state must be discarded if `Illegal` is raised.
        """
        draft = Draft(state, self.apply, chance)
        self.decide_on(draft, seat, command)
        return draft.events

    def leave(self, state: StateT, seat: int, chance: Chance | None = None) -> list[EventT]:
        """Return what follows when a seat leaves for good, with or without dice."""
        draft = self.draft(state, chance)
        self.leave_on(draft, seat)
        return draft.events

    def awaited(self, state: StateT, viewer: int | None) -> frozenset[int]:
        """Return the waiting seats as far as a viewer may know."""
        return self.waiting(state) if self.awaited_by is None else self.awaited_by(state, viewer)

    def under(self, rules: int) -> "AnyGame | None":
        """Return the game under a rules version; None if this release does not have it."""
        return next((game for game in (self, *self.earlier) if game.version == rules), None)


AnyGame = Game[Any, Any, Any, Any, Any]
