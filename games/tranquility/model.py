"""Options, state, view and result (sections 3, 11, 12 and 15 of the rules)."""

from typing import Annotated, Literal

import msgspec

from games.tranquility.components import Colour, Difficulty, Side, Variant

Phase = Literal[
    "action",
    "start_pledge",
    "start_pay",
    "explore_monster",
    "explore_rocks",
    "rocks",
    "storm_window",
    "storm_row",
    "storm_discard",
    "rescue",
    "confirm",
    "take",
    "over",
]
AfterDraws = Literal["opening", "pledge", "next_turn"]
Origin = Literal["draw", "explore"]
Reason = Literal[
    "finish-placed", "no-action", "start-unpaid", "wrong-side-up", "grid-full", "abandoned"
]
Outcome = Literal["won", "lost", "race"]
Talk = Literal["closed", "start", "compass", "open"]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=86400, description="0 or at least 5; 0 = no clock")]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a match is played (section 15)."""

    variant: Variant = "standard"
    difficulty: Difficulty = "none"
    """How many islands are taken away unseen (TRA-7)."""
    rocks: bool = False
    monsters: Literal[0, 3, 4, 5] = 0
    storms: bool = False
    wilds: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    first_player: Literal["fewest", "random"] = "fewest"
    communication: Literal["strict", "open"] = "strict"
    memory_aid: bool = False
    """A seat sees its own discards, against TRA-20."""
    confirm_draw: bool = False
    """A turn stops before the draw, so that its action can still be taken back."""
    abandon: Literal["autopilot", "lose"] = "autopilot"
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
    """The seat that laid it."""


class Offer(msgspec.Struct, frozen=True, gc=False):
    """What a seat promised to give for the Start."""

    count: int
    from_deck: bool
    """Two of them come unseen from its pile (TRA-51)."""


class Storm(msgspec.Struct, frozen=True, gc=False):
    """A storm on the table."""

    card: str
    colour: Colour
    seat: int
    """Before whom it lies; -1 for a purple one."""
    row: int
    """Where it lies; -1 for the others."""


class PendingStorm(msgspec.Struct, frozen=True, gc=False):
    """A storm that has not landed yet."""

    card: str
    seat: int
    origin: Origin


class Result(msgspec.Struct, frozen=True):
    """How the voyage ended (section 11)."""

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
        """Give each seat's place; who wins or loses together shares one."""
        if self.outcome == "race" and 0 < len(self.winners) < seats:
            return [1 if seat in self.winners else 2 for seat in range(seats)]
        return [1] * seats


class State(msgspec.Struct):
    """The whole table; lists keep their order, a pile's top is its index 0."""

    players: int
    options: Options
    grid: list[Laid | None]
    """In chain order."""
    hands: list[list[str]]
    """In card order."""
    piles: list[list[str]]
    discards: list[list[str]]
    blind: list[list[str]]
    """Those discards that came unseen from the pile (TRA-51)."""
    pledges: list[Offer | None]
    paid: list[bool]
    compasses: list[list[str]]
    compass_supply: list[str]
    hands_side: Side
    phase: Phase = "action"
    active: int = 0
    turn: int = 0
    waiting: list[int] = []
    removed: list[str] = []
    out: list[str] = []
    start_placed: str | None = None
    finish_placed: str | None = None
    shares: list[int] = []
    draw_queue: list[tuple[int, int]] = []
    after_draws: AfterDraws = "opening"
    rocks_row: int = -1
    rocks_done: bool = False
    storms: list[Storm] = []
    pending_storm: PendingStorm | None = None
    passed: list[int] = []
    revealed: str | None = None
    finish_tried: bool = False
    monster_holders: list[int] = []
    explore: list[str] = []
    deck: list[str] = []
    row: list[str] = []
    result: Result | None = None

    def copy(self) -> "State":
        """Give an independent copy."""
        return State(
            self.players,
            self.options,
            self.grid[:],
            [hand[:] for hand in self.hands],
            [pile[:] for pile in self.piles],
            [discards[:] for discards in self.discards],
            [blind[:] for blind in self.blind],
            self.pledges[:],
            self.paid[:],
            [compasses[:] for compasses in self.compasses],
            self.compass_supply[:],
            self.hands_side,
            self.phase,
            self.active,
            self.turn,
            self.waiting[:],
            self.removed[:],
            self.out[:],
            self.start_placed,
            self.finish_placed,
            self.shares[:],
            self.draw_queue[:],
            self.after_draws,
            self.rocks_row,
            self.rocks_done,
            self.storms[:],
            self.pending_storm,
            self.passed[:],
            self.revealed,
            self.finish_tried,
            self.monster_holders[:],
            self.explore[:],
            self.deck[:],
            self.row[:],
            self.result,
        )


class View(msgspec.Struct, frozen=True):
    """What one viewer may know (section 12): the state's names, hidden cards as `?`."""

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
