"""The commands and events that all matches share, and the fold's state: types only.

Times are microseconds since 1970-01-01 UTC (int); in JSON they are RFC 3339 strings only at the record's edge.
Versions in commands are the sender's own numbers; versions in events are the log's.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from games.game import AnyGame, Tagged, Undo

Seat = Annotated[int, Meta(ge=0, le=63)]
PlayerId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")]
Entropy = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,64}$")]
Level = Annotated[str, Meta(pattern="^[a-z_]{1,32}$")]
Version = Annotated[int, Meta(ge=0)]
Seconds = Annotated[int, Meta(ge=1, le=30 * 86400)]

Status = Literal["waiting", "running", "finished", "abandoned"]


class By(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who sent a command: a seat, a player without a seat, the clock, or an operator."""

    seat: int | None = None
    player: str | None = None
    clock: bool = False
    operator: str | None = None


class PerMove(Tagged, frozen=True):
    """So many seconds for every command of a seat."""

    seconds: Seconds


class Bank(Tagged, frozen=True):
    """Seconds for the whole match, and an increment after every command of the seat."""

    seconds: Seconds
    increment: Annotated[int, Meta(ge=0, le=86400)] = 0


class Phases(Tagged, frozen=True):
    """The seconds that the game's options name for each of its phases."""


Clock = PerMove | Bank | Phases


class CreateMatch(Tagged, frozen=True):
    """Open a match; options left out take their defaults."""

    game: Annotated[str, Meta(pattern="^[a-z_]{1,32}$")]
    seats: Annotated[int, Meta(ge=1, le=64)]
    options: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    clock: Clock | None = None
    private: bool = False
    """Only those with the join code see it and sit down."""
    away_after: Annotated[int, Meta(ge=0, le=100)] = 3
    """Timeouts in a row after which a seat is away and its defaults come at once; 0 is never."""
    undo_limit: Annotated[int, Meta(ge=0, le=1000)] | None = None
    """Undos that a seat may have in the match; null is no limit."""


class TakeSeat(Tagged, frozen=True):
    """Sit down; without `seat` at the first free one. `entropy` goes into the match's seed."""

    seat: Seat | None = None
    entropy: Entropy = ""


class LeaveSeat(Tagged, frozen=True):
    """Get up before the match has started."""


class AddBot(Tagged, frozen=True):
    """Seat a bot; without `seat` at the first free one."""

    seat: Seat | None = None
    level: Level = "heuristic"


class RemoveBot(Tagged, frozen=True):
    """Take a bot away before the match has started."""

    seat: Seat


class Resign(Tagged, frozen=True):
    """Leave a running match for good."""


class ComeBack(Tagged, frozen=True):
    """Take an away seat back; any of its game commands does so too."""


class Pause(Tagged, frozen=True):
    """Stop all clocks, by consent of the other people."""


class Resume(Tagged, frozen=True):
    """End a pause."""


class ProposeAbandon(Tagged, frozen=True):
    """Ask the other people to end the match without a result."""


class ProposeUndo(Tagged, frozen=True):
    """Ask to rewind the match to a version."""

    to: Version


class Undo_(Tagged, frozen=True, tag="undo"):  # noqa: N801 - `Undo` is the class of a command
    """Take back own commands that are free to take back: rewind to a version."""

    to: Version


class Answer(Tagged, frozen=True):
    """Accept or refuse the open proposal of that version."""

    proposal: Version
    accept: bool


class WithdrawProposal(Tagged, frozen=True):
    """Take back one's own open proposal."""


class TimeOut(Tagged, frozen=True):
    """The clock: a seat's deadline has passed (microseconds)."""

    seat: Seat
    deadline: int


class Abandon(Tagged, frozen=True):
    """An operator ends a match without a result."""


PlayerCommand = (
    TakeSeat
    | LeaveSeat
    | AddBot
    | RemoveBot
    | Resign
    | ComeBack
    | Pause
    | Resume
    | ProposeAbandon
    | ProposeUndo
    | Undo_
    | Answer
    | WithdrawProposal
)
"""What a client may send besides the game's own commands."""
MatchCommand = CreateMatch | PlayerCommand | TimeOut | Abandon
MATCH_COMMAND_TYPES: frozenset[type] = frozenset(MatchCommand.__args__)


class MatchCreated(Tagged, frozen=True):
    """The header: all that is fixed for the match's whole life."""

    format: int
    """Of the records."""
    match: str
    game: str
    rules: int
    """The version of the game's rules."""
    seats: int
    options: dict[str, Any]
    clock: Clock | None
    private: bool
    away_after: int
    undo_limit: int | None
    creator: str
    commitment: str
    """SHA-256 of the service's part of the seed, in hex."""
    service: str
    """Id of the key that signs the heads."""
    key: str
    """Id of the master key that the seed was made with."""


class SeatTaken(Tagged, frozen=True):
    """A player sat down."""

    seat: int
    player: str
    entropy: str


class BotSeated(Tagged, frozen=True):
    """A bot sat down."""

    seat: int
    level: str


class SeatFreed(Tagged, frozen=True):
    """A seat is free again."""

    seat: int


class MatchStarted(Tagged, frozen=True):
    """The last seat was taken; the game's opening events follow."""


class TimedOut(Tagged, frozen=True):
    """A seat's clock ran out; what its defaults did follows."""

    seat: int


class SeatAway(Tagged, frozen=True):
    """A seat timed out too often: its defaults come at once."""

    seat: int


class SeatBack(Tagged, frozen=True):
    """An away seat acts again."""

    seat: int


class SeatResigned(Tagged, frozen=True):
    """A seat left for good; what the game makes of it follows."""

    seat: int


class ProposalMade(Tagged, frozen=True):
    """The asked seats may answer until `expires` (microseconds), or until the game goes on."""

    kind: Literal["undo", "abandon", "pause"]
    seat: int
    asked: tuple[int, ...]
    expires: int
    to: int = 0
    """Undo: the version to rewind to."""
    undo: Undo | None = None
    """Undo: the class of what would be taken back."""


class ProposalAnswered(Tagged, frozen=True):
    """A seat accepted; a refusal closes the proposal at once."""

    seat: int
    accept: bool


class ProposalClosed(Tagged, frozen=True):
    """A proposal ended."""

    outcome: Literal["accepted", "refused", "withdrawn"]


class Undone(Tagged, frozen=True):
    """The match is again as it was after record `to`. Class "all" marks that hidden things had been seen."""

    to: int
    seat: int
    undo: Undo


class MatchPaused(Tagged, frozen=True):
    """All clocks stand."""


class MatchResumed(Tagged, frozen=True):
    """The clocks go on."""


class MatchFinished(Tagged, frozen=True):
    """The match has a result; the service's part of the seed is revealed."""

    secret: str
    """32 bytes in hex; its SHA-256 is the header's commitment."""


class MatchAbandoned(Tagged, frozen=True):
    """The match ended without a result; the service's part of the seed is revealed."""

    secret: str


MatchEvent = (
    MatchCreated
    | SeatTaken
    | BotSeated
    | SeatFreed
    | MatchStarted
    | TimedOut
    | SeatAway
    | SeatBack
    | SeatResigned
    | ProposalMade
    | ProposalAnswered
    | ProposalClosed
    | Undone
    | MatchPaused
    | MatchResumed
    | MatchFinished
    | MatchAbandoned
)
MATCH_EVENT_TYPES: frozenset[type] = frozenset(MatchEvent.__args__)


class Chair(msgspec.Struct):
    """A seat at the table."""

    player: str = ""
    bot: str = ""
    entropy: str = ""
    left: bool = False
    """Resigned."""
    away: bool = False
    timeouts: int = 0
    """In a row."""
    undos: int = 0
    bank: int = 0
    """Microseconds left of a bank, as of the running clock's `since`."""

    @property
    def taken(self) -> bool:
        """Somebody sits here."""
        return bool(self.player or self.bot)

    @property
    def person(self) -> bool:
        """A person who is still in the match sits here."""
        return bool(self.player) and not self.left


class RunningClock(msgspec.Struct, frozen=True):
    """The clock of a waiting seat."""

    name: str
    since: int
    allowed: int
    """Microseconds."""

    @property
    def deadline(self) -> int:
        """Microseconds since 1970."""
        return self.since + self.allowed


class Proposal(msgspec.Struct, frozen=True):
    """An open proposal."""

    version: int
    made: ProposalMade
    accepted: tuple[int, ...] = ()


class Entry(msgspec.Struct, frozen=True):
    """One record of the effective line, from the start on."""

    version: int
    seat: int | None
    """Whose command it was, also when the clock played it; None at the start and for operators."""
    command: Any
    events: Sequence[Any]
    """The game's own."""


class Checkpoint(msgspec.Struct, frozen=True):
    """A kept state of the effective line."""

    entries: int
    """How many entries it contains."""
    state: Any


class Match(msgspec.Struct):
    """A match folded from its records."""

    game: AnyGame
    header: MatchCreated
    options: Any
    chairs: list[Chair]
    version: int = 0
    at: int = 0
    opened: int = 0
    """When it was created."""
    status: Status = "waiting"
    state: Any = None
    line: list[Entry] = []
    checkpoints: list[Checkpoint] = []
    clocks: dict[int, RunningClock] = {}
    paused: int | None = None
    """Since when."""
    proposal: Proposal | None = None
    paces: dict[str, int] = {}
    """Real time: when a bucket's last command came."""
    leavers: list[int] = []
    """Seats in the order in which they resigned."""
    shown: dict[int | None, list[int]] = {}
    """By viewer, the log's versions that it is shown: the place in the list is its own number."""
    times: dict[int | None, int] = {}
    """By viewer, the time of the last record that it was shown."""
