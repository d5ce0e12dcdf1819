"""What can happen. Public, unless a docstring says what is hidden."""

from typing import Literal

from games.game import Tagged
from games.tranquility.components import Cell, Side

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
DiscardReason = Literal["cost", "pass", "start", "rocks", "storm", "hand", "flip"]
GainReason = Literal["start", "row", "hand", "explored"]


class Dealt(Tagged, frozen=True, gc=False):
    """The cards were dealt (TRA-7, TRA-10).

    Piles, removed islands and decks are hidden; only its seat sees a hand.
    """

    players: int
    removed: tuple[str, ...]
    deal_from: int
    """Seat that was dealt the first card; -1 in `competitive`."""
    first_seat: int
    piles: tuple[tuple[str, ...], ...]
    """Top first, without Start cards."""
    rocks_row: int
    explore: tuple[str, ...]
    deck: tuple[str, ...]
    row: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]


class DrawsQueued(Tagged, frozen=True, gc=False):
    """Draws were queued (TRA-21)."""

    entries: tuple[tuple[int, int], ...]
    """Seat and number of cards; -1 is up to the limit."""
    purpose: AfterDraws


class CardsDrawn(Tagged, frozen=True, gc=False):
    """A seat drew from its pile (TRA-14). Only that seat sees the cards."""

    seat: int
    cards: tuple[str, ...]
    count: int


class DrawsDone(Tagged, frozen=True, gc=False):
    """A seat finished drawing (TRA-21)."""

    seat: int


class StartsShuffled(Tagged, frozen=True, gc=False):
    """Each seat's Start card went into its pile (TRA-10). The places are hidden."""

    slots: tuple[int, ...]
    """Index in the pile, by seat."""


class TurnBegun(Tagged, frozen=True, gc=False):
    """A seat's turn began (TRA-11)."""

    seat: int
    turn: int


class PhaseEntered(Tagged, frozen=True, gc=False):
    """A decision point was reached (TRA-12)."""

    phase: Phase
    seats: tuple[int, ...]
    """Seats on the clock, ascending."""


class IslandPlaced(Tagged, frozen=True, gc=False):
    """A card was laid on the sea (TRA-2)."""

    seat: int
    card: str
    number: int
    cell: Cell
    cost: int
    side: Side
    owner: int


class CardsDiscarded(Tagged, frozen=True, gc=False):
    """A seat discarded cards face down. Nobody sees them again, not even the seat (TRA-20)."""

    seat: int
    cards: tuple[str, ...]
    count: int
    why: DiscardReason


class DeckDiscarded(Tagged, frozen=True, gc=False):
    """Two cards went from a pile to the discards, unseen by anyone (TRA-51)."""

    seat: int
    cards: tuple[str, ...]
    count: int


class StartPlaced(Tagged, frozen=True, gc=False):
    """A Start card was laid (TRA-23)."""

    seat: int
    card: str


class Pledged(Tagged, frozen=True, gc=False):
    """A seat pledged cards for the Start (TRA-26)."""

    seat: int
    count: int
    from_deck: bool


class FinishPlaced(Tagged, frozen=True, gc=False):
    """A Finish card was laid (TRA-31)."""

    seat: int
    card: str


class FinishBlocked(Tagged, frozen=True, gc=False):
    """Monsters in other hands blocked the Finish (TRA-45)."""

    seat: int
    holders: tuple[int, ...]


class MonsterPlayed(Tagged, frozen=True, gc=False):
    """A monster destroyed an island; both left the game (TRA-42)."""

    seat: int
    card: str
    cell: Cell
    destroyed: str


class CardFlipped(Tagged, frozen=True, gc=False):
    """A laid card was flipped (TRA-77)."""

    seat: int
    cell: Cell
    side: Side


class HandsTurned(Tagged, frozen=True, gc=False):
    """All hands were turned over (TRA-78)."""

    side: Side


class RocksMoved(Tagged, frozen=True, gc=False):
    """The rocks were moved to another row (TRA-37)."""

    seat: int
    row: int


class RocksKept(Tagged, frozen=True, gc=False):
    """The rocks stayed (TRA-37)."""

    seat: int


class RocksRemoved(Tagged, frozen=True, gc=False):
    """The rocks left the game (TRA-38)."""


class CompassGained(Tagged, frozen=True, gc=False):
    """A seat gained a compass (TRA-56)."""

    seat: int
    compass: str
    why: GainReason


class CompassUsed(Tagged, frozen=True, gc=False):
    """A compass, or a wild used as a compass, was spent on a storm (TRA-54)."""

    seat: int
    source: str
    storm: str


class StormDrawn(Tagged, frozen=True, gc=False):
    """A storm was drawn or explored (TRA-48)."""

    seat: int
    storm: str
    origin: Origin


class WindowPassed(Tagged, frozen=True, gc=False):
    """A seat decided not to use its compass (TRA-54)."""

    seat: int


class StormLanded(Tagged, frozen=True, gc=False):
    """A storm was placed before a seat or on a row (TRA-49, TRA-52, TRA-53)."""

    storm: str
    seat: int
    """-1 for a purple storm."""
    row: int
    """-1 for a yellow or orange storm."""


class StormCancelled(Tagged, frozen=True, gc=False):
    """A storm was cancelled and left the game (TRA-54)."""

    storm: str


class StormFizzled(Tagged, frozen=True, gc=False):
    """A purple storm found no row with a free cell (TRA-52)."""

    storm: str


class Explored(Tagged, frozen=True, gc=False):
    """The top exploration card was revealed (TRA-71)."""

    seat: int
    card: str


class RowTaken(Tagged, frozen=True, gc=False):
    """Cards were taken from the face-up row (TRA-81)."""

    seat: int
    cards: tuple[str, ...]


class RowRefilled(Tagged, frozen=True, gc=False):
    """The face-up row was refilled (TRA-81)."""

    cards: tuple[str, ...]


class VoyageWon(Tagged, frozen=True, gc=False):
    """All seats won (TRA-31)."""

    seat: int


class VoyageLost(Tagged, frozen=True, gc=False):
    """All seats lost (TRA-33)."""

    seat: int
    reason: Reason


class RaceEnded(Tagged, frozen=True, gc=False):
    """The race of two ended (TRA-83)."""

    reason: Reason
    scores: tuple[int, ...]
    winners: tuple[int, ...]


ModuleEvent = (
    RocksMoved
    | RocksKept
    | RocksRemoved
    | MonsterPlayed
    | StormDrawn
    | StormLanded
    | StormCancelled
    | StormFizzled
    | WindowPassed
    | CompassGained
    | CompassUsed
    | Explored
    | CardFlipped
    | HandsTurned
    | RowTaken
    | RowRefilled
    | RaceEnded
)
"""Events that only a module or a variant has."""
Event = (
    Dealt
    | DrawsQueued
    | CardsDrawn
    | DrawsDone
    | StartsShuffled
    | TurnBegun
    | PhaseEntered
    | IslandPlaced
    | CardsDiscarded
    | DeckDiscarded
    | StartPlaced
    | Pledged
    | FinishPlaced
    | FinishBlocked
    | VoyageWon
    | VoyageLost
    | ModuleEvent
)
