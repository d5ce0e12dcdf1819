"""Ways to play Submarine that reach what neither chance nor good play does."""

from games.submarine.commands import EndTurn, MoveShip, Salvage


def spendthrift(_view, _seen, _state, legal, dice):
    """Lift whatever a card buys, and sail slowly past as much as possible (SUB-57)."""
    lifts = [command for command in legal if isinstance(command, Salvage)]
    if lifts:
        return min(lifts, key=lambda command: len(command.pay))
    ships = [command for command in legal if isinstance(command, MoveShip)]
    if ships:
        return min(ships, key=lambda command: command.to)
    others = [command for command in legal if not isinstance(command, EndTurn)]
    ends = [command for command in legal if isinstance(command, EndTurn)]
    return ends[0] if ends else dice.choice(others)


PLAYERS = {"spendthrift": spendthrift}
