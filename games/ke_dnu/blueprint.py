"""What the search plays and weighs: the tuned player, its plans and answers, and a value for games cut short."""

from collections.abc import Iterable, Sequence
from itertools import chain
from operator import itemgetter

from games.chance import Chance
from games.game import Blueprint, Seen
from games.ke_dnu import commands
from games.ke_dnu.bot import choose
from games.ke_dnu.bot_actions import Outlook, action_gain
from games.ke_dnu.bot_plan import steps
from games.ke_dnu.bot_taste import TUNED
from games.ke_dnu.commands import Command
from games.ke_dnu.course import board_score
from games.ke_dnu.legal import legal
from games.ke_dnu.model import State, View
from games.ke_dnu.reasons import REASONS, reason
from games.ke_dnu.ship import VALUE
from games.ke_dnu.view import view
from games.search.odds import shares_of

ACTIONS_MAX = 3
PLANS_MAX = 4
RANKED_MAX = 8
BOARD, HAND, DECK = (0.09, 0.27), (0.03, 0.13), (0.01, 0.24)
"""Log-odds of winning in the Voyage and in the Sinking: a point on the board, one in the hand, a card in the deck."""
SUNK, SCORED = -5.0, 0.41
"""Log-odds of a ship that sank, and of a point that it scored.

Logistic fits to 2,992 turns of 300 matches between tuned players, two seats (seeds from 400,000 on).
"""
ABANDONED = 50.0
PHASE_TURNS = 1000


def policy(state: State, seat: int, chance: Chance) -> Command:
    """Play by rules of thumb, from the seat's own view."""
    options = legal(state, seat)
    if len(options) == 1:
        return options[0]
    return choose(Outlook(view(state, seat), seat, state.options, TUNED), options)


def ranking(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Sequence[Command]:
    """Give the rules' choice, then the best actions and plans, or the other answers, then to do nothing more."""
    seat = seen.viewer
    assert seat is not None, "a spectator plays nothing"
    outlook = Outlook(view, seat, seen.options, TUNED)
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


def turns(state: State) -> int:
    """Count the turns; a new phase is beyond any horizon."""
    return state.turn_index + PHASE_TURNS * (state.phase != "voyage")


def value(state: State) -> list[float]:
    """Give each seat's chance of winning."""
    return shares_of([_log_odds(state, seat) for seat in range(len(state.status))])


def _log_odds(state: State, seat: int) -> float:
    if state.status[seat] == "abandoned":
        return -ABANDONED
    if state.status[seat] == "sunk":
        return SUNK + SCORED * (state.score[seat] or 0)
    sinking = state.phase != "voyage"
    return (
        BOARD[sinking] * board_score(state, seat)
        + HAND[sinking] * sum(VALUE[card] for card in state.hand[seat])
        + DECK[sinking] * len(state.deck[seat])
    )


BLUEPRINT = Blueprint(
    policy=policy,
    ranking=ranking,
    reason=reason,
    reasons=REASONS,
    stage=turns,
    horizon=1,
    value=value,
    budget=64,
)
