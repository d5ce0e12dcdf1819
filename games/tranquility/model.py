"""Options, state, view and result."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from games.game import House
from games.structs import Copyable, Public
from games.tranquility.components import Colour, Difficulty, Side, Variant
from games.tranquility.events import AfterDraws, Origin, Phase, Reason

Outcome = Literal["won", "lost", "race"]
Talk = Literal["closed", "start", "compass", "open"]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=86400, description="0 or at least 5; 0 = no clock")]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a match is played."""

    variant: Variant = "standard"
    difficulty: Difficulty = "none"
    """How many islands are removed unseen (TRA-7)."""
    rocks: bool = False
    monsters: Literal[0, 3, 4, 5] = 0
    storms: bool = False
    wilds: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    first_player: Literal["fewest", "random"] = "fewest"
    communication: Literal["strict", "open"] = "strict"
    memory_aid: bool = False
    """Whether a seat sees its own discards, against TRA-20."""
    confirm_draw: bool = False
    """Whether a turn stops before the draw, so that its action can still be taken back."""
    abandon: Literal["autopilot", "lose"] = "autopilot"
    house: House | UnsetType = UNSET
    """`balanced` favours the second seat of `competitive` (TRA-84). If omitted: `classic`."""
    turn_seconds: Seconds = 90
    pledge_seconds: Seconds = 120
    reaction_seconds: Seconds = 20
    hints: Literal["off", "own_view"] = "own_view"


class Laid(msgspec.Struct, frozen=True, gc=False):
    """A card on the sea."""

    card: str
    number: int
    side: Side
    owner: int
    """The seat that laid the card."""


class Offer(msgspec.Struct, frozen=True, gc=False):
    """A seat's pledge for the Start."""

    count: int
    from_deck: bool
    """Whether two of the cards come unseen from the seat's pile (TRA-51)."""

    @property
    def from_hand(self) -> int:
        """Number of pledged cards that come from the hand."""
        return self.count - 2 * self.from_deck


class Storm(msgspec.Struct, frozen=True, gc=False):
    """A storm on the table."""

    card: str
    colour: Colour
    seat: int
    """Seat before which the storm lies; -1 for a purple storm."""
    row: int
    """Row on which a purple storm lies; -1 for the other colours."""


class PendingStorm(msgspec.Struct, frozen=True, gc=False):
    """A storm that has not landed yet."""

    card: str
    seat: int
    origin: Origin


class Result(msgspec.Struct, frozen=True):
    """How the voyage ended."""

    outcome: Outcome
    reason: Reason
    winners: list[int]
    scores: list[int]
    filled: int
    cells: int
    laid: list[int]
    discarded: list[int]
    cards_left: int
    turns: int
    difficulty: Difficulty
    variant: Variant

    def places(self, seats: int) -> list[int]:
        """Return the place of each seat; seats that win or lose together share one."""
        if self.outcome == "race" and 0 < len(self.winners) < seats:
            return [1 if seat in self.winners else 2 for seat in range(seats)]
        return [1] * seats


class State(Copyable):
    """The whole table. Lists keep their order; the top of a pile has index 0."""

    players: Public[int]
    options: Public[Options]
    grid: Public[list[Laid | None]]
    """In chain order."""
    hands: list[list[str]]
    """In card order."""
    piles: list[list[str]]
    discards: list[list[str]]
    blind: list[list[str]]
    """The discards that came unseen from the pile (TRA-51)."""
    pledges: Public[list[Offer | None]]
    paid: Public[list[bool]]
    compasses: Public[list[list[str]]]
    compass_supply: Public[list[str]]
    hands_side: Public[Side]
    phase: Public[Phase] = "action"
    active: Public[int] = 0
    turn: Public[int] = 0
    waiting: Public[tuple[int, ...]] = ()
    removed: list[str] = msgspec.field(default_factory=list[str])
    out: Public[list[str]] = msgspec.field(default_factory=list[str])
    start_placed: Public[str | None] = None
    finish_placed: Public[str | None] = None
    shares: Public[tuple[int, ...]] = ()
    draw_queue: Public[list[tuple[int, int]]] = msgspec.field(default_factory=list[tuple[int, int]])
    after_draws: Public[AfterDraws] = "opening"
    rocks_row: Public[int] = -1
    rocks_done: Public[bool] = False
    storms: Public[list[Storm]] = msgspec.field(default_factory=list[Storm])
    pending_storm: Public[PendingStorm | None] = None
    passed: Public[tuple[int, ...]] = ()
    revealed: Public[str | None] = None
    finish_tried: Public[bool] = False
    monster_holders: Public[tuple[int, ...]] = ()
    explore: list[str] = msgspec.field(default_factory=list[str])
    deck: list[str] = msgspec.field(default_factory=list[str])
    row: Public[list[str]] = msgspec.field(default_factory=list[str])
    result: Public[Result | None] = None

    def under_yellow(self, seat: int) -> bool:
        """Return whether a yellow storm lies before the seat (TRA-49)."""
        return any(storm.seat == seat and storm.colour == "yellow" for storm in self.storms)

    def deck_shares(self) -> list[int]:
        """List the seats that may pay two unseen cards of their pile for the Start (TRA-51)."""
        return [
            seat
            for seat, pile in enumerate(self.piles)
            if len(pile) >= 2 and self.under_yellow(seat)
        ]


class View(msgspec.Struct, frozen=True):
    """What one viewer may know: fields named as in the state, hidden cards as `?`."""

    players: int
    options: Options
    phase: Phase
    active: int
    turn: int
    waiting: list[int]
    grid: list[Laid | None]
    hands: list[list[str]]
    piles: list[list[str]]
    discards: list[list[str]]
    blind: list[list[str]]
    removed: list[str]
    out: list[str]
    start_placed: str | None
    finish_placed: str | None
    pledges: list[Offer | None]
    paid: list[bool]
    shares: list[int]
    draw_queue: list[tuple[int, int]]
    after_draws: AfterDraws
    rocks_row: int
    rocks_done: bool
    storms: list[Storm]
    pending_storm: PendingStorm | None
    passed: list[int]
    revealed: str | None
    compasses: list[list[str]]
    compass_supply: list[str]
    finish_tried: bool
    monster_holders: list[int]
    hands_side: Side
    explore: list[str]
    deck: list[str]
    row: list[str]
    talk: Talk
    result: Result | None
