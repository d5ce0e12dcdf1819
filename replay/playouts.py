"""The playouts of an analysis, in batches that may be played anywhere and in any order.

Each world follows from the log, the decision, the purpose and its number alone. So it makes no
difference to an analysis who plays a batch.
"""

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, Literal, Protocol

import msgspec

from games.chance import Chance
from games.game import Illegal
from games.match.model import Match
from games.search.evaluate import Trials
from games.search.rollout import blueprint_of, forecasting, unabridged
from games.search.worlds import Worlds, seed_from
from replay.decisions import Decision, decisions

Purpose = Literal["curve", "screen", "test"]
"""`curve`: the chance with the command that was played. `screen`: is another one better? `test`: is
it, by whole games?"""


class Batch(msgspec.Struct, frozen=True, array_like=True):
    """Some numbered worlds in which a decision is played on."""

    decision: int
    """Index among the decisions of the match."""
    purpose: Purpose
    first: int
    """Number of the first world."""
    worlds: int


class Played(msgspec.Struct, frozen=True, array_like=True):
    """A batch that was played."""

    won: list[list[float]]
    """For the command that was played, and for the bot's choice if both were: the team's share of
    the win in each world."""
    commands: int
    """Number of commands played."""
    fits: bool
    """Whether the rules accepted every command in the sampled worlds. If not, some are missing."""


class Source(Protocol):
    """Plays batches, here or elsewhere."""

    def play(self, batch: Batch) -> Played:
        """Return the batch as it was played."""
        ...

    def expect(self, batches: Sequence[Batch]) -> None:
        """Take note of the batches that are likely to be asked for next, in this order."""
        ...


class Playouts:
    """Plays batches in this process when they are asked for."""

    def __init__(self, match: Match, head: str) -> None:
        """Take a match. `head` seeds all randomness."""
        self.decisions = tuple(decisions(match))
        self._game = forecasting(match.game)
        self._head = head
        self._worlds = cache(self._sampled)

    def ranking(self, decision: int, dice: int = 0) -> Sequence[Any]:
        """Return the commands that the blueprint thinks worth a look, the best first."""
        asked = self.decisions[decision]
        chance = Chance(seed_from(self._chance(asked, "screen")), dice)
        before = asked.before
        return blueprint_of(self._game).ranking(before.view, before.seen, asked.legal, chance)

    def play(self, batch: Batch) -> Played:
        """Return the batch as it was played."""
        commands = 0

        def count() -> bool:
            nonlocal commands
            commands += 1
            return False

        candidates = [self.decisions[batch.decision].command]
        if batch.purpose != "curve":
            candidates.append(self.ranking(batch.decision)[0])
        game, worlds, seat = self._worlds(batch.decision, batch.purpose)
        trials = Trials(game, worlds, seat, candidates, count, batch.first)
        try:
            trials.extend(range(len(candidates)), batch.worlds)
        except Illegal:
            return Played(trials.won, commands, fits=False)
        return Played(trials.won, commands, fits=True)

    def expect(self, batches: Sequence[Batch]) -> None:
        """Do nothing: here a batch is played when it is asked for."""

    def _sampled(self, decision: int, purpose: Purpose) -> tuple[Any, Worlds, int]:
        asked = self.decisions[decision]
        game = unabridged(self._game) if purpose == "test" else self._game
        chance = self._chance(asked, purpose)
        worlds = Worlds(game, asked.before.view, asked.before.seen, chance)
        return game, worlds, asked.seat

    def _chance(self, decision: Decision, purpose: Purpose) -> Chance:
        return Chance(sha256(f"{self._head} {purpose}".encode()).digest(), decision.v)


Share = Callable[[Playouts], Source]
"""Returns who plays the batches of an analysis. That makes no difference to the result."""


def play_here(playouts: Playouts) -> Source:
    """Play all batches in this process."""
    return playouts
