"""The base of searches: a player that looks one command ahead, and the value of a position."""

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from games.chance import Chance
from games.game import Blueprint, Seen
from games.nautilus.commands import Command
from games.nautilus.ending import module_points, treasure_discs
from games.nautilus.legal import legal
from games.nautilus.model import Options, State, View
from games.nautilus.players.bot import worth
from games.nautilus.players.outlook import Outlook, finds_now
from games.nautilus.players.reasons import REASONS, reason
from games.nautilus.players.sites import Sites
from games.nautilus.players.weights import TUNED, Weights
from games.nautilus.view import view
from games.search.odds import shares_of

RANKED_MAX = 6
"""Commands that a search looks at more closely."""
N_A_ROUND = 4
"""N that a seat spends in a round, on average."""


class Odds(NamedTuple):
    """Log-odds of winning for each point and N that a seat has."""

    point: float
    """For a point of the score that the seat would have now.

    Half as much while the seats still have 20 N on average.
    """
    coin: float
    """For 1 N when the seats have little left to spend."""
    coin_later: float
    """Change of `coin` for every 20 N that the seats still have on average."""


ODDS = {
    2: Odds(point=0.044, coin=0.19, coin_later=-0.14),
    3: Odds(point=0.069, coin=0.13, coin_later=-0.04),
    4: Odds(point=0.070, coin=0.07, coin_later=-0.04),
}
"""By seats. A logistic fit to every round of 48, 100 and 94 matches between tuned players.

Seeds from 150,000 on with two seats, from 302,000 on with three and four.
"""


def policy(state: State, seat: int, chance: Chance) -> Command:
    """Return the command of greatest worth, as far as the seat's own view tells."""
    options = legal(state, seat)
    if len(options) == 1:
        return options[0]
    return chosen(state, seat, options, TUNED[state.seats], chance)


def chosen(
    state: State, seat: int, options: Sequence[Command], weights: Weights, chance: Chance
) -> Command:
    """Return the command of a bot with these weights, from the seat's own view."""
    return weighed(view(state, seat), seat, state.options, options, weights)[0][1]


def ranking(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Sequence[Command]:
    """Return the commands of greatest worth, the best first."""
    return [command for _, command in worths(view, seen, legal, chance)[:RANKED_MAX]]


def worths(
    view: View, seen: Seen, legal: Sequence[Command], chance: Chance
) -> list[tuple[float, Command]]:
    """Return all commands with their worths, the best first."""
    seat = seen.viewer
    assert seat is not None, "a spectator plays nothing"
    return weighed(view, seat, seen.options, legal, TUNED[view.seats])


def weighed(
    view: View, seat: int, options: Options, legal: Sequence[Command], weights: Weights
) -> list[tuple[float, Command]]:
    """Sort commands by worth; of equals, the later one comes first.

    Commands that end or skip something come last in `legal`: a command that gains nothing is not
    preferred to them.
    """
    outlook = Outlook(view, options, seat, weights)
    sites = Sites(outlook)
    found = [(worth(outlook, sites, command), command) for command in legal]
    return sorted(found, key=itemgetter(0))[::-1]


def rounds(state: State) -> int:
    """Return the round."""
    return state.round


def value(state: State) -> list[float]:
    """Estimate each seat's chance of winning, from its score, its money and the rounds left."""
    odds = ODDS[state.seats]
    later = sum(state.money) / state.seats / 20
    if state.end_round:
        later = min(later, (state.end_round + 1 - state.round) * N_A_ROUND / 20)
    scores = scores_now(state)
    return shares_of(
        [
            scores[seat] * odds.point / (1 + later)
            + state.money[seat] * (odds.coin + odds.coin_later * later)
            for seat in range(state.seats)
        ]
    )


def scores_now(state: State) -> list[int]:
    """Return the scores if the match ended now (see `finds_now`)."""
    return [
        finds_now(state, seat, disc) * sum(module_points(state, seat).values()) + state.money[seat]
        for seat, disc in enumerate(treasure_discs(state))
    ]


BLUEPRINT = Blueprint(
    policy=policy,
    ranking=ranking,
    worths=worths,
    temperatures=(3.9, 3.1, 2.35, 1.45),
    reason=reason,
    reasons=REASONS,
    stage=rounds,
    horizon=1,
    cost=3,
    value=value,
)
