"""Standing orders: what a seat has the match answer in its stead, at once, where the game lets it.

Where an order applies follows from what everybody knows, so an answer that comes at once tells that the seat has
given orders, and nothing of what it holds. Orders are told to nobody else and stand in records of their own.
"""

from typing import Any

from games.game import Illegal
from games.match.commands import SetStandingOrders
from games.match.events import StandingOrdersSet
from games.match.model import Match


def give(match: Match, seat: int, command: SetStandingOrders) -> list[Any]:
    """Change a seat's orders; raises `Illegal`."""
    known = match.game.orders
    if any(name not in known for name in command.orders):
        raise Illegal("no-such-order", orders=list(known))
    names = tuple(name for name in known if name in command.orders)
    chair = match.chairs[seat]
    if (names, command.until) == (chair.orders, chair.orders_end) or not (names or chair.orders):
        raise Illegal("nothing-changes")
    return [StandingOrdersSet(seat, names, command.until if names else "cancelled")]


def answer(match: Match, seat: int) -> Any:
    """Give the command that a seat's orders answer to what it is asked now; None where it is to answer itself."""
    chair = match.chairs[seat]
    if not chair.orders or match.status != "running" or match.paused is not None:
        return None
    if not chair.person or chair.away or seat not in match.game.waiting(match.state):
        return None
    answers = (match.game.orders[name](match.state, seat) for name in chair.orders)
    return next((command for command in answers if command is not None), None)


def pending(match: Match) -> int | None:
    """Give the first seat whose orders are to be followed now."""
    seats = (seat for seat, chair in enumerate(match.chairs) if chair.orders)
    return next((seat for seat in seats if answer(match, seat) is not None), None)
