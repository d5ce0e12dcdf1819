"""Ways to play Submarine that reach ends which neither chance nor good play reaches."""

from games.submarine.commands import EndTurn, MoveShip, Salvage


def spendthrift(_view, _seen, _state, legal, dice):
    """Lift whatever a card can lift, and sail to the next stop (SUB-57)."""
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
