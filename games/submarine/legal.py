"""List every command that `decide_on` accepts from a seat, without trying them."""

from itertools import permutations

from games.submarine.commands import (
    Command,
    EndTurn,
    MoveShip,
    MoveSub,
    PlaceSub,
    Salvage,
    SalvageWithJoker,
    SwapCard,
)
from games.submarine.components import (
    CELLS,
    COLOUR_OF,
    COLUMNS,
    MOTIF_OF,
    OFF_BOARD,
    REACH,
    TOP,
    Cards,
    Cell,
    Colour,
    Token,
    without,
)
from games.submarine.model import State
from games.submarine.rules.compensation import owed
from games.submarine.rules.passing import can_swap, must_act
from games.submarine.rules.salvage import rows_in_reach

PLACINGS: list[Command] = [PlaceSub(column) for column in COLUMNS]
MOVES: list[dict[Cell, list[Command]]] = [
    {cell: [MoveSub(sub, to) for to in REACH[cell]] for cell in CELLS} for sub in range(5)
]
"""By number of the submarine, and by its cell."""
PLAIN_LIFTS: dict[Token, Salvage] = {
    token: Salvage(token, colour, ()) for token, colour in COLOUR_OF.items()
}
END_TURN = EndTurn()


def legal(state: State, seat: int) -> list[Command]:
    """List the legal commands of a seat. A seat that is not on turn has none."""
    if seat != state.active:
        return []
    match state.phase:
        case "placing":
            return PLACINGS[:]
        case "ship":
            return _sailings(state, seat)
        case "act":
            commands = _moves(state, seat) if state.mode != "salvage" else []
            if state.mode != "move":
                commands += _lifts(state, seat)
            if not must_act(state):
                commands.append(END_TURN)
            return commands
        case "break":
            swaps = dict.fromkeys(state.hand[seat]) if can_swap(state, seat) else ()
            return [*map(SwapCard, swaps), END_TURN]
        case _:
            return []


def _sailings(state: State, seat: int) -> list[Command]:
    """Sail to the right, to a column with an own submarine or off the board (SUB-16 to SUB-18)."""
    ship = state.ships[seat]
    columns = {cell[0] for cell in state.subs[seat] if cell is not None}
    commands: list[Command] = [MoveShip(column) for column in sorted(columns) if column > ship]
    commands.append(MoveShip(OFF_BOARD))
    return commands


def _moves(state: State, seat: int) -> list[Command]:
    """Move a submarine under the ship that has not moved this turn (SUB-22, SUB-25 to SUB-28)."""
    ship, moved = state.ships[seat], state.moved
    commands: list[Command] = []
    for sub, cell in enumerate(state.subs[seat]):
        if cell is not None and cell[0] == ship and sub not in moved:
            commands += MOVES[sub][cell]
    return commands


def _lifts(state: State, seat: int) -> list[Command]:
    """Lift each token in reach, with each payment and with each joker (SUB-30 to SUB-50)."""
    ship = state.ships[seat]
    cells = state.cells[ship - 1]
    hand = state.hand[seat]
    jokers = state.jokers[seat]
    if state.fresh and not state.options.joker_same_turn:
        jokers = tuple(joker for joker in jokers if joker not in state.fresh)
    commands: list[Command] = []
    for row in rows_in_reach(state, seat):
        shortfall: int | None = None
        for token in cells[row - TOP]:
            if token in state.locked:
                continue
            if COLOUR_OF[token] in hand:
                if shortfall is None:
                    shortfall = _shortfall(state, seat, (ship, row))
                commands += _paid_lifts(token, hand, shortfall)
            if token in MOTIF_OF:
                commands += [SalvageWithJoker(token, joker) for joker in jokers]
    return commands


def _shortfall(state: State, seat: int, cell: Cell) -> int:
    """Count the cards that the pile cannot pay for a token of the cell (SUB-35)."""
    total = sum(count for _, count in owed(state, seat, cell))
    return max(0, total - len(state.pile[seat]))


def _paid_lifts(token: Token, hand: Cards, shortfall: int) -> list[Command]:
    """List one lift per distinct ordered payment from the rest of the hand (SUB-35, SUB-36)."""
    if shortfall == 0:
        return [PLAIN_LIFTS[token]]
    if shortfall >= len(hand):
        return []
    card: Colour = COLOUR_OF[token]
    payments = dict.fromkeys(permutations(without(hand, card), shortfall))
    return [Salvage(token, card, payment) for payment in payments]
