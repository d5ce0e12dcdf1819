"""Play a world to its end by the blueprint, and share out the win."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from games.chance import Chance
from games.game import AnyGame, Blueprint

Stop = Callable[[], bool]
"""Returns whether the search was cancelled; called before every command."""

OWN_DICE = 1 << 32
"""Versions from here on seed the policies' own randomness; lower ones seed the game's dice."""


VALUE_ERROR = 0.03
"""Standard error of a value function that judges games cut short, as their calibration shows."""


class Cancelled(Exception):
    """The search was cancelled."""


def never() -> bool:
    """Never cancel."""
    return False


def pause(cancelled: Stop) -> None:
    """Raise `Cancelled` if the search was cancelled."""
    if cancelled():
        raise Cancelled


def blueprint_of(game: AnyGame) -> Blueprint[Any, Any, Any]:
    """Return a game's blueprint; only games with a blueprint are searched."""
    blueprint = game.players.blueprint
    assert blueprint is not None, f"{game.slug} has no blueprint"
    return blueprint


def unabridged(game: AnyGame) -> AnyGame:
    """Return the game with playouts that go on to the end, where no value function judges."""
    whole = replace(blueprint_of(game), stage=None)
    return replace(game, players=replace(game.players, blueprint=whole))


def forecasting(game: AnyGame) -> AnyGame:
    """Return the game with the playouts that tell people how likely a team is to win."""
    return unabridged(game) if blueprint_of(game).only_compares else game


def value_error(game: AnyGame) -> float:
    """Return the standard error of the value function. 0 if games are always played to the end."""
    return 0.0 if blueprint_of(game).stage is None else VALUE_ERROR


def rollout(game: AnyGame, state: Any, seed: bytes, cancelled: Stop) -> Sequence[float]:
    """Play a state in place to its end or horizon; return each team's share of the win.

    Every seat follows the policy, which knows no more than the seat does. Dice decide which of
    several waiting seats acts.
    """
    blueprint = blueprint_of(game)
    stage, value = blueprint.stage, blueprint.value
    last = None if stage is None else stage(state) + blueprint.horizon
    version = 0
    while waiting := game.waiting(state):
        pause(cancelled)
        if stage is not None and last is not None and value is not None and stage(state) >= last:
            return value(state)
        version += 1
        own = Chance(seed, OWN_DICE + version)
        seat = min(waiting) if len(waiting) == 1 else own.choice(sorted(waiting))
        command = blueprint.policy(state, seat, own)
        game.step(state, seat, command, Chance(seed, version))
    return shares(game, state)


def shares(game: AnyGame, state: Any) -> list[float]:
    """Return each team's share of a finished game's win: winning teams share it equally."""
    result = game.result(state)
    return shares_of_winners(game.teams(state), () if result is None else result.winners)


def shares_of_winners(teams: Sequence[frozenset[int]], winners: Sequence[int]) -> list[float]:
    """Return each team's share of the win: winning teams share it equally."""
    won = [not team.isdisjoint(winners) for team in teams]
    return [1 / sum(won) if wins else 0.0 for wins in won]


def team_of(game: AnyGame, state: Any, seat: int) -> int:
    """Return the index of a seat's team."""
    return next(at for at, team in enumerate(game.teams(state)) if seat in team)
