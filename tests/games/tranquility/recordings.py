"""Players for recorded matches, with endings that chance and good play do not reach."""

import msgspec

from games.tranquility import GAME
from games.tranquility.commands import DiscardTwo, FlipCard


def careless(view, seen, _state, legal, dice):
    """Fill the sea, ignoring day and night (TRA-76)."""
    if view.options.variant != "day_night":
        return GAME.players.bots["heuristic"](view, seen, legal, dice)
    options = msgspec.structs.replace(view.options, variant="standard")
    blind = msgspec.structs.replace(view, options=options)
    upright = [
        command
        for command in legal
        if not (
            isinstance(command, FlipCard)
            or (isinstance(command, DiscardTwo) and command.turn_hands)
        )
    ]
    return GAME.players.bots["heuristic"](blind, seen, upright or legal, dice)


PLAYERS = {"careless": careless}
