"""What can happen."""

from games.game import Tagged


class PileLaid(Tagged, frozen=True):
    """The pile was laid and the first seat drawn (R-1, R-2). Public."""

    stones: int
    first: int


class StonesTaken(Tagged, frozen=True):
    """A seat took stones (R-3). Public."""

    seat: int
    count: int


class GameEnded(Tagged, frozen=True):
    """The last stone was taken (R-4). Public."""

    winner: int


Event = PileLaid | StonesTaken | GameEnded
