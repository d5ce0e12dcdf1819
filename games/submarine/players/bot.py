"""Bots that look one command ahead and choose the legal command with the best outlook.

They see only their own view, and use no randomness.
"""

from collections.abc import Sequence
from operator import itemgetter

from games.chance import Chance
from games.game import Seen
from games.submarine.commands import (
    Command,
    MoveShip,
    MoveSub,
    PlaceSub,
    Salvage,
    SalvageWithJoker,
    SwapCard,
)
from games.submarine.components import OFF_BOARD, REACH, TOP, Cell
from games.submarine.model import View
from games.submarine.players.outlook import Lift, Outlook


def heuristic(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Command:
    """Choose by the weights set by hand."""
    return choose(Outlook(view, seen.seat, seen.options), legal)


def choose(outlook: Outlook, legal: Sequence[Command]) -> Command:
    """Return the best command, the first of equals; all lifts of a harvest count together."""
    return max(evaluated(outlook, legal), key=itemgetter(0))[1]


def evaluated(outlook: Outlook, legal: Sequence[Command]) -> list[tuple[float, Command]]:
    """Return (value, command) of a harvest, by its first lift, and of each other command."""
    others = [command for command in legal if not isinstance(command, Salvage | SalvageWithJoker)]
    options: list[tuple[float, Command]] = [
        (_worth(outlook, command), command) for command in others
    ]
    if len(others) < len(legal):
        lifts, gain = _harvest(outlook, outlook.view.ships[outlook.seat])
        if lifts:
            return [(gain, _as_command(lifts[0], legal)), *options]
    return options


def _worth(outlook: Outlook, command: Command) -> float:
    """Evaluate a command that lifts nothing by the prospects after it."""
    view, seat, fleet = outlook.view, outlook.seat, outlook.fleet
    ship = view.ships[seat]
    match command:
        case PlaceSub(column=column):
            return outlook.prospects([*fleet, (column, TOP)], ship, outlook.holding)
        case MoveShip(to=to) if to != OFF_BOARD:
            return _worth_of_stop(outlook, to)
        case MoveSub(sub=sub, to=to):
            cell = view.subs[seat][sub]
            assert cell is not None, "a submarine under the ship"
            return outlook.prospects(_moved(fleet, cell, to), ship, outlook.holding)
        case SwapCard(card=card):
            return outlook.with_another_card(ship, card)
        case _:
            ship = OFF_BOARD if isinstance(command, MoveShip) else ship
            return outlook.prospects(fleet, ship, outlook.holding)


def _worth_of_stop(outlook: Outlook, column: int) -> float:
    """Evaluate a stop by its harvest or by the best move of one submarine."""
    lifts, gain = _harvest(outlook, column)
    fleet = outlook.fleet
    moves = [
        outlook.prospects(_moved(fleet, cell, to), column, outlook.holding)
        for cell in sorted({cell for cell in fleet if cell[0] == column})
        for to in REACH[cell]
    ]
    return max(*moves, gain) if lifts else max(moves)


def _harvest(outlook: Outlook, column: int) -> tuple[list[Lift], float]:
    """Return the lifts worth making in a column, and their value with the prospects after them."""
    lifts, held = outlook.harvest(column, outlook.holding)
    gain = sum(lift.value for lift in lifts)
    return lifts, gain + outlook.prospects(outlook.fleet, column, held)


def _moved(fleet: list[Cell], cell: Cell, to: Cell) -> list[Cell]:
    at = fleet.index(cell)
    return [*fleet[:at], to, *fleet[at + 1 :]]


def _as_command(lift: Lift, legal: Sequence[Command]) -> Command:
    """Return the legal command of a lift, with the first of several payments."""
    for command in legal:
        match command:
            case Salvage(token=token) if token == lift.token and lift.joker is None:
                return command
            case SalvageWithJoker(token=lift.token, joker=lift.joker):
                return command
            case _:
                pass
    raise AssertionError("an evaluated lift is legal")
