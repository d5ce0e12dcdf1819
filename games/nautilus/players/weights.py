"""The weights of the bots: what is worth how much, and how long it may wait."""

from typing import NamedTuple


class Weights(NamedTuple):
    """All that differs between levels; set by hand where a level doesn't say otherwise."""

    # ---- money and time
    fuel: float = 2.0
    """What 1 N is worth early in the match beyond the point that it counts in the end."""
    fuel_rounds: float = 12.0
    """Rounds before the end in which that falls to nothing."""
    fees_kept: float = 2.0
    """N that stay for fees."""
    beyond: int = 0
    """Rounds that are planned for beyond those that matches last."""
    patience: float = 0.7
    """What a gain keeps of its worth when it comes a round later."""
    # ---- finds
    finding: float = 0.5
    """Find points that a round brings."""
    treasure: float = 1.4
    """Find points that a treasure is worth by its disc and its research bonus."""
    thrust: float = 0.5
    look: float = 0.15
    """Find points of a look at one more find."""
    covering: float = 0.5
    """Part of a find's worth that is lost when a module covers it."""
    further: float = 0.6
    """What the next best find keeps of its worth, and the one after it again."""
    launching: float = 1.0
    """What a launch is worth, in gains of the three finds that are best for it: more finds follow, and rivals are after them."""
    # ---- modules
    growing: float = 0.45
    """Module points that a round brings."""
    first: float = 1.0
    """Module points of the first level in a colour, for the way that it opens to the second."""
    first_behind: float = 0.5
    """The same where a rival has two levels already."""
    second: float = 3.0
    second_behind: float = 1.0
    third_held: float = 0.5
    """A further level of a seat that holds the 3-disc."""
    third_ahead: float = 2.0
    third: float = 0.7
    """A further level that doesn't bring the 3-disc."""
    green: float = 0.3
    """Module points that a better ability is worth early in the match, by colour."""
    grey: float = 0.5
    brown: float = 0.1
    blue: float = 0.1
    black: float = 0.2
    rent: float = 0.5
    """What is paid to a rival hurts beyond the loss of it."""
    # ---- the station
    step: float = 0.75
    """What a gain keeps of its worth for each researcher move that it takes."""
    unstaffed: float = 0.1
    """What a research module keeps of its worth while nobody can go there."""
    harbour: float = 0.5
    """Part of what a new module gains as a harbour."""
    wait: float = 0.0
    """What a module keeps of its worth that is built a round later, with another one for one price."""
    plan: float = 0.6
    """What employment in a module keeps of its worth that is still to be bought."""


PLAIN = Weights(unstaffed=0.75**8)
"""Set by hand."""
TUNED_TWO = PLAIN._replace(beyond=5, fuel=3.2, finding=0.8, covering=0.1)
"""Found by self-play with two seats, one weight at a time (seeds from 130,000 and 800,000 on)."""
TUNED_THREE = TUNED_TWO._replace(launching=2.5)
"""Those, and more submarines early: found by self-play with three seats (seeds from 301,000 on)."""
TUNED_FOUR = PLAIN._replace(
    launching=2.5,
    wait=0.9,
    patience=0.8,
    growing=0.55,
    fuel_rounds=13.0,
    plan=0.66,
    finding=0.65,
    first=1.2,
    further=0.64,
    treasure=1.5,
)
"""Found by self-play with four seats: slopes of the share won over random weights (seeds from 140,000 and 300,000 on)."""
TUNED = {2: TUNED_TWO, 3: TUNED_THREE, 4: TUNED_FOUR}
"""By seats."""
