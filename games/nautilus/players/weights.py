"""The weights of the bots: how much things are worth, and how fast gains fade."""

from typing import NamedTuple


class Weights(NamedTuple):
    """All weights; the defaults are set by hand."""

    # ---- money and time
    fuel: float = 2.0
    """Worth of 1 N early in the match, beyond the point that it scores in the end."""
    fuel_rounds: float = 12.0
    """Rounds before the end in which `fuel` falls to nothing."""
    fees_kept: float = 2.0
    """N that are kept for fees."""
    beyond: int = 0
    """Rounds to plan for, beyond the typical length of a match."""
    patience: float = 0.7
    """Factor of a gain that comes a round later."""
    # ---- finds
    finding: float = 0.5
    """Find points that a round is expected to bring."""
    treasure: float = 1.4
    """Find points for the disc and the research bonus of a treasure."""
    thrust: float = 0.5
    """Find points of a thrust."""
    look: float = 0.15
    """Find points of a look at one find."""
    covering: float = 0.5
    """Part of a find's worth that is lost if a module covers it."""
    further: float = 0.6
    """Factor of the second best find; its square is that of the third."""
    launching: float = 1.0
    """Factor of the best three finds for a launch: others follow, but rivals compete for them."""
    # ---- modules
    growing: float = 0.45
    """Module points that a round is expected to bring."""
    first: float = 1.0
    """Module points of the first level in a colour, as the way to the second."""
    first_behind: float = 0.5
    """The same if a rival has two levels already."""
    second: float = 3.0
    """Module points of the second level."""
    second_behind: float = 1.0
    """The same if a rival has two levels already."""
    third_held: float = 0.5
    """Module points of a further level of the holder of the 3-disc."""
    third_ahead: float = 2.0
    """Module points of a further level that takes the 3-disc."""
    third: float = 0.7
    """Module points of a further level without the 3-disc."""
    green: float = 0.3
    """Module points of a better ability early in the match, by colour."""
    grey: float = 0.5
    brown: float = 0.1
    blue: float = 0.1
    black: float = 0.2
    rent: float = 0.5
    """Points for N that a rival gets, beyond the loss of it."""
    # ---- the station
    step: float = 0.75
    """Factor of a gain for each researcher move that it takes."""
    unstaffed: float = 0.1
    """Factor of a research module to which no researcher can go."""
    harbour: float = 0.5
    """Factor of what a new module gains as a harbour."""
    wait: float = 0.0
    """Factor of a module that is built a round later, together with another one for one price."""
    plan: float = 0.6
    """Factor of employment in a module that is still to be bought."""


PLAIN = Weights(unstaffed=0.75**8)
"""Set by hand."""
TUNED_TWO = PLAIN._replace(beyond=5, fuel=3.2, finding=0.8, covering=0.1)
"""Found by self-play with two seats, one weight at a time (seeds from 130,000 and 800,000 on)."""
TUNED_THREE = TUNED_TWO._replace(launching=2.5)
"""More submarines early: found by self-play with three seats (seeds from 301,000 on)."""
TUNED_FOUR = PLAIN._replace(
    fuel=2.08,
    fuel_rounds=17.32,
    fees_kept=1.98,
    patience=0.63,
    finding=0.88,
    treasure=1.37,
    thrust=0.35,
    covering=0.36,
    further=0.74,
    launching=3.27,
    growing=0.54,
    first=1.52,
    first_behind=0.55,
    second=2.76,
    second_behind=0.97,
    third_held=0.59,
    third_ahead=2.32,
    third=0.49,
    green=0.24,
    grey=0.47,
    blue=0.08,
    rent=0.67,
    step=0.61,
    harbour=0.46,
    wait=0.83,
    plan=0.77,
)
"""Found by self-play with four seats, by 20 steps of `tests.bench.tune nautilus-4 --pairs 400`.

They began with what slopes of the share won over random weights had found.
"""
TUNED = {2: TUNED_TWO, 3: TUNED_THREE, 4: TUNED_FOUR}
"""By seats."""
