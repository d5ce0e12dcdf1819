"""A bot's turn: what it may know, what it chooses, and the command that follows. A bot never hangs a match."""

import asyncio
from typing import Any, Literal, NamedTuple

import structlog

from games.chance import Chance
from games.game import AnyGame, Illegal, Seen
from games.match.commands import By
from projections.seen import seen
from projections.summary import waiting_bots
from service.base.keys import Keys
from service.play.matches import Live, Matches, Sent

PATIENCE_MS = 300
"""Milliseconds that a bot waits at the table where it came too fast; for longer it makes room for others."""

Outcome = Literal["played", "stale", "too-fast"]

log = structlog.get_logger("shiplog")


class Turn(NamedTuple):
    """A bot's turn at one version of the log, with all that the bot is told."""

    game: AnyGame
    match: str
    version: int
    seat: int
    level: str
    stands_in: bool
    """For a person who is away."""
    view: Any
    seen: Seen
    legal: list[Any]
    default: Any
    chance: Chance


def turn(live: Live, version: int, keys: Keys, place: int = 0) -> Turn | None:
    """Give the turn of the bot that has waited longest, or of the one at a later place after it.

    None when there is none, or the match has gone on from that version.
    """
    match = live.match
    bots = waiting_bots(match)
    if match.version != version or place >= len(bots):
        return None
    game, name, seat = match.game, match.header.match, bots[place]
    return Turn(
        game,
        name,
        version,
        seat,
        match.bot_at(seat),
        bool(match.stand_in(seat)),
        game.view(match.state, seat),
        seen(match, seat),
        game.legal(match.state, seat),
        game.default(match.state, seat),
        Chance(keys.derive("bot", name, str(seat)), version),
    )


def choose(its: Turn) -> Any:
    """Let the bot choose; where it fails, the default is taken."""
    try:
        return its.game.bots[its.level](its.view, its.seen, its.legal, its.chance)
    except Exception:  # a bot may fail in any way, also by its time limit or for want of memory
        log.exception("bot", match=its.match, seat=its.seat, level=its.level)
        return its.default


async def play(matches: Matches, live: Live, its: Turn, command: Any) -> Outcome:
    """Put the bot's command on disk, or its default where the rules refuse it; raises `Problem` 503.

    Who came too fast is to be asked again.
    """
    try:
        return await _play(matches, live, its, command)
    except Illegal as error:
        if command == its.default:
            raise
        log.warning("bot", match=its.match, seat=its.seat, level=its.level, refused=error.code)
        return await _play(matches, live, its, its.default)


async def _play(matches: Matches, live: Live, its: Turn, command: Any) -> Outcome:
    name = f"bot-{its.seat}-{its.version}"
    by = By(seat=its.seat, clock=its.stands_in)
    sent = Sent(by, name, command)
    try:
        done = await matches.play_at(live, sent, its.version)
    except Illegal as error:
        if error.code != "too-fast":
            raise
        wait_ms = error.details["retry_after_ms"]
        if wait_ms > PATIENCE_MS:
            return "too-fast"
        await asyncio.sleep(wait_ms / 1_000)
        done = await matches.play_at(live, sent, its.version)
    return "played" if done else "stale"
