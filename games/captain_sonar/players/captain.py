"""The captain's choices: where to start, where to steer, when to fire and when to hide."""

from collections.abc import Sequence

from games.captain_sonar.commands import (
    ChooseStart,
    Command,
    DropMine,
    EndTurn,
    LaunchDrone,
    LaunchTorpedo,
    OrderCourse,
    PingSonar,
    RunSilent,
    Surface,
    TriggerArcherMine,
    TriggerMine,
)
from games.captain_sonar.components import STEPS, Cell, Direction, Sea, sea_of
from games.captain_sonar.players.gunnery import Bearings
from games.captain_sonar.players.officers import board_cost, panel_cost
from games.captain_sonar.players.tactics import prospect
from games.chance import Chance

ROOM_MAX = 40
"""More open water than this is no better (cells)."""


def choose_start(bearings: Bearings, options: Sequence[ChooseStart], chance: Chance) -> ChooseStart:
    """Start anywhere in open water."""
    sea = sea_of(bearings.view.map, bearings.view.side)
    open_water = [command for command in options if len(sea.around[command.cell]) >= 7]
    return chance.choice(open_water or options)


def _choose_move(
    bearings: Bearings, legal: Sequence[Command], chance: Chance
) -> OrderCourse | Surface:
    """Steer for room, an unbroken board and the right distance; surface if boxed in or broken."""
    options = [command for command in legal if isinstance(command, OrderCourse)]
    if not options or (_safe_to_surface(bearings) and _worn(bearings)):
        return Surface()
    chance.shuffle(options)
    return max(options, key=lambda command: move_worth(bearings, command.direction))


def move_worth(bearings: Bearings, direction: Direction) -> float:
    """Return the worth of a move in a direction."""
    boat = bearings.view.crews[bearings.crew]
    if boat.position is None:
        return 0.0
    right, down = STEPS[direction]
    cell = (boat.position[0] + right, boat.position[1] + down)
    worth = _place_worth(bearings, cell, ()) + prospect(bearings, cell, direction)
    if boat.crossed is not None:
        crossed = frozenset(boat.crossed)
        harder = bearings.view.options.damage_first
        worth -= bearings.weights.board * panel_cost(
            bearings.weights, crossed, direction, damage_first=harder
        )
    return worth


def _place_worth(bearings: Bearings, cell: Cell, passed: Sequence[Cell]) -> float:
    """Return the worth of a place, reached through other cells."""
    view = bearings.view
    boat = view.crews[bearings.crew]
    blocked = {*(boat.route or ()), *(boat.mines or ()), *passed}
    space = room(sea_of(view.map, view.side), cell, blocked)
    wished = bearings.weights.attack_range if bearings.armed else bearings.weights.evade_range
    return bearings.weights.room * space / ROOM_MAX - bearings.weights.range * abs(
        bearings.away(cell) - wished
    )


def room(sea: Sea, start: Cell, blocked: set[Cell]) -> int:
    """Count the cells that a boat can still reach, up to `ROOM_MAX`."""
    reached = {start}
    edge = [start]
    while edge and len(reached) < ROOM_MAX:
        edge = [
            there
            for there in {there for cell in edge for there in sea.next[cell].values()}
            if there not in reached and there not in blocked
        ]
        reached.update(edge)
    return min(len(reached), ROOM_MAX)


def _worn(bearings: Bearings) -> bool:
    """Return whether the board is bad enough to surface."""
    crossed = bearings.view.crews[bearings.crew].crossed
    return (
        crossed is not None
        and board_cost(bearings.weights, frozenset(crossed)) >= bearings.weights.surface_cost
    )


def _safe_to_surface(bearings: Bearings) -> bool:
    """Return whether the enemy is far away and no ice is above."""
    view, cell = bearings.view, bearings.position
    if cell is None:
        return False
    holes = sea_of(view.map, view.side).ice_holes
    return bearings.away(cell) > bearings.weights.safe_away and (not holes or cell in holes)


def _choose_activation(
    bearings: Bearings, legal: Sequence[Command], chance: Chance
) -> Command | None:
    """Fire if it pays; else hide if found, search if the enemy is lost, or lay a mine."""
    shots = [
        (worth, number)
        for number, command in enumerate(legal)
        if (worth := shot_worth(bearings, command)) >= 0
    ]
    if shots:
        return legal[max(shots)[1]]
    if bearings.own.board.bit_count() < bearings.weights.hide_below:
        runs = [command for command in legal if isinstance(command, RunSilent)]
        chance.shuffle(runs)
        if runs:
            return max(runs, key=lambda command: run_worth(bearings, command))
    if bearings.enemy.board.bit_count() > bearings.weights.seek_above:
        drones = [command for command in legal if isinstance(command, LaunchDrone)]
        best = max(drones, key=lambda command: bearings.drone(command.sector), default=None)
        if best is not None and bearings.drone(best.sector) >= bearings.weights.telling:
            return best
        if (ping := PingSonar()) in legal:
            return ping
    mines = [command for command in legal if isinstance(command, DropMine)]
    return min(mines, key=lambda command: mine_cost(bearings, command), default=None)


def shot_worth(bearings: Bearings, command: Command) -> float:
    """Return the worth of a shot; 0 is just enough to fire."""
    match command:
        case LaunchTorpedo(target=cell) | TriggerArcherMine(cell=cell):
            return bearings.shot(cell) - bearings.weights.fire_at
        case TriggerMine(cell=cell):
            return bearings.shot(cell) - bearings.weights.trigger_at
        case _:
            return -1.0


def run_worth(bearings: Bearings, command: RunSilent) -> float:
    """Return the worth of a silent run, judged by where it ends."""
    cell = bearings.position
    if cell is None or not command.direction:
        return 0.0
    right, down = STEPS[command.direction]
    passed = [
        (cell[0] + right * step, cell[1] + down * step) for step in range(1, command.distance + 1)
    ]
    return _place_worth(bearings, passed[-1], passed) + bearings.weights.run * command.distance


def mine_cost(bearings: Bearings, command: DropMine) -> float:
    """Return the cost of a mine: far from the enemy, or in the own way."""
    cell = bearings.position
    straight = cell is not None and (cell[0] == command.cell[0] or cell[1] == command.cell[1])
    return bearings.away(command.cell) + bearings.weights.mine_astern * straight


def choose_orders(bearings: Bearings, legal: Sequence[Command], chance: Chance) -> Command:
    """Choose for a captain under way, or for a first mate who may use drone and sonar."""
    activation = _choose_activation(bearings, legal, chance)
    if activation is not None:
        return activation
    if (end := EndTurn()) in legal:
        return end
    if Surface() in legal:
        return _choose_move(bearings, legal, chance)
    return chance.choice(legal)
