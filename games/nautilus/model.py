"""Options, state, view and result of Nautilus, and the types that they are made of."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from games.game import House
from games.nautilus.components import Cell
from games.structs import Copyable, Public

Phase = Literal["setup", "build", "research", "dive", "mission", "over"]
Step = Literal["", "buy", "place", "move", "launch", "sail", "pay"]
BonusType = Literal["thrust", "research", "peek"]
EndReason = Literal["treasures_13_14_15", "all_treasures", "idle_round"]

IN_STOCK = -1
"""Instead of a module's index: the researcher lies at its seat."""
IN_HAND = -2
"""Instead of a module's index: the researcher is the crew of a module in hand."""
AT_SEA = -2
"""Instead of a treasure's marker: the treasure is still hidden."""
UNPAID = -1
"""Instead of a mission payment: the seat has yet to decide."""

Seconds = Annotated[int, msgspec.Meta(ge=20, le=86400)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a match."""

    first_seat: Literal["random", "seat_0"] = "random"
    """The first seat of round 1 (NAU-4)."""
    base_cell: Cell = (15, 12)
    """Centre of the base; its nine cells must all be lagoon (NAU-7)."""
    sonar_range: Literal["list", "text"] = "list"
    """Cells by level: 3/4/5 for `list`, 4/5/6 for `text` (NAU-52)."""
    force_build_at_four: bool = False
    """Whether a purchase that makes four modules in hand makes building compulsory."""
    open_missions: bool = False
    """Whether dealt mission cards are public from the start."""
    zero_treasure_disc: Literal["lowest", "none"] = "lowest"
    """The disc of seats without any treasure (NAU-78)."""
    house: House | UnsetType = UNSET
    """`balanced` gives the second of two seats more money (NAU-83). If omitted: `classic`."""
    turn_seconds: Seconds = 120
    """Time for each command."""
    mission_seconds: Seconds = 120
    """Time for the mission payment."""


class Placed(msgspec.Struct, frozen=True, gc=False):
    """A module on the board."""

    id: str
    cell: Cell
    """The centre of its square."""
    rot: int
    """Quarter turns clockwise, 0 to 3."""
    owner: int
    """The seat that built it; -1 for the base and habitations."""


class Held(msgspec.Struct, frozen=True, gc=False):
    """A module in hand."""

    module: str
    researchers: tuple[str, ...]


class Boat(msgspec.Struct, frozen=True, gc=False):
    """A submarine at sea."""

    cell: Cell
    launched_in_abyss: bool
    moved: bool = False
    """Whether its ordinary move of this dive is made."""
    sonared: bool = False
    """Whether its sonar of this dive is used."""


class Turn(msgspec.Struct, frozen=True, gc=False):
    """What the active seat has done so far in its build or research turn."""

    bought: bool = False
    must_build: bool = False
    built: tuple[str, ...] = ()
    paid_rank: int = 0
    """Rank of the deepest zone that this build has paid for (NAU-27)."""
    moves_used: int = 0
    movers: tuple[str, ...] = ()
    """The researchers that have moved, in that order (NAU-34)."""


class Pending(msgspec.Struct, frozen=True, gc=False):
    """A bonus that the active seat must use or skip."""

    type: BonusType
    amount: int
    """Cells of a thrust, moves of a researcher, or finds to look at."""


class RoundLog(msgspec.Struct, frozen=True, gc=False):
    """What keeps a round from being idle (NAU-74)."""

    bought_or_built: bool = False
    revealed: bool = False


class SeatResult(msgspec.Struct, frozen=True):
    """A seat's score with its parts (NAU-80)."""

    seat: int
    fields: dict[str, int]
    """Finds by sort."""
    field_points: int
    mission: str
    mission_paid: int
    treasures: tuple[int, ...]
    """Numbers, ascending."""
    disc: int
    find_points: int
    module_points: dict[str, int]
    """0, 1 or 3 by colour."""
    module_total: int
    product: int
    money: int
    score: int
    place: int


class Result(msgspec.Struct, frozen=True):
    """How a match ended, and the scores."""

    seats: tuple[SeatResult, ...]
    winners: tuple[int, ...]
    rounds: int
    reasons: tuple[EndReason, ...]

    @property
    def reason(self) -> str:
        """All reasons in one word."""
        return "+".join(self.reasons)

    @property
    def scores(self) -> list[int]:
        """The score of each seat."""
        return [seat.score for seat in self.seats]

    def places(self, seats: int) -> list[int]:
        """Return the place of each seat; equal scores share a place (NAU-81)."""
        return [self.seats[seat].place for seat in range(seats)]


class State(Copyable):
    """Everything about a match. Pieces are numbers here; the view names them."""

    seats: Public[int]
    options: Options
    round: Public[int]
    first_seat: Public[int]
    phase: Public[Phase]
    step: Public[Step]
    active: Public[int]
    """-1 in the phases `mission` and `over`."""
    modules: Public[tuple[Placed, ...]]
    """In placing order; the base is the first."""
    passages: list[int]
    """By module in placing order: bit set of the modules with a passage to it (NAU-23)."""
    supply: Public[list[str]]
    """In table order."""
    hand: Public[list[tuple[Held, ...]]]
    researchers: list[list[int]]
    """By seat and researcher: the module's index in placing order, IN_STOCK or IN_HAND."""
    employed: list[int]
    """By seat: bit set of researchers."""
    submarines: list[list[Boat | None]]
    """By seat and submarine; None in stock."""
    money: Public[list[int]]
    level: list[list[int]]
    """By seat and colour."""
    three: list[int]
    """By colour: the holder of the 3-disc, -1 for nobody."""
    hidden: list[str]
    """By find place: the find that lies there face down; empty once it has left the sea."""
    known: list[tuple[int, ...]]
    """By seat: the find places it has looked at, ascending.

    Places that were emptied since are kept, for an undo may fill them again.
    """
    fields: list[tuple[str, ...]]
    """By seat: creatures and gold in the order of their taking."""
    treasures: list[int]
    """By number - 1: the seat with a marker on it, -1 for none, or AT_SEA."""
    removed: Public[tuple[str, ...]]
    """Finds spent or lost, in order."""
    mission: tuple[str, ...]
    mission_rest: tuple[str, ...]
    missions_open: bool
    abyss_visitors: Public[tuple[int, ...]]
    """Seats whose submarines have entered the abyss, ascending (NAU-59)."""
    turn: Public[Turn]
    pending: Public[Pending | None]
    round_log: Public[RoundLog]
    end_round: Public[int]
    """The last round; 0 until it is fixed."""
    end_reasons: Public[tuple[EndReason, ...]]
    mission_paid: Public[list[int]]
    """By seat: N paid, or UNPAID."""
    happened: int
    """Number of events so far; names the clock of each command."""
    result: Public[Result | None]


class View(msgspec.Struct, frozen=True):
    """What a viewer may know. Whatever is hidden from the viewer is `"?"`."""

    seats: int
    round: int
    first_seat: int
    phase: Phase
    step: Step
    active: int
    modules: tuple[Placed, ...]
    supply: tuple[str, ...]
    hand: tuple[tuple[Held, ...], ...]
    stock: tuple[tuple[str, ...], ...]
    subs_stock: tuple[tuple[str, ...], ...]
    researchers: dict[str, str]
    """Researcher on the board -> its module."""
    employed: tuple[str, ...]
    submarines: dict[str, Boat]
    """Submarines at sea."""
    money: tuple[int, ...]
    level: tuple[dict[str, int], ...]
    """By seat and colour."""
    three: dict[str, int]
    """Colour -> holder of the 3-disc, -1 for nobody."""
    hidden: tuple[tuple[int, int, str, str], ...]
    """`[column, row, zone, face]` in row order."""
    known: tuple[tuple[Cell, ...], ...]
    """By seat: the cells with hidden finds that it has looked at."""
    fields: tuple[dict[str, tuple[str, ...]], ...]
    """By seat: finds by sort."""
    treasures: dict[str, int]
    """Treasures that have left the sea: number -> seat, -1 without a marker."""
    removed: tuple[str, ...]
    mission: tuple[str, ...]
    mission_rest: tuple[str, ...]
    abyss_visitors: tuple[int, ...]
    turn: Turn
    pending: Pending | None
    round_log: RoundLog
    end_round: int
    end_reasons: tuple[EndReason, ...]
    mission_paid: tuple[int, ...]
    result: Result | None
