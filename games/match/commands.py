"""The commands that all matches share, besides the game's own.

Versions in commands are the sender's own numbers; times are microseconds since 1970-01-01 UTC.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from games.game import Tagged

Seat = Annotated[int, Meta(ge=0, le=63)]
ProposalSeconds = Annotated[int, Meta(ge=10, le=30 * 86400)]
PlayerId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")]
Entropy = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,64}$")]
Level = Annotated[str, Meta(pattern="^[a-z_]{1,32}$")]
Version = Annotated[int, Meta(ge=0)]
OrderName = Annotated[str, Meta(pattern="^[a-z_]{1,32}$")]
OrderEnd = Literal["cancelled", "next_command"]
Seconds = Annotated[int, Meta(ge=1, le=30 * 86400)]


class By(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who sent a command: a seat, a player without a seat, the clock, or an operator.

    A seat and the clock: the stand-in of a seat that is away.
    """

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
    stand_in: Level | UnsetType = UNSET
    """Level of the bot that plays for seats that are away; left out: their defaults come at once."""
    proposal_seconds: ProposalSeconds | UnsetType = UNSET
    """How long a proposal may be answered; left out: 300."""


class BranchMatch(Tagged, frozen=True):
    """Open a match that goes on from a version of another; game, seats and options are the other's."""

    parent: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")]
    version: Annotated[int, Meta(ge=1)]
    """As the seat counts, or the log's."""
    seat: Seat | None
    """Whose knowledge is kept; null keeps everything."""
    clock: Clock | None = None
    private: bool = False
    away_after: Annotated[int, Meta(ge=0, le=100)] = 3
    undo_limit: Annotated[int, Meta(ge=0, le=1000)] | None = None


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


class ProposeUndo(Tagged, frozen=True, omit_defaults=True):
    """Ask to rewind the match to a version, or to let a solver that knows all cards find one."""

    to: Version | None = None
    """Needed without `solve`, and only then."""
    solve: bool = False
    """Everyone must accept: what the solver says is hidden knowledge. Undoing later what it has seen is marked."""


class Undo_(Tagged, frozen=True, tag="undo"):  # noqa: N801 - `Undo` is the class of a command
    """Take back own commands that are free to take back: rewind to a version."""

    to: Version


class Answer(Tagged, frozen=True):
    """Accept or refuse the open proposal of that version."""

    proposal: Version
    accept: bool


class WithdrawProposal(Tagged, frozen=True):
    """Take back one's own open proposal."""


class SetStandingOrders(Tagged, frozen=True):
    """Have the match answer in the seat's stead, at once, where these of the game's orders apply; none ends it.

    Rivals are told nothing of it.
    """

    orders: Annotated[tuple[OrderName, ...], Meta(max_length=32)] = ()
    until: OrderEnd = "cancelled"
    """`next_command`: the orders end when the seat itself next plays a command of the game."""


class FollowOrders(Tagged, frozen=True):
    """The service: answer as the seat's standing orders say."""


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
    | SetStandingOrders
)
"""What a client may send besides the game's own commands."""
OpeningCommand = CreateMatch | BranchMatch
"""What record 1 has."""
MatchCommand = OpeningCommand | PlayerCommand | FollowOrders | TimeOut | Abandon
MATCH_COMMAND_TYPES: frozenset[type] = frozenset(MatchCommand.__args__)
