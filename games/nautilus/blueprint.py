"""What the search plays and weighs: the one-ply player, and a value for games that are cut short."""

from collections.abc import Sequence

from games.chance import Chance
from games.game import Blueprint, Seen
from games.nautilus.bot import worth
from games.nautilus.commands import Command
from games.nautilus.model import Options, State, View
from games.nautilus.outlook import Outlook
from games.nautilus.reasons import REASONS, reason
from games.nautilus.rules import legal
from games.nautilus.sites import Sites
from games.nautilus.view import view
from games.nautilus.weights import TUNED
from games.search.odds import shares_of

RANKED_MAX = 6
POINT = 0.013
"""Log-odds of winning for a point of the expected score.

A logistic fit to 944 positions of 60 matches between tuned players, two seats (seeds from 400,000 on).
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
    outlook = Outlook(view, options, seat, TUNED)
    sites = Sites(outlook)
    last_first = legal[::-1]
    return sorted(last_first, key=lambda command: -worth(outlook, sites, command))


def rounds(state: State) -> int:
    """Count the rounds."""
    return state.round


def value(state: State) -> list[float]:
    """Give each seat's chance of winning, from the scores that all seats may expect."""
    return shares_of([_expected_score(state, seat) * POINT for seat in range(state.seats)])


def _expected_score(state: State, seat: int) -> float:
    outlook = Outlook(view(state, seat), state.options, seat, TUNED)
    return outlook.find_points * outlook.module_points + state.money[seat]


BLUEPRINT = Blueprint(
    policy=policy,
    ranking=ranking,
    reason=reason,
    reasons=REASONS,
    stage=rounds,
    horizon=1,
    value=value,
)
