"""What happens; names and fields are public API. `games/nautilus/view.py` says who sees what of it."""

from typing import Literal

from msgspec import UNSET, UnsetType

from games.game import Tagged
from games.nautilus.components import Cell
from games.nautilus.model import BonusType, EndReason, Phase, Result, Step


class GameSetUp(Tagged, frozen=True, gc=False):
    """Money, pieces, first seat and base (section 4, steps 1 and 2; NAU-4 to NAU-7). Public."""

    seats: int
    first_seat: int
    base_cell: Cell
    money: int
    """The same for each seat."""


class SeaStocked(Tagged, frozen=True, gc=False):
    """The finds lie on their places (NAU-8). The ids are hidden from everyone."""

    finds: tuple[tuple[int, int, str], ...]
    """`[column, row, find]` in row order."""


class MissionsDealt(Tagged, frozen=True, gc=False):
    """Seat i gets card i, the rest stay out (NAU-9). Each seat sees its own."""

    order: tuple[str, ...]


class TurnAdvanced(Tagged, frozen=True, gc=False):
    """The game waits at another point (NAU-1, NAU-2, NAU-76). Public."""

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
    """A seat declined, or could not buy (NAU-17, NAU-76). Public."""

    seat: int


class ModulePlaced(Tagged, frozen=True, gc=False):
    """A module was built (NAU-19 to NAU-29). Public."""

    seat: int
    module: str
    cell: Cell
    rotation: int
    rank: int
    """Of the deepest zone of this build so far."""
    cost: int
    """What this placement adds to the price of the build."""
    owner: int
    researchers: tuple[str, ...]


class FindCovered(Tagged, frozen=True, gc=False):
    """A module covered a find, which leaves the sea (NAU-25). Public."""

    seat: int
    """-1 at set-up."""
    cell: Cell
    find: str


class ModulesDiscarded(Tagged, frozen=True, gc=False):
    """Modules went from a hand back to the supply, their crews to stock (NAU-30, NAU-32). Public."""

    seat: int
    modules: tuple[str, ...]
    """In hand order."""
    researchers: tuple[str, ...]
    """Rising."""


class BuildEnded(Tagged, frozen=True, gc=False):
    """A seat finished building (NAU-30 to NAU-32). Public."""

    seat: int


class ResearcherMoved(Tagged, frozen=True, gc=False):
    """A researcher moved along a shortest route (NAU-35). Public."""

    seat: int
    researcher: str
    path: tuple[str, ...]
    """Module ids, from where it stood to where it stops."""
    bonus: bool


class ModuleActivated(Tagged, frozen=True, gc=False):
    """The mover is employed and the colour rises (NAU-36, NAU-40 to NAU-46). Public."""

    seat: int
    module: str
    researcher: str
    colour: str
    level: int
    rent_to: int
    """Who gets 1 N, -1 for nobody."""
    disc: Literal[0, 1]
    """The side of the seat's own disc that is up now."""
    three_taken: bool
    three_from: int
    """The former holder of the 3-disc; -1 where it came from the supply or was not taken."""


class ResearchEnded(Tagged, frozen=True, gc=False):
    """A seat finished its research turn (NAU-2). Public."""

    seat: int


class SubmarineLaunched(Tagged, frozen=True, gc=False):
    """A submarine went to sea, its crew to stock (NAU-47 to NAU-49). Public."""

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
    """A seat looked at the hidden finds in range (NAU-52). The faces are for that seat only."""

    seat: int
    submarine: str
    range: int
    cells: tuple[Cell, ...]
    """Row order."""
    faces: tuple[str, ...] | UnsetType = UNSET
    """In the order of `cells`; left out for others."""


class SubmarineMoved(Tagged, frozen=True, gc=False):
    """A submarine made its move, or a boost (NAU-54 to NAU-60, NAU-67). Public."""

    seat: int
    submarine: str
    path: tuple[Cell, ...]
    boost: bool


class FindTaken(Tagged, frozen=True, gc=False):
    """A submarine salvaged a find (NAU-61 to NAU-69). Public."""

    seat: int
    submarine: str
    cell: Cell
    find: str
    fee: int
    gain: int
    """N out of a chest."""
    pending: Literal["", "thrust", "research", "peek"]
    amount: int


class FindLost(Tagged, frozen=True, gc=False):
    """A find was turned up, but the fee could not be paid (NAU-63). Public."""

    seat: int
    submarine: str
    cell: Cell
    find: str


class FindsPeeked(Tagged, frozen=True, gc=False):
    """A seat looked at one or two hidden finds (NAU-66). The faces are for that seat only."""

    seat: int
    cells: tuple[Cell, ...]
    faces: tuple[str, ...] | UnsetType = UNSET
    """In the order of `cells`; left out for others."""


class BonusSkipped(Tagged, frozen=True, gc=False):
    """A seat let a bonus go (NAU-69). Public."""

    seat: int
    bonus: BonusType


class SubmarineDocked(Tagged, frozen=True, gc=False):
    """A submarine came back into stock (NAU-70, NAU-71). Public."""

    seat: int
    submarine: str
    module: str
    researcher: str
    """Who got off there; empty when the stock had nobody."""


class DiveEnded(Tagged, frozen=True, gc=False):
    """A seat finished its dive (NAU-2). Public."""

    seat: int


class EndTriggered(Tagged, frozen=True, gc=False):
    """The end is fixed, or a further reason for it (NAU-72 to NAU-75). Public."""

    reason: EndReason
    last_round: int


class MissionsRevealed(Tagged, frozen=True, gc=False):
    """The mission phase begins (NAU-9): all dealt cards are open. Public."""

    missions: tuple[str, ...]
    """By seat."""


class MissionPaid(Tagged, frozen=True, gc=False):
    """A seat paid for its mission finds (NAU-79). Public."""

    seat: int
    count: int


class GameScored(Tagged, frozen=True, gc=False):
    """The game is over; nothing is hidden any more (NAU-77 to NAU-81). Public."""

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

TURNS_UP = (FindCovered, FindTaken, FindLost)
