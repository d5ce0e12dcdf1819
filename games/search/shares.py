"""How likely each team is to win, as far as a viewer knows or with all cards known."""

from collections.abc import Sequence
from typing import Any

import msgspec

from games.chance import Chance
from games.game import AnyGame, Seen
from games.search.evaluate import mean_and_error
from games.search.rollout import Stop, forecasting, never, rollout
from games.search.worlds import Worlds, numbered, seed_from


class Share(msgspec.Struct, frozen=True):
    """One team's share of the games won when blueprints play on from here."""

    seats: Sequence[int]
    """Seats of the team, ascending."""
    mean: float
    standard_error: float
    playouts: int

    def band(self) -> tuple[float, float]:
        """Return the mean minus and plus two standard errors, within 0 and 1."""
        return (
            max(0.0, self.mean - 2 * self.standard_error),
            min(1.0, self.mean + 2 * self.standard_error),
        )


def win_share(
    game: AnyGame, view: Any, seen: Seen, budget: int, chance: Chance, cancelled: Stop = never
) -> list[Share]:
    """Evaluate a position from a viewer's knowledge, over `budget` sampled worlds.

    Raises `Cancelled`.
    """
    game = forecasting(game)
    worlds = Worlds(game, view, seen, chance)
    outcomes: list[Sequence[float]] = []
    teams: Sequence[frozenset[int]] = ()
    for number in range(budget):
        state = worlds.sample(number)
        teams = game.teams(state)
        outcomes.append(rollout(game, state, worlds.seed(number), cancelled))
    return _by_team(teams, outcomes)


def share_of_state(
    game: AnyGame, state: Any, budget: int, chance: Chance, cancelled: Stop = never
) -> list[Share]:
    """Evaluate a state with all cards known, over `budget` playouts: for finished games.

    Raises `Cancelled`.
    """
    game, seed = forecasting(game), seed_from(chance)
    outcomes = [
        rollout(game, state.copy(), numbered(seed, number), cancelled) for number in range(budget)
    ]
    return _by_team(game.teams(state), outcomes)


def _by_team(teams: Sequence[frozenset[int]], outcomes: Sequence[Sequence[float]]) -> list[Share]:
    shares: list[Share] = []
    for at, team in enumerate(teams):
        mean, error = mean_and_error([outcome[at] for outcome in outcomes])
        shares.append(Share(sorted(team), mean, error, len(outcomes)))
    return shares
