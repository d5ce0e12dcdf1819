"""What a submarine finds, and what follows from it (NAU-61 to NAU-69)."""

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
from games.nautilus.events import BonusSkipped, Event, FindLost, FindTaken
from games.nautilus.model import State
from games.nautilus.rules.research import BONUS_MOVES, can_use_bonus

THRUST_CELLS = 3
"""Cells of a boost (NAU-67)."""


Bonus = tuple[Literal["", "thrust", "research", "peek"], int]


def salvage(state: State, seat: int, submarine: str, cell: Cell) -> list[Event]:
    """Turn up the find on the cell where a submarine stops, if there is one (NAU-61 to NAU-63)."""
    place = PLACE_OF.get(cell, -1)
    find = state.hidden[place] if place >= 0 else ""
    if not find:
        return []
    sort = SORT[find]
    fee = 0 if sort in ("chest", "thrust") else FEE[PLACE_ZONES[place]]
    if state.money[seat] < fee:
        return [FindLost(seat, submarine, cell, find)]
    gain = ABILITY[BLACK][state.level[seat][BLACK]] if sort == "chest" else 0
    pending, amount = bonus_of(state, seat, sort, state.money[seat] - fee)
    return [FindTaken(seat, submarine, cell, find, fee, gain, pending, amount)]


def bonus_of(state: State, seat: int, sort: str, money: int) -> Bonus:
    """Give the bonus that a find opens, as far as it could be of any use (NAU-64, NAU-66, NAU-67, NAU-69)."""
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


def skip_bonus(state: State, seat: int) -> list[Event]:
    """Let the pending bonus go."""
    if state.pending is None:
        raise Illegal("no-bonus")
    return [BonusSkipped(seat, state.pending.type)]
