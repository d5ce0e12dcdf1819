"""What the service has to do in a match by itself: follow standing orders, let clocks run out."""

from typing import Any, NamedTuple

from games.match.clocks import deadlines
from games.match.commands import By, FollowOrders, TimeOut
from games.match.model import Match
from games.match.orders import pending


class Due(NamedTuple):
    """A command that the service is to send."""

    at: int
    """Not before this time, in microseconds."""
    by: By
    command: Any

    def is_late(self, now: int, match: Match) -> bool:
        """Tell whether its time has come: by the clock, or by the log, whose times never go back."""
        return self.at <= max(now, match.at)


def next_due(match: Match) -> Due | None:
    """Give what comes first: orders are followed at once."""
    if (seat := pending(match)) is not None:
        return Due(match.at, By(seat=seat), FollowOrders())
    if standing := deadlines(match):
        first = standing[0]
        return Due(first.at, By(clock=True), TimeOut(first.seat, first.at))
    return None
