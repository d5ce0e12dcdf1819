"""The blueprint: the tuned one-command player, and the value of a game that is cut short."""

from collections.abc import Sequence
from operator import itemgetter

from games.chance import Chance
from games.game import Blueprint, Seen
from games.search.odds import shares_of
from games.submarine.commands import Command, Salvage, SalvageWithJoker
from games.submarine.legal import legal
from games.submarine.model import Options, State, View
from games.submarine.players.bot import best, evaluated
from games.submarine.players.outlook import Outlook
from games.submarine.players.reasons import REASONS, reason
from games.submarine.players.weights import CROWD, DUEL
from games.submarine.view import view

ODDS_DUEL = (0.9, 0.38, 0.06, 1.5, 0.25)
"""Log-odds of winning per filled slot, joker, card, prospects of the fleet, and for being on turn.

Logistic fits to 3,419 positions of 400 matches between tuned players with two seats (seeds from
400,000 on), and to 5,409 positions of 399 matches with four seats (other deals).
"""
ODDS_CROWD = (1.22, 0.61, 0.31, 1.25, 0.08)
DECIDED = 50.0
"""Log-odds against a seat that has withdrawn."""


def outlook_of(view: View, seat: int, options: Options) -> Outlook:
    """Return the outlook of a view, with the weights for its number of seats."""
    return Outlook(view, seat, options, DUEL if view.players == 2 else CROWD)


def policy(state: State, seat: int, chance: Chance) -> Command:
    """Look one command ahead, from the seat's own view."""
    commands = legal(state, seat)
    if len(commands) == 1:
        return commands[0]
    own = view(state, seat)
    return best(own, seat, outlook_of(own, seat, state.options), commands)


def worths(
    view: View, seen: Seen, legal: Sequence[Command], chance: Chance
) -> Sequence[tuple[float, Command]]:
    """Sort commands by outlook; of all lifts only the first of the best harvest is there."""
    seat = seen.viewer
    assert seat is not None, "spectators don't play"
    options = evaluated(view, seat, outlook_of(view, seat, seen.options), legal)
    return sorted(options, key=itemgetter(0), reverse=True)


def ranking(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Sequence[Command]:
    """Rank commands by outlook; lifts that do not begin the best harvest come last."""
    ranked = [command for _, command in worths(view, seen, legal, chance)]
    lifts = {
        (command.token, getattr(command, "joker", "")): command
        for command in reversed(legal)
        if isinstance(command, Salvage | SalvageWithJoker)
    }
    return [*ranked, *(command for command in lifts.values() if command not in ranked)]


def turns(state: State) -> int:
    """Return the number of turns so far."""
    return state.turn


def value(state: State) -> list[float]:
    """Return each seat's chance of winning, from the holdings and prospects of all seats."""
    return shares_of([_log_odds(state, seat) for seat in range(state.players)])


def _log_odds(state: State, seat: int) -> float:
    if seat in state.withdrawn:
        return -DECIDED
    own = view(state, seat)
    outlook = outlook_of(own, seat, state.options)
    prospects = outlook.prospects(outlook.fleet, state.ships[seat], outlook.holding)
    held = (
        len(state.slots[seat]),
        len(state.jokers[seat]),
        len(state.hand[seat]) + len(state.pile[seat]),
        prospects,
        float(state.active == seat),
    )
    weights = ODDS_DUEL if state.players == 2 else ODDS_CROWD
    return sum(weight * count for weight, count in zip(weights, held, strict=True))


BLUEPRINT = Blueprint(
    policy=policy,
    ranking=ranking,
    worths=worths,
    temperatures=(0.235, 0.16, 0.087, 0.0),
    budget=lambda _view: 48,
    reason=reason,
    reasons=REASONS,
    stage=turns,
    horizon=2,
    cost=5,
    value=value,
)
