"""What a submarine finds, and the bonus that follows (NAU-61 to NAU-69)."""

from typing import Literal

from games.game import Illegal
from games.nautilus.components import (
    ABILITY,
    BLACK,
    BLUE,
    FEE,
    FIELD_VALUE,
    PLACE_OF,
    PLACE_ZONES,
    SORT,
    Cell,
)
from games.nautilus.events import BonusSkipped, FindLost, FindTaken
from games.nautilus.fold import Draft
from games.nautilus.model import State
from games.nautilus.rules.research import BONUS_MOVES, can_use_bonus

THRUST_CELLS = 3
"""Cells of a boost (NAU-67)."""

Bonus = tuple[Literal["", "thrust", "research", "peek"], int]
"""The kind and amount of a bonus; ("", 0) for none."""


def salvage(draft: Draft, seat: int, submarine: str, cell: Cell) -> None:
    """Turn up the find, if any, on the cell where a submarine stops (NAU-61 to NAU-63)."""
    state = draft.state
    place = PLACE_OF.get(cell, -1)
    find = state.hidden[place] if place >= 0 else ""
    if not find:
        return
    sort = SORT[find]
    fee = 0 if sort in ("chest", "thrust") else FEE[PLACE_ZONES[place]]
    if state.money[seat] < fee:
        draft.add(FindLost(seat, submarine, cell, find))
        return
    gain = ABILITY[BLACK][state.level[seat][BLACK]] if sort == "chest" else 0
    pending, amount = _bonus_of(state, seat, sort, state.money[seat] - fee)
    draft.add(FindTaken(seat, submarine, cell, find, fee, gain, pending, amount))


def _bonus_of(state: State, seat: int, sort: str, money: int) -> Bonus:
    """Return the bonus that a sort of find opens (NAU-64, NAU-66, NAU-67, NAU-69).

    `money` is what the seat has left after the fee.
    """
    if sort == "thrust":
        return "thrust", THRUST_CELLS
    if sort == "treasure" and can_use_bonus(state, seat, money):
        return "research", BONUS_MOVES
    if FIELD_VALUE.get(sort) == 0:
        left = sum(map(bool, state.hidden)) - 1
        looks = min(ABILITY[BLUE][state.level[seat][BLUE]], left)
        if looks:
            return "peek", looks
    return "", 0


def skip_bonus(draft: Draft, seat: int) -> None:
    """Decline the pending bonus (NAU-69)."""
    pending = draft.state.pending
    if pending is None:
        raise Illegal("no-bonus")
    draft.add(BonusSkipped(seat, pending.type))
