"""Torpedoes, mines and Archer's mines, and their blasts (SON-48 to SON-67, SON-94, SON-95)."""

from typing import Literal

from games.captain_sonar.commands import (
    DropMine,
    LaunchTorpedo,
    TriggerArcherMine,
    TriggerMine,
)
from games.captain_sonar.components import Cell, distance
from games.captain_sonar.events import (
    ArcherMineTriggered,
    Blast,
    Impact,
    MineDropped,
    MineTriggered,
    TorpedoLaunched,
)
from games.captain_sonar.fold import Draft
from games.captain_sonar.model import Crew, State
from games.captain_sonar.rules.activation import (
    call_stop,
    check_activation,
    check_moved,
    check_unbroken,
    resolve,
)
from games.captain_sonar.rules.crews import sea
from games.captain_sonar.rules.damage import deal
from games.game import Illegal

IMPACT_DAMAGE: dict[Impact, int] = {"clear": 0, "indirect": 1, "direct": 2}


def _impact_at(boat: Cell, cell: Cell) -> Impact:
    """Return the impact of a blast on a boat (SON-54, SON-57)."""
    away = distance(boat, cell)
    return "direct" if away == 0 else "indirect" if away == 1 else "clear"


def targets(state: State, boat: Crew) -> tuple[Cell, ...]:
    """Return the cells within the range of a torpedo (SON-48 to SON-50)."""
    assert boat.position is not None, "under way"
    over_islands = state.options.torpedo_over_islands
    return sea(state).targets(boat.position, over_islands=over_islands)


def mine_cells(state: State, boat: Crew) -> list[Cell]:
    """List the cells on which a mine can be dropped (SON-59 to SON-62)."""
    assert boat.position is not None, "under way"
    return [
        cell
        for cell in sea(state).around[boat.position]
        if cell not in boat.route and cell not in boat.mines
    ]


def _blast(
    draft: Draft, crew: int, cell: Cell, source: Literal["torpedo", "mine", "archer_mine"]
) -> None:
    """Damage both boats; end the activation unless one sank (SON-54 to SON-58)."""
    zero, one = (boat.position for boat in draft.state.crews)
    assert zero is not None and one is not None, "under way"  # noqa: PT018
    results = (_impact_at(zero, cell), _impact_at(one, cell))
    draft.add(Blast(cell, source, results))
    if not deal(draft, crew, [IMPACT_DAMAGE[impact] for impact in results], source):
        resolve(draft, crew)


def launch_torpedo(draft: Draft, seat: int, crew: int, command: LaunchTorpedo) -> None:
    """Fire at a cell; all mines there are gone (SON-48 to SON-53)."""
    state, target = draft.state, command.target
    boat, chart = state.crews[crew], sea(state)
    check_activation(state, boat, "torpedo")
    if not chart.on_map(target):
        raise Illegal("cell-off-map")
    if target == boat.position:
        raise Illegal("target-is-own-cell")
    if target in chart.islands:
        raise Illegal("target-is-island")
    if target not in targets(state, boat):
        raise Illegal("target-out-of-range")
    own, enemy = target in boat.mines, target in state.crews[1 - crew].mines
    call_stop(draft, seat, crew, "torpedo")
    draft.add(TorpedoLaunched(crew, target, own, enemy, target in state.archer_mines))
    _blast(draft, crew, target, "torpedo")


def drop_mine(draft: Draft, seat: int, crew: int, command: DropMine) -> None:
    """Drop a mine beside the boat (SON-59 to SON-64)."""
    state, cell = draft.state, command.cell
    boat, chart = state.crews[crew], sea(state)
    assert boat.position is not None, "under way"
    check_activation(state, boat, "mine")
    if not chart.on_map(cell):
        raise Illegal("cell-off-map")
    if distance(boat.position, cell) != 1:
        raise Illegal("mine-not-adjacent")
    if cell in chart.islands:
        raise Illegal("cell-is-island")
    if cell in boat.route:
        raise Illegal("cell-on-route")
    if cell in boat.mines:
        raise Illegal("cell-has-own-mine")
    call_stop(draft, seat, crew, "mine")
    draft.add(MineDropped(crew, cell))
    resolve(draft, crew)


def trigger_mine(draft: Draft, seat: int, crew: int, command: TriggerMine) -> None:
    """Blow up an own mine (SON-42, SON-65, SON-66)."""
    boat, cell = draft.state.crews[crew], command.cell
    check_moved(boat)
    check_unbroken(boat, "mine")
    if cell not in boat.mines:
        raise Illegal("mine-not-found")
    call_stop(draft, seat, crew, "trigger")
    draft.add(MineTriggered(crew, cell))
    _blast(draft, crew, cell, "mine")


def trigger_archer_mine(draft: Draft, seat: int, crew: int, command: TriggerArcherMine) -> None:
    """Blow up a mine of Archer's (SON-94, SON-95)."""
    state, cell = draft.state, command.cell
    boat = state.crews[crew]
    if "scenario" not in boat.gauges:
        raise Illegal("gauge-not-in-scenario")
    check_activation(state, boat, "scenario")
    if cell not in sea(state).archer_mines:
        raise Illegal("archer-mine-not-found")
    if cell not in state.archer_mines:
        raise Illegal("archer-mine-spent")
    call_stop(draft, seat, crew, "scenario")
    draft.add(ArcherMineTriggered(crew, cell))
    _blast(draft, crew, cell, "archer_mine")
