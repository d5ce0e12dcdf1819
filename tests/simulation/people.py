"""The clients: they play, keep every answer, and send a command again under its key."""

import asyncio
import random
from typing import Any

from games.match.commands import AddBot, CreateMatch, PerMove, TakeSeat
from service.base.problems import Problem
from service.play.caller import Caller
from tests.simulation.machines import Killed, Process
from tests.simulation.promises import Broken, Promises

RETRY_S = 0.2
PAUSE_S = 0.3
"""Longest pause between an answer and the next command (seconds)."""
ABSENT = 0.05
"""Part of the moves before which somebody goes away."""
ANSWER_S = 12.0
"""Time after which a client sends its command again (seconds)."""
DOUBLED = 0.1
"""Part of the commands that are sent twice at the same time."""
GAME_CODES = frozenset((409, 412, 422))


class Table:
    """A match and the people at it."""

    def __init__(self, world: Any, number: int, game: str, people: int, bots: int) -> None:
        self.name = ""
        self.done = 0
        """How many of its people are through."""
        self.people = [f"p_{number}{place}" for place in range(people)]
        self._world = world
        self._promises: Promises = world.promises
        self._chance: random.Random = world.chance
        self._game = game
        self._bots = bots
        self._key = f"table-{number}"

    async def play(self, moves: int) -> None:
        """Open the match, seat everybody, and play."""
        clock = PerMove(int(self._chance.choice((1, 2, 4))))
        seats = len(self.people) + self._bots
        away_after = int(self._chance.choice((0, 0, 0, 3)))
        command = CreateMatch(self._game, seats, clock=clock, away_after=away_after)
        first = Caller(self.people[0])
        cached = await self._send(lambda parts: parts.matches.create(first, command, self._key))
        self.name = cached.match.header.match
        for seat in range(self._bots):
            await self._command(first, AddBot(len(self.people) + seat), f"{self._key}-bot-{seat}")
        for seat, player in enumerate(self.people):
            await self._command(Caller(player), TakeSeat(seat), f"{player}-seat")
        await asyncio.gather(
            *(self._sit(seat, Caller(player), moves) for seat, player in enumerate(self.people))
        )

    async def _sit(self, seat: int, caller: Caller, moves: int) -> None:
        """Play from a seat; be away now and then, so that the clock runs out."""
        told = 0
        for move in range(moves):
            legal: list[Any] = []
            while not legal:

                async def look(parts: Any) -> tuple[int, bool, list[Any]]:
                    cached = await parts.cache.get(self.name)
                    match = cached.match
                    await parts.cache.follow(cached, seat)
                    waits = match.status == "running" and seat in match.game.waiting(match.state)
                    legal = match.game.legal(match.state, seat) if waits else []
                    return cached.folded.number(seat), match.over, legal

                version, over, legal = await self._send(look)
                if not self._promises.lossy:
                    self._promises.read(self.name, version, told)
                if over:
                    return
                if not legal:
                    await asyncio.sleep(PAUSE_S + self._chance.random() * PAUSE_S)
            if self._chance.random() < ABSENT:
                await asyncio.sleep(self._chance.random() * 3)
            key = f"{caller.player}-{move}"
            accepted = await self._command(caller, self._chance.choice(legal), key)
            told = told if accepted is None else max(told, accepted.version)
            await asyncio.sleep(self._chance.random() * PAUSE_S)

    async def _command(self, caller: Caller, command: Any, key: str) -> Any:
        """Send a command until there is an answer, and keep it. None if the rules refuse it."""

        async def play(parts: Any) -> Any:
            cached = await parts.cache.known(self.name)
            return await parts.matches.play(cached, caller, command, key)

        again = self._chance.random() < DOUBLED
        sent = [self._send(play) for _ in range(1 + again)]
        answers = await asyncio.gather(*sent, return_exceptions=True)
        for answer in answers:
            if isinstance(answer, Problem) and answer.status in GAME_CODES:
                self._promises.seen[f"refused: {answer.code}"] += 1
            elif isinstance(answer, BaseException):
                raise answer
            else:
                self._promises.acknowledge(self.name, caller.player, key, answer)
        return next((one for one in answers if not isinstance(one, BaseException)), None)

    async def _send(self, work: Any) -> Any:
        """Ask one service after the other until one answers."""
        while True:
            service: Process = self._chance.choice(self._world.services)
            try:
                async with asyncio.timeout(ANSWER_S):
                    answer = await service.ask(work)
            except (Killed, TimeoutError) as error:
                self._promises.seen[f"no answer: {type(error).__name__}"] += 1
            except Problem as problem:
                if problem.status in GAME_CODES:
                    raise
                if problem.status != 503:
                    await self._unexpected(problem)
                self._promises.seen[f"refused: {problem.code}"] += 1
            else:
                if self._chance.random() < 0.97:
                    return answer
                self._promises.seen["answer lost on its way"] += 1
            await asyncio.sleep(RETRY_S * (0.5 + self._chance.random()))

    async def _unexpected(self, problem: Problem) -> None:
        """Raise `Broken`, unless a failover may have lost the match."""
        if not self._promises.lossy:
            raise Broken(f"{self.name}: {problem.code}: {problem.detail}")
