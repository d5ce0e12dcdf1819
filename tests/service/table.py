"""A match without servers, and the runtime of the jobs that work on it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import msgspec

from events.memory_store import MemoryStore
from games import GAMES
from games.match.clocks import deadlines
from games.match.commands import AddBot, CreateMatch, TakeSeat
from service.base.keys import Keys, SecretFile
from service.play import bots
from service.play.caller import Caller
from service.play.match_cache import MatchCache
from service.play.matches import Matches

SECRETS = SecretFile({"k1": "11" * 32}, "k1", "22" * 32, "33" * 32)
ADA, BOB, CYD = PEOPLE = Caller("p_ada"), Caller("p_bob"), Caller("p_cyd")
GAME = GAMES["tranquility"]
RIVALS = CreateMatch(GAME.slug, 2, {"variant": "competitive"})


class NoFeed:
    async def announce(self, match, version):
        pass


def parts(store: Any, feed: Any = None) -> SimpleNamespace:
    """Open what a process works with, on a log that others may share."""
    keys = Keys(SECRETS)
    cache = MatchCache(store, keys, GAMES, 1 << 24)
    matches = Matches(cache, store, feed or NoFeed(), keys, GAMES)
    return SimpleNamespace(cache=cache, matches=matches, keys=keys)


class Table:
    """The runtime of a worker's jobs, and the match they work on."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.store = MemoryStore()
        self.context = parts(self.store)
        self.cache, self.matches = self.context.cache, self.context.matches

    def do(self, coroutine):
        return self.loop.run_until_complete(coroutine)

    def run(self, work):
        return self.do(work(self.context))

    def open(self, *levels, **fields):
        """Open a match, competitive by default, and fill all seats: "" is a person."""
        command = msgspec.structs.replace(RIVALS, **fields)
        self.cached = self.do(self.matches.create(ADA, command, None))
        for seat, level in enumerate(levels):
            sit = AddBot(seat, level) if level else TakeSeat(seat)
            self.play(ADA if level else PEOPLE[seat], sit)
        return self.match

    def play(self, caller, command):
        self.do(self.matches.play(self.cached, caller, command, None))

    def move(self):
        """Play the first legal command of the waiting person."""
        seat = self.to_act
        match = self.cached.match
        self.play(PEOPLE[seat], match.game.legal(match.state, seat)[0])

    def turn(self, place=0):
        """Return the turn of a bot that the match awaits."""
        return bots.bot_turn(self.cached, self.version, self.context.keys, place)

    @property
    def match(self):
        return self.cached.match.header.match

    @property
    def version(self):
        return self.cached.folded.version

    @property
    def to_act(self):
        """The first seat that the match waits for."""
        match = self.cached.match
        return min(match.game.waiting(match.state))

    @property
    def deadline(self):
        """When the next clock runs out, in microseconds."""
        return deadlines(self.cached.match)[0].at

    @property
    def last(self):
        """The last command that counts."""
        return self.cached.match.line[-1]


@contextmanager
def other(game: Any, **fields: Any) -> Iterator[None]:
    """Replace some fields of a frozen game for a while, for everyone who finds it in `GAMES`."""
    before = {name: getattr(game, name) for name in fields}
    try:
        for name, value in fields.items():
            object.__setattr__(game, name, value)
        yield
    finally:
        for name, value in before.items():
            object.__setattr__(game, name, value)
