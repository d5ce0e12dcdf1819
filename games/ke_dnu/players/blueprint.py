"""The blueprint of the search: the tuned bot as policy. Games are short enough to be played out."""

from collections.abc import Iterable, Sequence
from itertools import chain
from operator import itemgetter

from games.chance import Chance
from games.game import Blueprint, Seen
from games.ke_dnu import commands
from games.ke_dnu.commands import Command
from games.ke_dnu.components import VALUE
from games.ke_dnu.legal import legal
from games.ke_dnu.model import State, View
from games.ke_dnu.players.bot import choose, claim_gain
from games.ke_dnu.players.outlook import Outlook, action_gain
from games.ke_dnu.players.plan import steps
from games.ke_dnu.players.reasons import REASONS, reason
from games.ke_dnu.players.weights import TUNED, Weights
from games.ke_dnu.view import view

ACTIONS_MAX = 3
PLANS_MAX = 4
RANKED_MAX = 8


def policy(state: State, seat: int, chance: Chance) -> Command:
    """Return the tuned bot's command, from the seat's own view."""
    options = legal(state, seat)
    if len(options) == 1:
        return options[0]
    return chosen(state, seat, options, TUNED[len(state.status)], chance)


def chosen(
    state: State, seat: int, options: Sequence[Command], weights: Weights, chance: Chance
) -> Command:
    """Return the command of a bot with these weights, from the seat's own view."""
    return choose(Outlook(view(state, seat), seat, state.options, weights), options)


def ranking(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Sequence[Command]:
    """Return the bot's choice, then the best actions and plans, or the other answers.

    Ending the turn comes last.
    """
    outlook = Outlook(view, seen.seat, seen.options, TUNED[len(view.seats)])
    options = list(dict.fromkeys(chain([choose(outlook, legal)], _others(outlook, legal))))
    return options[:RANKED_MAX]


def _others(outlook: Outlook, legal: Sequence[Command]) -> Iterable[Command]:
    if outlook.view.stack or outlook.view.step != "main":
        return sorted(legal, key=lambda command: not isinstance(command, commands.Pass))
    gains = [
        (action_gain(outlook, command), command)
        for command in legal
        if isinstance(command, commands.Activate)
    ]
    actions = sorted(gains, key=itemgetter(0), reverse=True)[:ACTIONS_MAX]
    plans = [plan for plan in steps(outlook, legal) if plan[1] in legal]
    plans = sorted(plans, key=itemgetter(0), reverse=True)[:PLANS_MAX]
    ends = [command for command in legal if isinstance(command, commands.EndTurn)]
    return [command for _, command in (*actions, *plans)] + ends


def worths(
    view: View, seen: Seen, legal: Sequence[Command], chance: Chance
) -> Sequence[tuple[float, Command]]:
    """Return the bot's choice, then the other commands that have a worth in victory points."""
    outlook = Outlook(view, seen.seat, seen.options, TUNED[len(view.seats)])
    first = choose(outlook, legal)
    found = dict[Command, float]()
    for gain, command in chain(
        steps(outlook, legal) if view.step == "main" and not view.stack else (),
        ((_alone(outlook, command), command) for command in legal),
    ):
        if gain is not None and command in legal:
            found[command] = max(gain, found.get(command, gain))
    best = max([found.pop(first, 0.0), *found.values()])
    others = sorted(found.items(), key=itemgetter(1), reverse=True)
    return [(best, first), *((gain, command) for command, gain in others)]


def _alone(outlook: Outlook, command: Command) -> float | None:
    """Return what a command gains by itself; None if that depends on what follows."""
    match command:
        case commands.Activate() | commands.UseFlapper():
            return action_gain(outlook, command) - outlook.weights.acting
        case commands.Claim():
            return claim_gain(outlook, command) - outlook.weights.acting
        case commands.DiscardDown(card=card) | commands.ChooseCard(card=card):
            return -float(VALUE[card])
        case commands.Pass() | commands.EndTurn():
            return 0.0
        case _:
            return None


BLUEPRINT = Blueprint(
    policy=policy,
    ranking=ranking,
    reason=reason,
    reasons=REASONS,
    worths=worths,
    temperatures=(6.7, 4.5, 3.0, 1.8),
)
