"""The commands that all matches share, besides the game's own.

Versions in commands are the sender's; times are microseconds since 1970-01-01 UTC.
"""

from typing import Annotated, Literal, TypeGuard

import msgspec
from msgspec import UNSET, Meta, UnsetType

from games.game import Tagged
from games.wire import GameOptions, matching

MatchId = Annotated[str, matching("[A-Za-z0-9_-]{1,64}")]
SEATS_MAX = 64
Seat = Annotated[int, Meta(ge=0, le=SEATS_MAX - 1)]
ProposalSeconds = Annotated[int, Meta(ge=10, le=30 * 86400)]
SpectatorDelay = Annotated[int, Meta(ge=1, le=86400)]
"""A number of seconds."""
BotPace = Literal["instant", "brisk", "human"]
Entropy = Annotated[str, matching("[A-Za-z0-9_-]{0,64}")]
Level = Annotated[str, Meta(pattern="^[a-z_]{1,32}$")]
Version = Annotated[int, Meta(ge=0)]
Reason = Annotated[str, Meta(min_length=1, max_length=200)]
OrderName = Annotated[str, Meta(pattern="^[a-z_]{1,32}$")]
OrderEnd = Literal["cancelled", "next_command"]
Seconds = Annotated[int, Meta(ge=1, le=30 * 86400)]


class Actor(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Who sent a command: a seat, a player without a seat, the clock, or an operator.

    Seat and clock together: a bot that stands in for a seat that is away.
    """

    seat: int | None = None
    player: str | None = None
    clock: bool = False
    operator: str | None = None


class PerMove(Tagged, frozen=True):
    """Seconds for every command of a seat."""

    seconds: Seconds


class Bank(Tagged, frozen=True):
    """Seconds for the whole match, and an increment after every command of the seat."""

    seconds: Seconds
    increment: Annotated[int, Meta(ge=0, le=86400)] = 0


class Phases(Tagged, frozen=True):
    """The seconds that the game's options give for each phase."""


Clock = PerMove | Bank | Phases


class CreateMatch(Tagged, frozen=True, omit_defaults=True):
    """Open a match; options left out take their defaults."""

    game: Annotated[str, Meta(pattern="^[a-z_]{1,32}$")]
    seats: Annotated[int, Meta(ge=1, le=SEATS_MAX)]
    options: GameOptions = {}  # noqa: RUF012 - a Struct copies its default
    clock: Clock | None = None
    private: bool = False
    """Only players with the join code see the match and take seats."""
    away_after: Annotated[int, Meta(ge=0, le=100)] = 3
    """Timeouts in a row after which a seat is away: its defaults are played at once. 0: never."""
    undo_limit: Annotated[int, Meta(ge=0, le=1000)] | None = None
    """Maximum number of undos a seat may make; null: no limit."""
    stand_in: Level | UnsetType = UNSET
    """Level of the bot that plays for seats that are away; absent: defaults are played at once."""
    proposal_seconds: ProposalSeconds | UnsetType = UNSET
    """How long a proposal may be answered; absent: 300."""
    spectator_delay: SpectatorDelay | UnsetType = UNSET
    """Time after which spectators are shown a record (seconds); absent: at once."""
    bot_pace: BotPace | UnsetType = UNSET
    """How long bots wait before they move; absent: as long as the service is set to."""


class BranchMatch(Tagged, frozen=True, omit_defaults=True):
    """Open a match that goes on from a version of another, with its game, seats and options."""

    parent: MatchId
    version: Annotated[int, Meta(ge=1)]
    """The seat's version, or the log's without a seat."""
    seat: Seat | None
    """The seat whose knowledge is kept; null keeps everything."""
    clock: Clock | None = None
    private: bool = False
    away_after: Annotated[int, Meta(ge=0, le=100)] = 3
    undo_limit: Annotated[int, Meta(ge=0, le=1000)] | None = None


class TakeSeat(Tagged, frozen=True):
    """Take a seat, the first free one unless `seat` says which. `entropy` enters the match seed."""

    seat: Seat | None = None
    entropy: Entropy = ""


class LeaveSeat(Tagged, frozen=True):
    """Leave a seat before the match has started."""


class AddBot(Tagged, frozen=True):
    """Seat a bot, on the first free seat unless `seat` says which."""

    seat: Seat | None = None
    level: Level = "heuristic"


class RemoveBot(Tagged, frozen=True):
    """Remove a bot before the match has started."""

    seat: Seat


class Resign(Tagged, frozen=True):
    """Leave a running match for good."""


class ComeBack(Tagged, frozen=True):
    """Return to a seat that is away; any of its game commands does so too."""


class Pause(Tagged, frozen=True):
    """Stop all clocks, if the other people agree."""


class Resume(Tagged, frozen=True):
    """End a pause."""


class ProposeAbandon(Tagged, frozen=True):
    """Ask the other people to end the match without a result."""


class ProposeUndo(Tagged, frozen=True, omit_defaults=True):
    """Ask to rewind the match to a version, or to let a solver find one."""

    to: Version | None = None
    """Required without `solve`, forbidden with it."""
    solve: bool = False
    """Let a solver that sees all cards find the version. Everyone must accept.

    A later undo of what the solver has seen is of class `all`.
    """


class Undo_(Tagged, frozen=True, tag="undo"):  # noqa: N801 - `Undo` is the class of a command
    """Rewind to a version by taking back own commands, if that is free."""

    to: Version


class Answer(Tagged, frozen=True):
    """Accept or refuse the open proposal that was made at a version."""

    proposal: Version
    accept: bool


class WithdrawProposal(Tagged, frozen=True):
    """Withdraw one's own open proposal."""


class SetStandingOrders(Tagged, frozen=True):
    """Answer at once in the seat's stead whenever these orders apply; none: stop doing so.

    Rivals are not told.
    """

    orders: Annotated[tuple[OrderName, ...], Meta(max_length=32)] = ()
    until: OrderEnd = "cancelled"
    """`next_command`: the orders end when the seat itself sends a command of the game."""


class FollowOrders(Tagged, frozen=True):
    """From the service: answer as the seat's standing orders say."""


class TimeOut(Tagged, frozen=True):
    """From the clock: a seat's deadline (microseconds) has passed."""

    seat: Seat
    deadline: int


class Abandon(Tagged, frozen=True):
    """From an operator: end the match without a result."""

    reason: Reason | UnsetType = UNSET


SeatCommand = (
    Resign
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
"""What a seat may send while the match runs, besides the game's own commands."""
PlayerCommand = TakeSeat | LeaveSeat | AddBot | RemoveBot | SeatCommand
"""What a client may send besides the game's own commands."""
OpeningCommand = CreateMatch | BranchMatch
"""The commands of record 1."""
MatchCommand = OpeningCommand | PlayerCommand | FollowOrders | TimeOut | Abandon
MATCH_COMMAND_TYPES: frozenset[type] = frozenset(MatchCommand.__args__)


def is_match_command(command: Tagged) -> TypeGuard[MatchCommand]:
    """Return whether a command is the match's, not the game's."""
    return type(command) in MATCH_COMMAND_TYPES
