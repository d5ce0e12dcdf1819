"""Choose a command among the blueprint's candidates by sequential halving.

The best of several noisy means is mostly a lucky one, and taking it at every turn makes a good
player worse. Another command than the blueprint's is therefore chosen only for a paired gain of
more than `ERRORS` standard errors.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from games.chance import Chance
from games.game import AnyGame, Illegal, Seen
from games.search.evaluate import Estimate, Trials
from games.search.rollout import Stop, blueprint_of, never, pause
from games.search.worlds import Worlds, seed_from

CANDIDATES_MAX = 8
ERRORS = 2.0
"""Number of standard errors that a gain must exceed."""
WORLDS_MIN = 8
"""Minimum number of worlds over which a gain counts."""


class Choice(msgspec.Struct, frozen=True):
    """The chosen command, with estimates of all candidates."""

    command: Any
    blueprint: Any
    """The command that would be chosen without looking ahead."""
    estimates: Sequence[Estimate]
    """In the blueprint's order. Candidates dropped early were played in fewer worlds."""
    playouts: int
    """Number of playouts so far."""

    def estimate(self) -> Estimate:
        """Return the estimate of the chosen command."""
        return next(known for known in self.estimates if known.command == self.command)


def deliberate(
    game: AnyGame,
    view: Any,
    seen: Seen,
    legal: Sequence[Any],
    budget: int,
    chance: Chance,
    cancelled: Stop = never,
) -> Iterator[Choice]:
    """Yield the blueprint's choice at once, then a better choice after each round of halving.

    `budget` is the number of playouts. The number of rounds depends on the budget and the
    candidates alone. If no world fits what the seat remembers (possible in a branch), the choice
    so far is the last. Raises `Cancelled`.
    """
    blueprint = blueprint_of(game)
    ranked = list(blueprint.ranking(view, seen, legal, chance))[:CANDIDATES_MAX]
    at_once = None
    if blueprint.at_once is not None and seen.whole:
        at_once = blueprint.at_once(
            view, seen, ranked, seed_from(chance), partial(pause, cancelled)
        )
    worlds = Worlds(game, view, seen, chance)
    trials = Trials(game, worlds, seen.seat, ranked, cancelled, at_once=at_once)
    survivors = list(range(len(ranked)))
    yield _choice(trials, survivors, 0)
    rounds = (len(ranked) - 1).bit_length()
    played = 0
    for _ in range(rounds):
        worlds = max(1, budget // (rounds * len(survivors)))
        if played + worlds * len(survivors) > budget:
            return
        try:
            trials.extend(survivors, worlds)
        except Illegal:
            return
        played += worlds * len(survivors)
        survivors = _better_half(trials, survivors)
        yield _choice(trials, survivors, played)


def choose(
    game: AnyGame,
    view: Any,
    seen: Seen,
    legal: Sequence[Any],
    budget: int,
    chance: Chance,
) -> Choice:
    """Return the last choice of `deliberate`."""
    *_, last = deliberate(game, view, seen, legal, budget, chance)
    return last


def _better_half(trials: Trials, survivors: Sequence[int]) -> list[int]:
    """Return the better half; the blueprint's choice always stays."""
    order = sorted(survivors, key=lambda at: (-trials.mean(at), at))
    kept = order[: max(2, (len(order) + 1) // 2)]
    return sorted({0, *kept[: len(kept) - (0 not in kept)]})


def _choice(trials: Trials, survivors: Sequence[int], played: int) -> Choice:
    estimates = trials.estimates()
    blueprint = estimates[0].command
    believed = [
        estimates[at]
        for at in survivors
        if estimates[at].worlds >= WORLDS_MIN and estimates[at].beats_first(ERRORS)
    ]
    best = max(believed, key=lambda known: known.gain, default=estimates[0])
    return Choice(best.command, blueprint, estimates, played)
