"""Searches for conditions of players: each in a process of its own, and few at a time."""

import asyncio
from collections.abc import Sequence
from typing import Any

from games import GAMES
from replay.bisect import Bisected, bisect
from replay.condition import BadCondition, TooCostly, evaluate_apart
from replay.travel import Sight
from service.base.problems import Problem, bad_condition

AT_ONCE = 2
"""Number of simultaneous searches of a service process; others wait."""


class Searches:
    """The searches under way."""

    def __init__(self) -> None:
        """Start without searches."""
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._players: set[str] = set()

    async def bisect(
        self, player: str, lines: Sequence[bytes], sight: Sight, when: str, **chosen: Any
    ) -> Bisected:
        """Search a log for a player's condition; raises `Problem` 400, 422, 429."""
        if player in self._players:
            raise Problem(429, "rate-limited", "Your last search is still running.", retry_after=1)
        self._players.add(player)
        try:
            async with self._turns:
                return await asyncio.to_thread(
                    bisect, GAMES, lines, sight, when, evaluator=evaluate_apart, **chosen
                )
        except BadCondition as error:
            raise bad_condition(str(error)) from None
        except TooCostly as error:
            raise Problem(422, "condition-too-costly", str(error)) from None
        finally:
            self._players.discard(player)
