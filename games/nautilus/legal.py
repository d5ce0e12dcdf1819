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
from games.nautilus.model import UNPAID, State
from games.nautilus.rules.building import placements
from games.nautilus.rules.buying import purchases
from games.nautilus.rules.harbour import harbours, launches
from games.nautilus.rules.mission import payments
from games.nautilus.rules.research import bonus_moves, moves
from games.nautilus.rules.sailing import abyss_open, goals, sailing, speed
from games.nautilus.rules.sea import boats_afloat, covered, hidden_cells
from games.nautilus.rules.sonar import in_range, peeks


def legal(state: State, seat: int) -> list[Command]:
    """List every legal command of a seat; of interchangeable pieces and rotations the lowest (section 6)."""
    if state.phase == "mission":
        return [*payments(state, seat)] if state.mission_paid[seat] == UNPAID else []
    if state.active != seat:
        return []
    match state.step:
        case "buy":
            return [*purchases(state, seat), SkipBuy()]
        case "place":
            held_up = state.turn.must_build and not state.turn.built
            return [*placements(state, seat)] if held_up else [*placements(state, seat), EndBuild()]
        case "move":
            return [*moves(state, seat), EndResearch()]
        case "launch":
            return [*launches(state, seat), EndLaunch()]
        case "sail":
            return sail_commands(state, seat)
        case _:
            return []


def sail_commands(state: State, seat: int) -> list[Command]:
    """List the legal commands of the step sail."""
    if state.pending is not None:
        return bonus_commands(state, seat)
    found: list[Command] = []
    finds = hidden_cells(state)
    taken = covered(state) | boats_afloat(state)
    opened = abyss_open(state, seat)
    limit = speed(state, seat)
    for name, boat in sailing(state, seat):
        if boat.moved:
            found += [DockSubmarine(name, module) for module in harbours(state, boat)]
            continue
        if not boat.sonared and state.money[seat] and in_range(state, seat, boat.cell):
            found.append(UseSonar(name))
        ends = goals(boat, limit, finds, taken, opened=opened)
        found += [MoveSubmarine(name, CELL[goal]) for goal in ends]
    found.append(EndDive())
    return found


def bonus_commands(state: State, seat: int) -> list[Command]:
    """List the legal commands while a bonus is pending."""
    assert state.pending is not None, "nothing is pending"
    amount = state.pending.amount
    found: list[Command]
    match state.pending.type:
        case "thrust":
            finds = hidden_cells(state)
            taken = covered(state) | boats_afloat(state)
            opened = abyss_open(state, seat)
            found = [
                BoostSubmarine(name, CELL[goal])
                for name, boat in sailing(state, seat)
                for goal in goals(boat, amount, finds, taken, opened=opened)
            ]
        case "research":
            found = [*bonus_moves(state, seat, amount)]
        case "peek":
            found = [*peeks(state, amount)]
    found.append(SkipBonus())
    return found
