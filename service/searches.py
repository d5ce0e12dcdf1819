"""Searches for a stranger's condition: each in a process of its own, few at a time, one for each player."""

import asyncio
from collections.abc import Sequence
from typing import Any

from games import GAMES
from replay.bisect import Bisected, bisect
from replay.condition import BadCondition, TooCostly, evaluate_apart
from replay.travel import Sight
from service.problems import Problem, bad_condition

AT_ONCE = 2
"""Searches of one service process; others wait."""


class Searches:
    """The searches under way."""

    def __init__(self) -> None:
        """Begin with none."""
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._players: set[str] = set()

    async def bisect(
        self, player: str, lines: Sequence[bytes], sight: Sight, when: str, **chosen: Any
    ) -> Bisected:
        """Look for a player's condition in a log; raises `Problem` 400, 422, 429."""
        if player in self._players:
            raise Problem(429, "rate-limited", "your last search is still running", retry_after=1)
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
