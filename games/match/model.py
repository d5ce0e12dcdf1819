"""A match as folded from its records: types only. Times are microseconds since 1970-01-01 UTC."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET

from games.game import AnyGame, SeenRecord
from games.match.commands import OrderEnd
from games.match.events import MatchCreated, ProposalMade

Status = Literal["waiting", "running", "finished", "abandoned"]


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
    orders: tuple[str, ...] = ()
    """Its standing orders."""
    orders_end: OrderEnd = "cancelled"
    bank: int = 0
    """Microseconds left of a bank, as of the running clock's `since`."""

    def order(self, orders: tuple[str, ...], until: OrderEnd) -> None:
        """Take note of standing orders."""
        self.orders, self.orders_end = orders, until

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
    limit: int | None = None
    """What `ran` would have come to for the seat when the clock that it was on had run out; None: it was on none."""


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
    start: Any = None
    """A branch: the state that it starts from."""
    past: Mapping[int | None, Sequence[SeenRecord]] = {}
    """A branch: by viewer, what it had seen before the fork, where the parent's log is at hand."""
    state: Any = None
    line: list[Entry] = []
    checkpoints: list[Checkpoint] = []
    clocks: dict[int, RunningClock] = {}
    ran: dict[int, int] = {}
    """By seat, the microseconds that its clocks have run, up to the running one's `since`."""
    paused: int | None = None
    """Since when."""
    proposals: list[Proposal] = []
    """That have not ended; the one last dealt with comes last. Several are open where seats are not shown each other's."""
    solved: int = 0
    """The version up to which all have agreed that a solver looks at all cards; 0: none. Going back to what it has seen
    renews it."""
    paces: dict[str, int] = {}
    """Real time: when a bucket's last command came."""
    leavers: list[int] = []
    """Seats in the order in which they resigned."""
    shown: dict[int | None, list[int]] = {}
    """By viewer, the log's versions that it is shown: the place in the list is its own number."""
    times: dict[int | None, int] = {}
    """By viewer, the time of the last record that it was shown."""

    def copy(self) -> "Match":
        """Give an independent copy."""
        return msgspec.structs.replace(
            self,
            chairs=[msgspec.structs.replace(chair) for chair in self.chairs],
            state=None if self.state is None else self.state.copy(),
            line=list(self.line),
            checkpoints=list(self.checkpoints),
            clocks=dict(self.clocks),
            ran=dict(self.ran),
            proposals=list(self.proposals),
            paces=dict(self.paces),
            leavers=list(self.leavers),
            shown={viewer: list(shown) for viewer, shown in self.shown.items()},
            times=dict(self.times),
        )

    @property
    def over(self) -> bool:
        """Finished or abandoned: final, and everyone may see everything."""
        return self.status in ("finished", "abandoned")

    def stand_in(self, seat: int) -> str:
        """Give the level of the bot that stands in for a seat that is away; "" is none."""
        chair, level = self.chairs[seat], self.header.stand_in
        return level if level is not UNSET and chair.away and chair.person else ""

    def bot_at(self, seat: int) -> str:
        """Give the level of the bot that plays for a seat: its own, or the stand-in; "" is none."""
        return self.stand_in(seat) or self.chairs[seat].bot
