"""What the search plays and weighs: the one-ply player, and a value for games that are cut short."""

from collections.abc import Sequence
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
from games.nautilus.players.weights import TUNED
from games.nautilus.view import view
from games.search.odds import shares_of

RANKED_MAX = 6
N_A_ROUND = 4
"""What a seat spends on the average."""


class Odds(NamedTuple):
    """Log-odds of winning, by what a seat has."""

    point: float
    """For a point of the score that it would have now; half as much while each seat still has 20 N on the average."""
    coin: float
    """For 1 N when little is left to spend."""
    coin_later: float
    """What that changes by for every 20 N that a seat still has on the average."""


ODDS = {
    2: Odds(point=0.044, coin=0.19, coin_later=-0.14),
    3: Odds(point=0.069, coin=0.13, coin_later=-0.04),
    4: Odds(point=0.070, coin=0.07, coin_later=-0.04),
}
"""By seats; a logistic fit to every round of 48, 100 and 94 matches between tuned players.

Seeds from 150,000 on with two seats, from 302,000 on with three and four.
"""


def policy(state: State, seat: int, chance: Chance) -> Command:
    """Play one ply deep, from the seat's own view."""
    options = legal(state, seat)
    if len(options) == 1:
        return options[0]
    return ranked(view(state, seat), seat, state.options, options)[0]


def ranking(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Sequence[Command]:
    """Rank commands by their worth."""
    seat = seen.viewer
    assert seat is not None, "a spectator plays nothing"
    return ranked(view, seat, seen.options, legal)[:RANKED_MAX]


def ranked(view: View, seat: int, options: Options, legal: Sequence[Command]) -> list[Command]:
    """Sort commands by worth; of equals the later one first, so that nothing for nothing is declined."""
    outlook = Outlook(view, options, seat, TUNED[view.seats])
    sites = Sites(outlook)
    last_first = legal[::-1]
    return sorted(last_first, key=lambda command: -worth(outlook, sites, command))


def rounds(state: State) -> int:
    """Count the rounds."""
    return state.round


def value(state: State) -> list[float]:
    """Give each seat's chance of winning, from what it has and how long the match may still last."""
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
    """Give the scores if the match were over (`finds_now`)."""
    return [
        finds_now(state, seat, disc) * sum(module_points(state, seat).values()) + state.money[seat]
        for seat, disc in enumerate(treasure_discs(state))
    ]


BLUEPRINT = Blueprint(
    policy=policy,
    ranking=ranking,
    reason=reason,
    reasons=REASONS,
    stage=rounds,
    horizon=1,
    cost=5,
    value=value,
)
