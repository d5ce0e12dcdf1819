"""Paying for the finds of a mission card (NAU-79)."""

from games.game import Illegal
from games.nautilus.commands import PayMission
from games.nautilus.components import CREATURES, SORT
from games.nautilus.ending import module_points, scored
from games.nautilus.events import MissionPaid
from games.nautilus.fold import Draft
from games.nautilus.model import UNPAID, State


def mission_finds(state: State, seat: int) -> int:
    """Count a seat's finds of the two sorts on its mission card."""
    creatures = CREATURES[state.mission[seat]]
    return sum(SORT[find] in creatures for find in state.fields[seat])


def payable(state: State, seat: int) -> int:
    """Return the largest number of mission finds that a seat can pay for."""
    return min(mission_finds(state, seat), state.money[seat])


def payments(state: State, seat: int) -> list[PayMission]:
    """List the legal payments."""
    return [PayMission(count) for count in range(payable(state, seat) + 1)]


def pay_mission(draft: Draft, seat: int, command: PayMission) -> None:
    """Pay for mission finds (NAU-79). The last payment scores the match."""
    state = draft.state
    if state.mission_paid[seat] != UNPAID:
        raise Illegal("already-paid")
    finds = mission_finds(state, seat)
    if command.count > finds:
        raise Illegal("too-many-finds", finds=finds)
    if command.count > state.money[seat]:
        raise Illegal("not-enough-money", cost=command.count, money=state.money[seat])
    draft.add(MissionPaid(seat, command.count))
    if UNPAID not in state.mission_paid:
        draft.add(scored(state, state.round))


def default_payment(state: State, seat: int) -> PayMission:
    """Return the full payment if a paid find is worth more than 1 N, else no payment."""
    worth = sum(module_points(state, seat).values()) >= 2
    return PayMission(payable(state, seat) if worth else 0)
