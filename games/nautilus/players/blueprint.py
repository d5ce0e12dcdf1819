"""The base of searches: a player that looks one command ahead, and the value of a position."""

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

from games.chance import Chance
from games.game import Blueprint, Seen
from games.nautilus.commands import Command
from games.nautilus.legal import legal
from games.nautilus.model import State, View
from games.nautilus.players.bot import choose, worth
from games.nautilus.players.outlook import Outlook
from games.nautilus.players.reasons import REASONS, reason
from games.nautilus.players.sites import Sites
from games.nautilus.players.value import stage, value
from games.nautilus.players.weights import TUNED, Weights
from games.nautilus.view import view
from games.search.levels import soft_choice

RANKED_MAX = 6
"""Commands that a search looks at more closely."""
PLAYOUTS = 48
"""Playouts of the level "expert" for a command. 24 test the best of six in too few worlds."""
SPREAD = 0.3
"""Temperature of the level "hard", and of what "expert" begins with and plays on with.

Seats that choose the same of several equally good commands compete for the same things. Then their
places in the turn order decide most games.
"""


def policy(state: State, seat: int, chance: Chance) -> Command:
    """Return the command of greatest worth, as far as the seat's own view tells."""
    options = legal(state, seat)
    if len(options) == 1:
        return options[0]
    return chosen(state, seat, options, TUNED[state.seats], chance)


def spread_policy(state: State, seat: int, chance: Chance) -> Command:
    """Return a command of great worth, as far as the seat's own view tells, drawn at `SPREAD`."""
    options = legal(state, seat)
    if len(options) == 1:
        return options[0]
    outlook = Outlook(view(state, seat), seat, state.options, TUNED[state.seats])
    return soft_choice(_worths(outlook, options), SPREAD, chance)


def chosen(
    state: State, seat: int, options: Sequence[Command], weights: Weights, chance: Chance
) -> Command:
    """Return the command of a bot with these weights, from the seat's own view."""
    return choose(Outlook(view(state, seat), seat, state.options, weights), options)


def ranking(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Sequence[Command]:
    """Return the commands of greatest worth, the best first."""
    return [command for _, command in worths(view, seen, legal, chance)[:RANKED_MAX]]


def spread_ranking(
    view: View, seen: Seen, legal: Sequence[Command], chance: Chance
) -> Sequence[Command]:
    """Return a command drawn at `SPREAD`, then the others of greatest worth, the best first."""
    found = worths(view, seen, legal, chance)
    drawn = soft_choice(found, SPREAD, chance)
    return [drawn, *(command for _, command in found if command != drawn)][:RANKED_MAX]


def worths(
    view: View, seen: Seen, legal: Sequence[Command], chance: Chance
) -> list[tuple[float, Command]]:
    """Return all commands with their worths, best first; of equals the later one."""
    return _worths(Outlook(view, seen.seat, seen.options, TUNED[view.seats]), legal)


def _worths(outlook: Outlook, legal: Sequence[Command]) -> list[tuple[float, Command]]:
    sites = Sites(outlook)
    found = [(worth(outlook, sites, command), command) for command in legal]
    return sorted(found, key=itemgetter(0))[::-1]


PLAIN = Blueprint(
    policy=policy,
    ranking=ranking,
    reason=reason,
    reasons=REASONS,
    worths=worths,
    temperatures=(3.35, 2.5, 1.55, SPREAD),
    stage=stage,
    horizon=1,
    value=value,
    budget=lambda _view: PLAYOUTS,
    cost=3,
)
BLUEPRINT = replace(PLAIN, searched=replace(PLAIN, policy=spread_policy, ranking=spread_ranking))
