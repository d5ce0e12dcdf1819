"""Commands that the service itself must send: standing orders and timeouts."""

from typing import Any, NamedTuple

from games.match.clocks import deadlines
from games.match.commands import Actor, FollowOrders, TimeOut
from games.match.model import Match
from games.match.orders import pending


class Due(NamedTuple):
    """A command that the service must send."""

    at: int
    """Earliest time (microseconds)."""
    actor: Actor
    command: Any

    def is_late(self, now: int, match: Match) -> bool:
        """Return whether the time has come, by the clock or by the log's latest time."""
        return self.at <= max(now, match.at)


def next_due(match: Match) -> Due | None:
    """Return the next due command; standing orders come first."""
    if (seat := pending(match)) is not None:
        return Due(match.at, Actor(seat=seat), FollowOrders())
    if standing := deadlines(match):
        first = standing[0]
        return Due(first.at, Actor(clock=True), TimeOut(first.seat, first.at))
    return None
