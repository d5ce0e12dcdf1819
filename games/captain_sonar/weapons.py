"""Torpedoes, mines, Archer's mines and what their blasts do (SON-48 to SON-67, SON-94, SON-95)."""

from typing import Literal

from games.captain_sonar.board import Cell, distance
from games.captain_sonar.commands import (
    DropMine,
    LaunchTorpedo,
    TriggerArcherMine,
    TriggerMine,
)
from games.captain_sonar.crews import sea
from games.captain_sonar.events import (
    ArcherMineTriggered,
    Blast,
    Event,
    Impact,
    MineDropped,
    MineTriggered,
    TorpedoLaunched,
)
from games.captain_sonar.model import Crew, State
from games.captain_sonar.turns import (
    check_activation,
    check_moved,
    check_whole,
    damaged,
    resolved,
    stop_called,
)
from games.game import Illegal

IMPACT_DAMAGE: dict[Impact, int] = {"clear": 0, "indirect": 1, "direct": 2}


def impact_at(boat: Cell, cell: Cell) -> Impact:
    """Tell how a boat feels a blast (SON-54, SON-57)."""
    away = distance(boat, cell)
    return "direct" if away == 0 else "indirect" if away == 1 else "clear"


def targets(state: State, boat: Crew) -> tuple[Cell, ...]:
    """List the cells within the torpedo's range (SON-48 to SON-50)."""
    assert boat.position is not None, "under way"
    over_islands = state.options.torpedo_over_islands
    return sea(state).targets(boat.position, over_islands=over_islands)


def mine_cells(state: State, boat: Crew) -> list[Cell]:
    """List the cells where a mine can be dropped (SON-59 to SON-62)."""
    assert boat.position is not None, "under way"
    return [
        cell
        for cell in sea(state).around[boat.position]
        if cell not in boat.route and cell not in boat.mines
    ]


def blast(
    state: State, crew: int, cell: Cell, source: Literal["torpedo", "mine", "archer_mine"]
) -> list[Event]:
    """Hit both boats, then go on unless one is sunk (SON-54 to SON-58)."""
    zero, one = (boat.position for boat in state.crews)
    assert zero is not None and one is not None, "under way"  # noqa: PT018
    results = (impact_at(zero, cell), impact_at(one, cell))
    events, sunk = damaged(state, crew, [IMPACT_DAMAGE[impact] for impact in results], source)
    rest = [] if sunk else resolved(state, crew)
    return [Blast(cell, source, results), *events, *rest]


def launch_torpedo(state: State, seat: int, crew: int, command: LaunchTorpedo) -> list[Event]:
    """SON-48 to SON-53."""
    boat, target, chart = state.crews[crew], command.target, sea(state)
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
    launched = TorpedoLaunched(crew, target, own, enemy, target in state.archer_mines)
    called = stop_called(state, seat, crew, "torpedo")
    return [*called, launched, *blast(state, crew, target, "torpedo")]


def drop_mine(state: State, seat: int, crew: int, command: DropMine) -> list[Event]:
    """SON-59 to SON-64."""
    boat, cell, chart = state.crews[crew], command.cell, sea(state)
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
    called = stop_called(state, seat, crew, "mine")
    return [*called, MineDropped(crew, cell), *resolved(state, crew)]


def trigger_mine(state: State, seat: int, crew: int, command: TriggerMine) -> list[Event]:
    """SON-42, SON-65, SON-66."""
    boat, cell = state.crews[crew], command.cell
    check_moved(boat)
    check_whole(boat, "mine")
    if cell not in boat.mines:
        raise Illegal("mine-not-found")
    called = stop_called(state, seat, crew, "trigger")
    return [*called, MineTriggered(crew, cell), *blast(state, crew, cell, "mine")]


def trigger_archer_mine(
    state: State, seat: int, crew: int, command: TriggerArcherMine
) -> list[Event]:
    """SON-94, SON-95."""
    boat, cell = state.crews[crew], command.cell
    if "scenario" not in boat.gauges:
        raise Illegal("gauge-not-in-scenario")
    check_activation(state, boat, "scenario")
    if cell not in sea(state).archer_mines:
        raise Illegal("archer-mine-not-found")
    if cell not in state.archer_mines:
        raise Illegal("archer-mine-spent")
    called = stop_called(state, seat, crew, "scenario")
    return [*called, ArcherMineTriggered(crew, cell), *blast(state, crew, cell, "archer_mine")]
