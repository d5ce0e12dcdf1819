"""Play a world on by the blueprint, and say who won."""

from collections.abc import Callable, Sequence
from typing import Any

from games.chance import Chance
from games.game import AnyGame, Blueprint

Stop = Callable[[], bool]
"""Asked before every command that is played: whether nobody wants the answer any more."""

OWN_DICE = 1 << 32
"""Versions from here on are the policies' own randomness, those below the game's."""


class Cancelled(Exception):
    """Nobody wants the answer any more."""


def never() -> bool:
    """Let the search come to its end."""
    return False


def blueprint_of(game: AnyGame) -> Blueprint[Any, Any, Any]:
    """Give a game's blueprint, which a search can't do without."""
    blueprint = game.players.blueprint
    assert blueprint is not None, f"{game.slug} has no blueprint"
    return blueprint


def play(game: AnyGame, state: Any, seat: int, command: Any, seed: bytes) -> None:
    """Play one command in place; the dice are those of the seed's first version."""
    game.step(state, seat, command, Chance(seed, 0))


def rollout(game: AnyGame, state: Any, seed: bytes, cancelled: Stop) -> Sequence[float]:
    """Play a state on in place, to the end or the horizon; give each team's share of the win.

    Every seat plays the policy, which knows no more than the seat. Of several waiting seats the dice say who acts.
    """
    blueprint = blueprint_of(game)
    stage, value = blueprint.stage, blueprint.value
    last = None if stage is None else stage(state) + blueprint.horizon
    version = 0
    while waiting := game.waiting(state):
        if cancelled():
            raise Cancelled
        if stage is not None and last is not None and value is not None and stage(state) >= last:
            return value(state)
        version += 1
        own = Chance(seed, OWN_DICE + version)
        seat = min(waiting) if len(waiting) == 1 else own.choice(sorted(waiting))
        command = blueprint.policy(state, seat, own)
        game.step(state, seat, command, Chance(seed, version))
    return shares(game, state)


def shares(game: AnyGame, state: Any) -> list[float]:
    """Give each team's share of a finished game's win: winning teams share it equally."""
    result = game.result(state)
    winners = frozenset[int]() if result is None else frozenset(result.winners)
    won = [not team.isdisjoint(winners) for team in game.teams(state)]
    return [1 / sum(won) if wins else 0.0 for wins in won]


def team_of(game: AnyGame, state: Any, seat: int) -> int:
    """Give the index of a seat's team."""
    return next(at for at, team in enumerate(game.teams(state)) if seat in team)
