"""The commands of a seat. Names and fields are public API."""

from games.game import Tagged
from games.nautilus.components import Cell


class BuyModule(Tagged, frozen=True, gc=False):
    """Buy one module (NAU-10 to NAU-15)."""

    kind: str
    """A kind of habitation, or the id of a research module."""
    researchers: int
    """The crew of a habitation; 0 for a research module."""


class SkipBuy(Tagged, frozen=True, gc=False):
    """Decline to buy (NAU-10). With modules in hand, building becomes compulsory (NAU-17)."""


class PlaceModule(Tagged, frozen=True, gc=False):
    """Build one module from hand (NAU-18 to NAU-29)."""

    module: str
    cell: Cell
    """The centre of its square."""
    rotation: int
    """Quarter turns clockwise, 0 to 3."""


class EndBuild(Tagged, frozen=True, gc=False):
    """Finish building. After a placement the rest of the hand is discarded (NAU-30, NAU-31)."""


class MoveResearcher(Tagged, frozen=True, gc=False):
    """Move a researcher to a module and stop there (NAU-33 to NAU-41)."""

    researcher: str
    to: str


class EndResearch(Tagged, frozen=True, gc=False):
    """Finish the research turn (NAU-2)."""


class LaunchSubmarine(Tagged, frozen=True, gc=False):
    """Launch a submarine beside a blue exit of a research module (NAU-47 to NAU-49)."""

    module: str
    cell: Cell


class EndLaunch(Tagged, frozen=True, gc=False):
    """Finish launching (NAU-50)."""


class UseSonar(Tagged, frozen=True, gc=False):
    """Look at the hidden finds in range of a submarine (NAU-52)."""

    submarine: str


class MoveSubmarine(Tagged, frozen=True, gc=False):
    """Make a submarine's ordinary move (NAU-54 to NAU-63)."""

    submarine: str
    to: Cell


class BoostSubmarine(Tagged, frozen=True, gc=False):
    """Move a submarine by a thrust (NAU-67)."""

    submarine: str
    to: Cell


class BonusMoveResearcher(Tagged, frozen=True, gc=False):
    """Move a researcher by the bonus of a treasure (NAU-64)."""

    researcher: str
    to: str


class PeekFinds(Tagged, frozen=True, gc=False):
    """Look at one or two hidden finds by the blue ability (NAU-66)."""

    cells: tuple[Cell, ...]


class SkipBonus(Tagged, frozen=True, gc=False):
    """Decline the pending bonus (NAU-69)."""


class DockSubmarine(Tagged, frozen=True, gc=False):
    """Return a submarine to stock (NAU-70, NAU-71)."""

    submarine: str
    module: str


class EndDive(Tagged, frozen=True, gc=False):
    """Finish the dive (NAU-2)."""


class PayMission(Tagged, frozen=True, gc=False):
    """Pay 1 N for each of some mission finds (NAU-79)."""

    count: int


Command = (
    BuyModule
    | SkipBuy
    | PlaceModule
    | EndBuild
    | MoveResearcher
    | EndResearch
    | LaunchSubmarine
    | EndLaunch
    | UseSonar
    | MoveSubmarine
    | BoostSubmarine
    | BonusMoveResearcher
    | PeekFinds
    | SkipBonus
    | DockSubmarine
    | EndDive
    | PayMission
)
