"""The blueprint: the tuned one-command player."""

from collections.abc import Sequence
from operator import itemgetter

from games.chance import Chance
from games.game import Blueprint, Seen
from games.submarine.commands import Command, Salvage, SalvageWithJoker
from games.submarine.legal import legal
from games.submarine.model import State, View
from games.submarine.players.bot import best, evaluated
from games.submarine.players.outlook import outlook_of
from games.submarine.players.reasons import REASONS, reason
from games.submarine.players.value import turns, value
from games.submarine.view import view

PLAYOUTS, CROWD_PLAYOUTS = 48, 144
"""Playouts of the level "expert" for a command, with two seats and with more."""


def _policy(state: State, seat: int, chance: Chance) -> Command:
    """Look one command ahead, from the seat's own view."""
    commands = legal(state, seat)
    if len(commands) == 1:
        return commands[0]
    own = view(state, seat)
    return best(own, seat, outlook_of(own, seat, state.options), commands)


def _worths(
    view: View, seen: Seen, legal: Sequence[Command], chance: Chance
) -> Sequence[tuple[float, Command]]:
    """Sort commands by outlook; of all lifts only the first of the best harvest is there."""
    seat = seen.seat
    options = evaluated(view, seat, outlook_of(view, seat, seen.options), legal)
    return sorted(options, key=itemgetter(0), reverse=True)


def _ranking(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Sequence[Command]:
    """Rank commands by outlook; lifts that do not begin the best harvest come last."""
    ranked = [command for _, command in _worths(view, seen, legal, chance)]
    lifts = {
        (command.token, getattr(command, "joker", "")): command
        for command in reversed(legal)
        if isinstance(command, Salvage | SalvageWithJoker)
    }
    return [*ranked, *(command for command in lifts.values() if command not in ranked)]


def _budget(view: View) -> int:
    return PLAYOUTS if view.players == 2 else CROWD_PLAYOUTS


BLUEPRINT = Blueprint(
    policy=_policy,
    ranking=_ranking,
    worths=_worths,
    temperatures=(0.235, 0.16, 0.087, 0.0),
    budget=_budget,
    reason=reason,
    reasons=REASONS,
    stage=turns,
    horizon=2,
    cost=5,
    value=value,
)
