"""Options, state, view and result of Nautilus. Commands and events stand beside, in their own modules."""

from typing import Annotated, Literal

import msgspec

from games.nautilus.components import Cell

Phase = Literal["setup", "build", "research", "dive", "mission", "over"]


Step = Literal["", "buy", "place", "move", "launch", "sail", "pay"]


BonusType = Literal["thrust", "research", "peek"]


EndReason = Literal["treasures_13_14_15", "all_treasures", "idle_round"]


IN_STOCK = -1
"""Where a researcher is that lies at its seat."""


IN_HAND = -2
"""Where a researcher is that crews an unbuilt module."""


AT_SEA = -2
"""Where a treasure is that is still hidden."""


UNPAID = -1


Seconds = Annotated[int, msgspec.Meta(ge=20, le=86400)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a match may be set to (section 15)."""

    first_seat: Literal["random", "seat_0"] = "random"
    """Who starts round 1 (NAU-4)."""
    base_cell: Cell = (15, 12)
    """Centre of the base; its nine cells must all be lagoon (NAU-7)."""
    sonar_range: Literal["list", "text"] = "list"
    """3/4/5, or 4/5/6 (ruling W-1)."""
    force_build_at_four: bool = False
    """Four modules in hand must be built at once (ruling W-5)."""
    open_missions: bool = False
    """Dealt mission cards are public from the start."""
    zero_treasure_disc: Literal["lowest", "none"] = "lowest"
    """What seats without any treasure count (NAU-78)."""
    turn_seconds: Seconds = 120
    """Per command."""
    mission_seconds: Seconds = 120


class Placed(msgspec.Struct, frozen=True, gc=False):
    """A module on the board."""

    id: str
    cell: Cell
    """Its centre."""
    rot: int
    owner: int
    """Who built it; -1 for the base and habitations."""


class Held(msgspec.Struct, frozen=True, gc=False):
    """A module in hand."""

    module: str
    researchers: tuple[str, ...]


class Boat(msgspec.Struct, frozen=True, gc=False):
    """A submarine at sea."""

    cell: Cell
    launched_in_abyss: bool
    moved: bool = False
    """Its ordinary move of this dive is made."""
    sonared: bool = False


class Turn(msgspec.Struct, frozen=True, gc=False):
    """What the active seat has done so far in its step."""

    bought: bool = False
    must_build: bool = False
    built: tuple[str, ...] = ()
    paid_rank: int = 0
    """Of the deepest zone that this build has paid for (NAU-27)."""
    moves_used: int = 0
    movers: tuple[str, ...] = ()
    """The researchers that moved (NAU-34), in that order."""


class Pending(msgspec.Struct, frozen=True, gc=False):
    """A bonus that waits for the active seat."""

    type: BonusType
    amount: int


class RoundLog(msgspec.Struct, frozen=True, gc=False):
    """What keeps a round from being idle (NAU-74)."""

    bought_or_built: bool = False
    revealed: bool = False


class SeatResult(msgspec.Struct, frozen=True):
    """One seat's score with its parts (section 11)."""

    seat: int
    fields: dict[str, int]
    """Finds by sort."""
    field_points: int
    mission: str
    mission_paid: int
    treasures: tuple[int, ...]
    """Rising numbers."""
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
    """How a match ended."""

    seats: tuple[SeatResult, ...]
    winners: tuple[int, ...]
    rounds: int
    reasons: tuple[EndReason, ...]

    def places(self, seats: int) -> list[int]:
        """Give the place of each seat; equal scores share it (NAU-81)."""
        return [self.seats[seat].place for seat in range(seats)]


class State(msgspec.Struct):
    """All there is to know of a match; section 3, with pieces by number."""

    seats: int
    options: Options
    round: int
    first_seat: int
    phase: Phase
    step: Step
    active: int
    """-1 in the phases `mission` and `over`."""
    modules: list[Placed]
    """In placing order; the base is the first."""
    passages: list[int]
    """By module in placing order: bit set of the modules with a passage to it (NAU-23)."""
    supply: list[str]
    """In table order."""
    hand: list[list[Held]]
    researchers: list[list[int]]
    """Seat, then researcher: number of its module in placing order, IN_STOCK or IN_HAND."""
    employed: list[int]
    """Seat: bit set of researchers."""
    submarines: list[list[Boat | None]]
    """Seat, then submarine; None in stock."""
    money: list[int]
    level: list[list[int]]
    """Seat, then colour."""
    three: list[int]
    """Colour: holder of the 3-disc, -1 for nobody."""
    hidden: list[str]
    """Find place: what lies there face down; empty once it left the sea."""
    known: list[list[int]]
    """Seat: the find places it has looked at, rising; also emptied ones, for an undo may fill them again."""
    fields: list[list[str]]
    """Seat: creatures and gold in the order of their taking."""
    treasures: list[int]
    """Number - 1: whose marker lies on it, -1 for none, AT_SEA."""
    removed: list[str]
    """Finds spent or lost, in order."""
    mission: list[str]
    mission_rest: list[str]
    missions_open: bool
    abyss_visitors: list[int]
    """Seats, rising (NAU-59)."""
    turn: Turn
    pending: Pending | None
    round_log: RoundLog
    end_round: int
    """The last round, 0 while it isn't fixed."""
    end_reasons: list[EndReason]
    mission_paid: list[int]
    """Seat: N paid, -1 while open."""
    happened: int
    """Events so far; names the clock of each command."""
    result: Result | None

    def copy(self) -> "State":
        """Give an independent copy."""
        return State(
            self.seats,
            self.options,
            self.round,
            self.first_seat,
            self.phase,
            self.step,
            self.active,
            self.modules[:],
            self.passages[:],
            self.supply[:],
            [held[:] for held in self.hand],
            [where[:] for where in self.researchers],
            self.employed[:],
            [boats[:] for boats in self.submarines],
            self.money[:],
            [levels[:] for levels in self.level],
            self.three[:],
            self.hidden[:],
            [places[:] for places in self.known],
            [finds[:] for finds in self.fields],
            self.treasures[:],
            self.removed[:],
            self.mission[:],
            self.mission_rest[:],
            self.missions_open,
            self.abyss_visitors[:],
            self.turn,
            self.pending,
            self.round_log,
            self.end_round,
            self.end_reasons[:],
            self.mission_paid[:],
            self.happened,
            self.result,
        )


class View(msgspec.Struct, frozen=True):
    """What one viewer may know: section 3 under its names. What is hidden from the viewer is `"?"`."""

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
    money: tuple[int, ...]
    level: tuple[dict[str, int], ...]
    three: dict[str, int]
    hidden: tuple[tuple[int, int, str, str], ...]
    """`[column, row, zone, face]` in row order."""
    known: tuple[tuple[Cell, ...], ...]
    """By seat: the cells it has looked at."""
    fields: tuple[dict[str, tuple[str, ...]], ...]
    treasures: dict[str, int]
    """Treasures that left the sea: number -> seat, -1 without a marker."""
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
