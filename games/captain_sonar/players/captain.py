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
from games.captain_sonar.players.officers import board_cost, panel_cost
from games.captain_sonar.players.outlook import Outlook
from games.captain_sonar.players.tactics import prospect
from games.chance import Chance

ROOM_MAX = 40
"""More open water than this is no better (cells)."""


def choose_start(outlook: Outlook, options: Sequence[ChooseStart], chance: Chance) -> ChooseStart:
    """Start anywhere in open water."""
    sea = sea_of(outlook.view.map, outlook.view.side)
    open_water = [command for command in options if len(sea.around[command.cell]) >= 7]
    return chance.choice(open_water or options)


def _choose_move(
    outlook: Outlook, legal: Sequence[Command], chance: Chance
) -> OrderCourse | Surface:
    """Steer for room, an unbroken board and the right distance; surface if boxed in or broken."""
    options = [command for command in legal if isinstance(command, OrderCourse)]
    if not options or (_safe_to_surface(outlook) and _worn(outlook)):
        return Surface()
    chance.shuffle(options)
    return max(options, key=lambda command: move_worth(outlook, command.direction))


def move_worth(outlook: Outlook, direction: Direction) -> float:
    """Return the worth of a move in a direction."""
    boat = outlook.view.crews[outlook.crew]
    if boat.position is None:
        return 0.0
    right, down = STEPS[direction]
    cell = (boat.position[0] + right, boat.position[1] + down)
    worth = _place_worth(outlook, cell, ()) + prospect(outlook, cell, direction)
    if boat.crossed is not None:
        crossed = frozenset(boat.crossed)
        harder = outlook.view.options.damage_first
        worth -= outlook.weights.board * panel_cost(
            outlook.weights, crossed, direction, damage_first=harder
        )
    return worth


def _place_worth(outlook: Outlook, cell: Cell, passed: Sequence[Cell]) -> float:
    """Return the worth of a place, reached through other cells."""
    view = outlook.view
    boat = view.crews[outlook.crew]
    blocked = {*(boat.route or ()), *(boat.mines or ()), *passed}
    space = room(sea_of(view.map, view.side), cell, blocked)
    wished = outlook.weights.attack_range if outlook.armed else outlook.weights.evade_range
    return outlook.weights.room * space / ROOM_MAX - outlook.weights.range * abs(
        outlook.away(cell) - wished
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


def _worn(outlook: Outlook) -> bool:
    """Return whether the board is bad enough to surface."""
    crossed = outlook.view.crews[outlook.crew].crossed
    return (
        crossed is not None
        and board_cost(outlook.weights, frozenset(crossed)) >= outlook.weights.surface_cost
    )


def _safe_to_surface(outlook: Outlook) -> bool:
    """Return whether the enemy is far away and no ice is above."""
    view, cell = outlook.view, outlook.position
    if cell is None:
        return False
    holes = sea_of(view.map, view.side).ice_holes
    return outlook.away(cell) > outlook.weights.safe_away and (not holes or cell in holes)


def _choose_activation(
    outlook: Outlook, legal: Sequence[Command], chance: Chance
) -> Command | None:
    """Fire if it pays; else hide if found, search if the enemy is lost, or lay a mine."""
    shots = [
        (worth, number)
        for number, command in enumerate(legal)
        if (worth := shot_worth(outlook, command)) >= 0
    ]
    if shots:
        return legal[max(shots)[1]]
    if outlook.own.board.bit_count() < outlook.weights.hide_below:
        runs = [command for command in legal if isinstance(command, RunSilent)]
        chance.shuffle(runs)
        if runs:
            return max(runs, key=lambda command: run_worth(outlook, command))
    if outlook.enemy.board.bit_count() > outlook.weights.seek_above:
        drones = [command for command in legal if isinstance(command, LaunchDrone)]
        best = max(drones, key=lambda command: outlook.drone(command.sector), default=None)
        if best is not None and outlook.drone(best.sector) >= outlook.weights.telling:
            return best
        if (ping := PingSonar()) in legal:
            return ping
    mines = [command for command in legal if isinstance(command, DropMine)]
    return min(mines, key=lambda command: mine_cost(outlook, command), default=None)


def shot_worth(outlook: Outlook, command: Command) -> float:
    """Return the worth of a shot; 0 is just enough to fire."""
    match command:
        case LaunchTorpedo(target=cell) | TriggerArcherMine(cell=cell):
            return outlook.shot(cell) - outlook.weights.fire_at
        case TriggerMine(cell=cell):
            return outlook.shot(cell) - outlook.weights.trigger_at
        case _:
            return -1.0


def run_worth(outlook: Outlook, command: RunSilent) -> float:
    """Return the worth of a silent run, judged by where it ends."""
    cell = outlook.position
    if cell is None or not command.direction:
        return 0.0
    right, down = STEPS[command.direction]
    passed = [
        (cell[0] + right * step, cell[1] + down * step) for step in range(1, command.distance + 1)
    ]
    return _place_worth(outlook, passed[-1], passed) + outlook.weights.run * command.distance


def mine_cost(outlook: Outlook, command: DropMine) -> float:
    """Return the cost of a mine: far from the enemy, or in the own way."""
    cell = outlook.position
    straight = cell is not None and (cell[0] == command.cell[0] or cell[1] == command.cell[1])
    return outlook.away(command.cell) + outlook.weights.mine_astern * straight


def choose_orders(outlook: Outlook, legal: Sequence[Command], chance: Chance) -> Command:
    """Choose for a captain under way, or for a first mate who may use drone and sonar."""
    activation = _choose_activation(outlook, legal, chance)
    if activation is not None:
        return activation
    if (end := EndTurn()) in legal:
        return end
    if Surface() in legal:
        return _choose_move(outlook, legal, chance)
    return chance.choice(legal)
