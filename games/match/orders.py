"""Standing orders: answers that the match gives at once in a seat's stead, if the game allows.

Whether an order applies follows from what everybody knows. An immediate answer therefore tells that
the seat has given orders, but nothing of what it holds. Only the seat itself is shown its orders.
"""

from games.game import Illegal, Tagged
from games.match.commands import SetStandingOrders
from games.match.events import StandingOrdersSet
from games.match.model import Match


def give(match: Match, seat: int, command: SetStandingOrders) -> list[StandingOrdersSet]:
    """Change a seat's orders; raises `Illegal`."""
    known = match.game.orders
    if any(name not in known for name in command.orders):
        raise Illegal("no-such-order", orders=list(known))
    names = tuple(name for name in known if name in command.orders)
    chair = match.chairs[seat]
    if (names, command.until) == (chair.orders, chair.orders_end) or not (names or chair.orders):
        raise Illegal("nothing-changes")
    return [StandingOrdersSet(seat, names, command.until if names else "cancelled")]


def answer(match: Match, seat: int) -> Tagged | None:
    """Return the command that a seat's orders answer now; None if the seat must answer itself."""
    chair = match.chairs[seat]
    if not chair.orders or match.status != "running" or match.paused is not None:
        return None
    if not chair.person or chair.away or seat not in match.game.waiting(match.state):
        return None
    answers = (match.game.orders[name](match.state, seat) for name in chair.orders)
    return next((command for command in answers if command is not None), None)


def pending(match: Match) -> int | None:
    """Return the first seat whose orders apply now."""
    for seat, chair in enumerate(match.chairs):
        if chair.orders and answer(match, seat) is not None:
            return seat
    return None
