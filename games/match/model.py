"""A match folded from its records: types only. Times are microseconds since 1970-01-01 UTC."""

from collections.abc import Mapping, MutableSequence, Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET

from games.game import AnyGame, SeenRecord
from games.match.commands import BotPace, OrderEnd
from games.match.events import MatchCreated, ProposalMade
from games.match.line import Line
from games.wire import MatchResult

Status = Literal["waiting", "running", "finished", "abandoned"]


class Chair(msgspec.Struct):
    """A seat at the table."""

    player: str = ""
    bot: str = ""
    entropy: str = ""
    left: bool = False
    """Whether the seat has resigned."""
    away: bool = False
    timeouts: int = 0
    """Timeouts in a row."""
    undos: int = 0
    orders: tuple[str, ...] = ()
    """Names of the standing orders in force."""
    orders_end: OrderEnd = "cancelled"
    bank: int = 0
    """Time left in the bank (microseconds), as of the running clock's `since`."""

    def order(self, orders: tuple[str, ...], until: OrderEnd) -> None:
        """Set the standing orders."""
        self.orders, self.orders_end = orders, until

    @property
    def taken(self) -> bool:
        """Whether the seat is occupied."""
        return bool(self.player or self.bot)

    @property
    def person(self) -> bool:
        """Whether a person who is still in the match sits here."""
        return bool(self.player) and not self.left


class RunningClock(msgspec.Struct, frozen=True, gc=False):
    """The clock of a waiting seat."""

    name: str
    since: int
    allowed: int
    """Time allowed (microseconds)."""

    @property
    def deadline(self) -> int:
        """When the clock runs out (microseconds since 1970)."""
        return self.since + self.allowed


class Proposal(msgspec.Struct, frozen=True):
    """An open proposal."""

    version: int
    made: ProposalMade
    accepted: tuple[int, ...] = ()


class Checkpoint(msgspec.Struct, frozen=True):
    """A stored state of the effective line."""

    entries: int
    """Number of entries folded into the state."""
    state: Any
    """None if the state is packed."""
    packed: bytes = b""
    """The state, packed like `Match.sample`."""
    recalled: bool = False
    """Whether the state has what seats still know after an undo, which no entry tells."""


class Ending(msgspec.Struct, frozen=True):
    """How a finished match ended."""

    reason: str
    winners: tuple[int, ...]
    """The winning seats, ascending."""
    places: tuple[int, ...]
    """By seat, 1 the best; seats that left come last."""
    scores: tuple[int, ...]
    """By seat; empty if the game keeps no score."""
    result: MatchResult
    """The game's result, or how the seats that left ended the match."""


class Match(msgspec.Struct):
    """A match folded from its records."""

    game: AnyGame
    header: MatchCreated
    options: Any
    chairs: list[Chair]
    line: Line
    version: int = 0
    at: int = 0
    opened: int = 0
    """When the match was created."""
    started: int = 0
    """Version of the record with which play began; 0 before."""
    started_at: int = 0
    """When play began; 0 before."""
    status: Status = "waiting"
    start: Any = None
    """Branches: the state that the match starts from."""
    past: Mapping[int | None, Sequence[SeenRecord]] = {}
    """Branches: by viewer, what it saw before the fork, if the parent's log is available."""
    state: Any = None
    checkpoints: list[Checkpoint] = []
    sample: bytes = b""
    """The first state that was packed, alone."""
    clocks: dict[int, RunningClock] = {}
    ran: dict[int, int] = {}
    """By seat, the total time of its clocks (microseconds), up to the running clock's `since`."""
    paused: int | None = None
    """When the pause began; None if the match is not paused."""
    proposals: list[Proposal] = []
    """Open proposals; the one last dealt with comes last.

    Several are open if seats are not shown each other's.
    """
    solved: int = 0
    """Version up to which all have agreed that a solver sees all cards; 0: none.

    An undo to a version that the solver has seen renews it.
    """
    paces: dict[str, int] = {}
    """Real time: when the last command of a bucket was recorded."""
    leavers: list[int] = []
    """Seats in the order in which they resigned."""
    ending: Ending | None = None
    """None unless the match is finished."""
    shown: dict[int | None, MutableSequence[int]] = {}
    """By viewer, the versions of the log that it is shown, as an array of 32-bit numbers.

    The index + 1 is the viewer's version.
    """
    times: dict[int | None, int] = {}
    """By viewer, the time of the last record that it was shown."""

    def copy(self) -> "Match":
        """Return an independent copy."""
        return msgspec.structs.replace(
            self,
            chairs=[msgspec.structs.replace(chair) for chair in self.chairs],
            state=None if self.state is None else self.state.copy(),
            line=self.line.copy(),
            checkpoints=list(self.checkpoints),
            clocks=dict(self.clocks),
            ran=dict(self.ran),
            proposals=list(self.proposals),
            paces=dict(self.paces),
            leavers=list(self.leavers),
            shown={viewer: shown[:] for viewer, shown in self.shown.items()},
            times=dict(self.times),
        )

    @property
    def plain_options(self) -> dict[str, Any]:
        """All options in plain form, also those at their defaults."""
        return msgspec.json.decode(msgspec.json.encode(self.options))

    @property
    def spectator_delay(self) -> int | None:
        """Time after which spectators are shown a record (seconds). None if that is at once."""
        delay = self.header.spectator_delay
        return None if delay is UNSET else delay

    @property
    def bot_pace(self) -> BotPace | None:
        """How long bots wait before they move. None if the service decides."""
        pace = self.header.bot_pace
        return None if pace is UNSET else pace

    @property
    def spectators_behind(self) -> int:
        """How far spectators are behind at present (microseconds).

        The delay applies to records after the start, until the match is over.
        """
        return (self.spectator_delay or 0) * 1_000_000 if self.status == "running" else 0

    @property
    def over(self) -> bool:
        """Whether the match is finished or abandoned. Then everyone may see everything."""
        return self.status in ("finished", "abandoned")

    def stand_in(self, seat: int) -> str:
        """Return the level of the bot that stands in for a seat that is away; "" for none."""
        chair, level = self.chairs[seat], self.header.stand_in
        return level if level is not UNSET and chair.away and chair.person else ""

    def bot_at(self, seat: int) -> str:
        """Return the level of the bot that plays for a seat, or stands in; "" for none."""
        return self.stand_in(seat) or self.chairs[seat].bot
