"""The blueprint: the tuned one-command player."""

from collections.abc import Sequence
from operator import itemgetter

from games.chance import Chance
from games.game import Blueprint, Seen
from games.submarine.commands import Command, Salvage, SalvageWithJoker
from games.submarine.legal import legal
from games.submarine.model import State, View
from games.submarine.players.bot import choose, evaluated
from games.submarine.players.outlook import Outlook
from games.submarine.players.reasons import REASONS, reason
from games.submarine.players.value import stage, value
from games.submarine.players.weights import TUNED, Weights
from games.submarine.view import view

PLAYOUTS, CROWD_PLAYOUTS = 48, 144
"""Playouts of the level "expert" for a command, with two seats and with more."""


def policy(state: State, seat: int, chance: Chance) -> Command:
    """Look one command ahead, from the seat's own view."""
    options = legal(state, seat)
    if len(options) == 1:
        return options[0]
    return chosen(state, seat, options, TUNED[state.players], chance)


def chosen(
    state: State, seat: int, options: Sequence[Command], weights: Weights, chance: Chance
) -> Command:
    """Return the command of a bot with these weights, from the seat's own view."""
    return choose(Outlook(view(state, seat), seat, state.options, weights), options)


def ranking(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Sequence[Command]:
    """Rank commands by outlook; lifts that do not begin the best harvest come last."""
    ranked = [command for _, command in worths(view, seen, legal, chance)]
    lifts = {
        (command.token, getattr(command, "joker", "")): command
        for command in reversed(legal)
        if isinstance(command, Salvage | SalvageWithJoker)
    }
    return [*ranked, *(command for command in lifts.values() if command not in ranked)]


def worths(
    view: View, seen: Seen, legal: Sequence[Command], chance: Chance
) -> list[tuple[float, Command]]:
    """Sort commands by outlook; of all lifts only the first of the best harvest is there."""
    outlook = Outlook(view, seen.seat, seen.options, TUNED[view.players])
    return sorted(evaluated(outlook, legal), key=itemgetter(0), reverse=True)


def budget(view: View) -> int:
    """Return the playouts of the level "expert"."""
    return PLAYOUTS if view.players == 2 else CROWD_PLAYOUTS


BLUEPRINT = Blueprint(
    policy=policy,
    ranking=ranking,
    reason=reason,
    reasons=REASONS,
    worths=worths,
    temperatures=(0.235, 0.16, 0.087, 0.0),
    stage=stage,
    horizon=2,
    value=value,
    budget=budget,
    cost=5,
)
