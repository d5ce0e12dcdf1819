"""Demo matches between bots, which keep the lobby alive: when one ends, another is created."""

import asyncio
from itertools import cycle, islice

import structlog

from games import GAMES
from games.game import AnyGame
from games.match.commands import AddBot, CreateMatch
from service.base.problems import Problem
from service.play.caller import Caller
from service.play.listings import Listings
from service.process.context import Context

PLAYER = "p_demo"
"""The player who creates them. Nobody has a token of this player."""
MATCHES_MAX = 500
"""Maximum number of matches of a process, so that a forgotten demo does not fill the disk."""
LOOK_S = 3.0
SEATS_WISHED = 3

log = structlog.get_logger("shiplog")


async def keep_playing(context: Context, tables: int, matches_max: int = MATCHES_MAX) -> None:
    """Keep `tables` matches running, of all games in turn, until `matches_max` were created."""
    listings = Listings(context.work)
    games = cycle(game for game in GAMES.values() if game.players.levels)
    begun = 0
    while begun < matches_max:
        try:
            missing = min(tables - await _running(listings), matches_max - begun)
            for game in islice(games, max(0, missing)):
                await begin(context, game)
                begun += 1
        except Problem as problem:
            log.debug("demo", code=problem.code)
        await asyncio.sleep(LOOK_S)


async def begin(context: Context, game: AnyGame) -> str:
    """Create a match of a game, seat bots of its middle level, and return its id."""
    caller = Caller(PLAYER)
    seats = min(max(SEATS_WISHED, game.seats[0]), game.seats[-1])
    cached = await context.matches.create(caller, CreateMatch(game.slug, seats), None)
    levels = game.players.levels
    level = levels[len(levels) // 2]
    for seat in range(seats):
        await context.matches.play(cached, caller, AddBot(seat, level), None)
    return cached.match.header.match


async def _running(listings: Listings) -> int:
    """Count the demo's matches among the newest running ones."""
    page = await listings.lobby(status="running", count=200)
    return sum(listed.creator == PLAYER for listed in page.matches)
