"""What a seat may send."""

from games.game import Tagged


class TakeStones(Tagged, frozen=True):
    """Take stones from the pile (R-3)."""

    count: int


Command = TakeStones
