"""The legal commands of a seat."""

from games.nautilus.commands import (
    BoostSubmarine,
    Command,
    DockSubmarine,
    EndBuild,
    EndDive,
    EndLaunch,
    EndResearch,
    MoveSubmarine,
    SkipBonus,
    SkipBuy,
    UseSonar,
)
from games.nautilus.components import CELL
from games.nautilus.model import UNPAID, Pending, State
from games.nautilus.rules.building import placements
from games.nautilus.rules.buying import purchases
from games.nautilus.rules.harbour import berths, launches
from games.nautilus.rules.mission import payments
from games.nautilus.rules.research import bonus_moves, moves
from games.nautilus.rules.sailing import abyss_open, goals, sailing, speed
from games.nautilus.rules.sea import boats_afloat, covered, hidden_cells
from games.nautilus.rules.sonar import in_range, peeks


def legal(state: State, seat: int) -> list[Command]:
    """List a seat's legal commands; of interchangeable pieces and rotations only the lowest."""
    if state.phase == "mission":
        return [*payments(state, seat)] if state.mission_paid[seat] == UNPAID else []
    if state.active != seat:
        return []
    match state.step:
        case "buy":
            return [*purchases(state, seat), SkipBuy()]
        case "place":
            if state.turn.must_build and not state.turn.built:
                return [*placements(state, seat)]
            return [*placements(state, seat), EndBuild()]
        case "move":
            return [*moves(state, seat), EndResearch()]
        case "launch":
            return [*launches(state, seat), EndLaunch()]
        case "sail":
            if state.pending is None:
                return [*_dives(state, seat), EndDive()]
            return [*_bonuses(state, seat, state.pending), SkipBonus()]
        case _:
            return []


def _dives(state: State, seat: int) -> list[Command]:
    """List what the submarines of a seat may do, except boosts."""
    found: list[Command] = []
    finds = hidden_cells(state)
    taken = covered(state) | boats_afloat(state)
    opened = abyss_open(state, seat)
    limit = speed(state, seat)
    for name, boat in sailing(state, seat):
        if boat.moved:
            found += [DockSubmarine(name, module) for module in berths(state, boat)]
            continue
        if not boat.sonared and state.money[seat] and in_range(state, seat, boat.cell):
            found.append(UseSonar(name))
        ends = goals(boat, limit, finds, taken, opened=opened)
        found += [MoveSubmarine(name, CELL[goal]) for goal in ends]
    return found


def _bonuses(state: State, seat: int, pending: Pending) -> list[Command]:
    """List the ways to use a pending bonus."""
    match pending.type:
        case "thrust":
            finds = hidden_cells(state)
            taken = covered(state) | boats_afloat(state)
            opened = abyss_open(state, seat)
            return [
                BoostSubmarine(name, CELL[goal])
                for name, boat in sailing(state, seat)
                for goal in goals(boat, pending.amount, finds, taken, opened=opened)
            ]
        case "research":
            return [*bonus_moves(state, seat, pending.amount)]
        case "peek":
            return [*peeks(state, pending.amount)]
