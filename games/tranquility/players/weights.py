"""The weights of the bots: what risks, payments and cards are worth."""

from typing import NamedTuple

from games.tranquility.model import Options


class Weights(NamedTuple):
    """All weights, in cards. The defaults of factors change nothing."""

    risk: float
    """Risk of a gap with as many numbers as free cells, per cell."""
    steep: float
    """How fast the risk falls with more numbers."""
    fare: float
    """Cards to pay at least, per cell that cannot be filled for nothing."""
    spread: float
    """More cards to pay per such cell and unit of distance between the numbers around."""
    card: float
    """Value of one card of the crew."""
    unseen: float = 1.0
    """Weight of a number that may be anywhere, relative to one in the own hand."""
    single: float = 1.0
    """Factor on the risk of a single free cell between two cards."""
    double: float = 1.0
    """Factor on the risk of two free cells between two cards."""
    least: float = 1.0
    """Factor on the expected least price of a single free cell."""
    trust: float = 1.5
    """How surely a number will be at hand when it is needed."""
    finish: float = 4.0
    """Value of the last Finish in hand when no other will come."""
    relief: float = 0.85
    """How fast that value falls with each Finish expected in the piles."""
    spare_finish: float = 0.1
    """Value of each other Finish in hand."""
    wild: float = 3.0
    monster: float = 2.0
    """Value of getting rid of a monster."""
    side: float = 2.5
    """Value of a card that faces the right way (`day_night`)."""
    compass: float = 3.0
    scarce: float = 0.0
    """How much dearer a card is to a seat that has few for the turns to come."""


TUNED = Weights(
    risk=1.512,
    steep=1.899,
    single=0.61,
    double=1.045,
    fare=1.085,
    spread=0.523,
    card=0.8,
    unseen=0.738,
    least=1.196,
    trust=1.308,
    finish=3.308,
    relief=1.035,
    spare_finish=0.129,
)
"""Tuned for crews of 1 to 5 with 0, 6 and 12 islands removed."""
TUNED_STORMS = Weights(
    risk=1.441,
    steep=1.852,
    single=0.504,
    double=1.073,
    fare=0.707,
    spread=0.613,
    card=0.672,
    unseen=0.764,
    least=1.069,
    trust=1.388,
    finish=3.604,
    relief=1.517,
    spare_finish=0.121,
    wild=2.702,
    compass=3.746,
    scarce=2.707,
)
"""Tuned for crews of 2 to 5 with `storms`: a seat under a storm must often pass, and runs out of
cards while the others have some.
"""


def weights_for(options: Options) -> Weights:
    """Return the weights for a table."""
    return TUNED_STORMS if options.storms else TUNED
