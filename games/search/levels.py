"""Bots at every strength: one mechanism for all games.

Below the top level, a bot chooses among the commands that its blueprint thinks worthwhile, each the
likelier the more it is worth: weights are exponential (softmax), and a temperature sets how much a
worse command still counts. Small mistakes are common, great ones rare, and a command that costs
more than a few temperatures is never chosen. The top level chooses the best, and looks ahead where
that pays.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import exp
from typing import Any, TypeVar

from games.chance import Chance
from games.game import AnyGame, Blueprint, Bot, Seen
from games.search.choose import choose
from games.search.rollout import blueprint_of

LEVELS = ("beginner", "easy", "medium", "hard", "expert")
"""Weakest first."""
SPAN = 4.0
"""A command that is worse by more temperatures than this is never chosen."""
UNIT = 1 << 32
"""Weight of the best command."""

T = TypeVar("T")


def with_levels(game: AnyGame) -> AnyGame:
    """Return the game with all `LEVELS`. The bots that it has are accepted, but not offered."""
    *_, top = LEVELS
    blueprint = blueprint_of(game)
    ladder: dict[str, Bot[Any, Any]] = {
        level: softened(blueprint, temperature)
        for level, temperature in temperatures(blueprint).items()
    }
    if blueprint.budget is not None:
        ladder[top] = _searching(game, blueprint.budget)
    earlier: Mapping[str, Bot[Any, Any]] = game.players.bots
    players = replace(game.players, bots={**earlier, **ladder}, earlier=frozenset(earlier))
    return replace(game, players=players)


def temperatures(blueprint: Blueprint[Any, Any, Any]) -> dict[str, float]:
    """Return the temperature of each level; at 0 it always chooses the best."""
    return dict(zip(LEVELS, (*blueprint.temperatures, 0.0), strict=True))


def softened(blueprint: Blueprint[Any, Any, Any], temperature: float) -> Bot[Any, Any]:
    """Return a bot that plays the blueprint at a temperature; at 0 it always chooses the best."""

    def bot(view: Any, seen: Seen, legal: Sequence[Any], chance: Chance) -> Any:
        if len(legal) == 1:
            return legal[0]
        if not temperature:
            return blueprint.ranking(view, seen, legal, chance)[0]
        return soft_choice(blueprint.worths(view, seen, legal, chance), temperature, chance)

    return bot


def _searching(game: AnyGame, budget: Callable[[Any], int]) -> Bot[Any, Any]:
    """Return a bot that looks ahead within a budget of playouts; at 0 it plays the blueprint."""
    blueprint = blueprint_of(game).searched or blueprint_of(game)
    game = replace(game, players=replace(game.players, blueprint=blueprint))

    def bot(view: Any, seen: Seen, legal: Sequence[Any], chance: Chance) -> Any:
        if len(legal) == 1:
            return legal[0]
        if playouts := budget(view):
            return choose(game, view, seen, legal, playouts, chance).command
        return blueprint.ranking(view, seen, legal, chance)[0]

    return bot


def soft_choice(weighed: Sequence[tuple[float, T]], temperature: float, chance: Chance) -> T:
    """Return a command with a probability proportional to e^(worth / temperature)."""
    best = weighed[0][0]
    losses = [(best - worth) / temperature for worth, _ in weighed]
    weights = [round(UNIT * exp(-loss)) if loss <= SPAN else 0 for loss in losses]
    drawn = chance.randbelow(sum(weights))
    for weight, (_, command) in zip(weights, weighed, strict=True):
        if drawn < weight:
            return command
        drawn -= weight
    raise AssertionError("a number below the sum falls to a command")
