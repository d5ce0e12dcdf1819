"""Paying for mission finds (NAU-79)."""

from games.game import Illegal
from games.nautilus.commands import PayMission
from games.nautilus.components import CREATURES, SORT
from games.nautilus.ending import module_points
from games.nautilus.events import MissionPaid
from games.nautilus.model import UNPAID, State


def mission_finds(state: State, seat: int) -> int:
    """Count a seat's finds of the sorts on its mission card (NAU-79)."""
    creatures = CREATURES[state.mission[seat]]
    return sum(SORT[find] in creatures for find in state.fields[seat])


def payable(state: State, seat: int) -> int:
    """Give the most that a seat may pay for its mission."""
    return min(mission_finds(state, seat), state.money[seat])


def payments(state: State, seat: int) -> list[PayMission]:
    """List the legal payments."""
    return [PayMission(count) for count in range(payable(state, seat) + 1)]


def pay_mission(state: State, seat: int, command: PayMission) -> list[MissionPaid]:
    """NAU-79; the last payment scores the game."""
    if state.mission_paid[seat] != UNPAID:
        raise Illegal("already-paid")
    finds = mission_finds(state, seat)
    if command.count > finds:
        raise Illegal("too-many-finds", finds=finds)
    if command.count > state.money[seat]:
        raise Illegal("not-enough-money", cost=command.count, money=state.money[seat])
    return [MissionPaid(seat, command.count)]


def default_payment(state: State, seat: int) -> PayMission:
    """Give what the clock pays (section 10)."""
    worth = sum(module_points(state, seat).values()) >= 2
    return PayMission(payable(state, seat) if worth else 0)
