"""Placing the submarines before the first voyage."""

from games.game import Illegal
from games.submarine.commands import PlaceSub
from games.submarine.components import COLUMNS, TOP
from games.submarine.events import SubPlaced, TurnStarted
from games.submarine.fold import Draft
from games.submarine.rules.passing import clockwise


def place_sub(draft: Draft, seat: int, command: PlaceSub) -> None:
    """Put the lowest-numbered unplaced submarine into row 2 (SUB-13)."""
    if command.column not in COLUMNS:
        raise Illegal("no-such-column", column=command.column)
    sub = draft.state.subs[seat].index(None)
    draft.add(SubPlaced(seat, sub, (command.column, TOP)))
    pass_placing(draft, seat)


def pass_placing(draft: Draft, seat: int) -> None:
    """Start the turn of the next seat, which places or opens the first voyage (SUB-13)."""
    following = next(clockwise(draft.state, seat))
    placing = None in draft.state.subs[following]
    draft.add(TurnStarted(following, "placing" if placing else "ship"))
