"""The events of a match. Names and fields are public API; `view` redacts them."""

from typing import Literal

from msgspec import UNSET, UnsetType

from games.game import Tagged
from games.nautilus.components import Cell
from games.nautilus.model import BonusType, EndReason, Phase, Result, Step


class GameSetUp(Tagged, frozen=True, gc=False):
    """Money, first seat and base are set (NAU-4 to NAU-7, NAU-83). Public."""

    seats: int
    first_seat: int
    base_cell: Cell
    money: int
    """N of each seat."""
    extra: tuple[int, ...] | UnsetType = UNSET
    """N that each seat gets besides (NAU-83). Absent if no seat does."""


class SeaStocked(Tagged, frozen=True, gc=False):
    """Finds were laid on all find places (NAU-8). The ids are hidden from everyone."""

    finds: tuple[tuple[int, int, str], ...]
    """`[column, row, find]` in row order."""


class MissionsDealt(Tagged, frozen=True, gc=False):
    """Mission cards were dealt (NAU-9). Each seat sees its own."""

    order: tuple[str, ...]
    """Card i goes to seat i; the rest stay out."""


class TurnAdvanced(Tagged, frozen=True, gc=False):
    """Another step began (NAU-1, NAU-2, NAU-76). Public."""

    round: int
    phase: Phase
    step: Step
    seat: int
    """-1 in the mission phase."""
    first_seat: int


class ModuleBought(Tagged, frozen=True, gc=False):
    """A module went from the supply to a hand, with its crew (NAU-10 to NAU-13). Public."""

    seat: int
    module: str
    researchers: tuple[str, ...]
    cost: int


class BuySkipped(Tagged, frozen=True, gc=False):
    """A seat declined to buy, or could not (NAU-17, NAU-76). Public."""

    seat: int


class ModulePlaced(Tagged, frozen=True, gc=False):
    """A module was built (NAU-19 to NAU-29). Public."""

    seat: int
    module: str
    cell: Cell
    rotation: int
    rank: int
    """Rank of the deepest zone of this build so far."""
    cost: int
    """N that this placement adds to the price of the build."""
    owner: int
    """The builder of a research module, else -1."""
    researchers: tuple[str, ...]


class FindCovered(Tagged, frozen=True, gc=False):
    """A module covered a find, which left the sea (NAU-25). Public."""

    seat: int
    """-1 at set-up."""
    cell: Cell
    find: str


class ModulesDiscarded(Tagged, frozen=True, gc=False):
    """Modules went from a hand to the supply, their crews to stock (NAU-30, NAU-32). Public."""

    seat: int
    modules: tuple[str, ...]
    """In hand order."""
    researchers: tuple[str, ...]
    """Ascending."""


class BuildEnded(Tagged, frozen=True, gc=False):
    """A seat finished building (NAU-30 to NAU-32). Public."""

    seat: int


class ResearcherMoved(Tagged, frozen=True, gc=False):
    """A researcher moved along a shortest route (NAU-35). Public."""

    seat: int
    researcher: str
    path: tuple[str, ...]
    """Module ids, from the start to the stop."""
    bonus: bool


class ModuleActivated(Tagged, frozen=True, gc=False):
    """A researcher was employed and a level rose (NAU-36, NAU-40 to NAU-46). Public."""

    seat: int
    module: str
    researcher: str
    colour: str
    level: int
    rent_to: int
    """The seat that gets 1 N, -1 for nobody."""
    disc: Literal[0, 1]
    """The number that the seat's own disc shows now."""
    three_taken: bool
    three_from: int
    """The former holder of the 3-disc; -1 if it had none or was not taken."""


class ResearchEnded(Tagged, frozen=True, gc=False):
    """A seat finished its research turn (NAU-2). Public."""

    seat: int


class SubmarineLaunched(Tagged, frozen=True, gc=False):
    """A submarine went to sea, its researcher to stock (NAU-47 to NAU-49). Public."""

    seat: int
    submarine: str
    module: str
    researcher: str
    cell: Cell
    in_abyss: bool


class LaunchEnded(Tagged, frozen=True, gc=False):
    """A seat finished launching (NAU-50). Public."""

    seat: int


class SonarUsed(Tagged, frozen=True, gc=False):
    """A seat looked at the hidden finds in range (NAU-52). Only that seat sees the faces."""

    seat: int
    submarine: str
    range: int
    cells: tuple[Cell, ...]
    """In row order."""
    faces: tuple[str, ...] | UnsetType = UNSET
    """In the order of `cells`; left out for others."""


class SubmarineMoved(Tagged, frozen=True, gc=False):
    """A submarine made its ordinary move or a boost (NAU-54 to NAU-60, NAU-67). Public."""

    seat: int
    submarine: str
    path: tuple[Cell, ...]
    """From the start to the goal."""
    boost: bool


class FindTaken(Tagged, frozen=True, gc=False):
    """A submarine collected a find (NAU-61 to NAU-69). Public."""

    seat: int
    submarine: str
    cell: Cell
    find: str
    fee: int
    gain: int
    """N from a chest."""
    pending: Literal["", "thrust", "research", "peek"]
    """The bonus that opens, or an empty string."""
    amount: int


class FindLost(Tagged, frozen=True, gc=False):
    """A find was turned up, but the fee could not be paid (NAU-63). Public."""

    seat: int
    submarine: str
    cell: Cell
    find: str


class FindsPeeked(Tagged, frozen=True, gc=False):
    """A seat looked at one or two hidden finds (NAU-66). Only that seat sees the faces."""

    seat: int
    cells: tuple[Cell, ...]
    faces: tuple[str, ...] | UnsetType = UNSET
    """In the order of `cells`; left out for others."""


class BonusSkipped(Tagged, frozen=True, gc=False):
    """A seat declined a bonus (NAU-69). Public."""

    seat: int
    bonus: BonusType


class SubmarineDocked(Tagged, frozen=True, gc=False):
    """A submarine returned to stock (NAU-70, NAU-71). Public."""

    seat: int
    submarine: str
    module: str
    researcher: str
    """The researcher that got off there; empty if none was in stock."""


class DiveEnded(Tagged, frozen=True, gc=False):
    """A seat finished its dive (NAU-2). Public."""

    seat: int


class EndTriggered(Tagged, frozen=True, gc=False):
    """The last round is fixed, or has a further reason (NAU-72 to NAU-75). Public."""

    reason: EndReason
    last_round: int


class MissionsRevealed(Tagged, frozen=True, gc=False):
    """All dealt mission cards were opened (NAU-9). Public."""

    missions: tuple[str, ...]
    """By seat."""


class MissionPaid(Tagged, frozen=True, gc=False):
    """A seat paid for its mission finds (NAU-79). Public."""

    seat: int
    count: int


class GameScored(Tagged, frozen=True, gc=False):
    """The match is over and nothing is hidden any more (NAU-77 to NAU-81). Public."""

    result: Result


Event = (
    GameSetUp
    | SeaStocked
    | MissionsDealt
    | TurnAdvanced
    | ModuleBought
    | BuySkipped
    | ModulePlaced
    | FindCovered
    | ModulesDiscarded
    | BuildEnded
    | ResearcherMoved
    | ModuleActivated
    | ResearchEnded
    | SubmarineLaunched
    | LaunchEnded
    | SonarUsed
    | SubmarineMoved
    | FindTaken
    | FindLost
    | FindsPeeked
    | BonusSkipped
    | SubmarineDocked
    | DiveEnded
    | EndTriggered
    | MissionsRevealed
    | MissionPaid
    | GameScored
)

TURNS_UP = frozenset((FindCovered, FindTaken, FindLost))
"""Events that turn up a find."""
