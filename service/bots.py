"""A bot's turn: what it may know, what it chooses, and the command that follows. A bot never hangs a match."""

import asyncio
from typing import Any, Literal, NamedTuple

import structlog

from games.chance import Chance
from games.game import AnyGame, Illegal, Seen
from games.match.commands import By
from projections.seen import seen
from projections.summary import waiting_bots
from service.keys import Keys
from service.matches import Live, Matches, Sent

PATIENCE_S = 3.0
"""Seconds that a bot waits where the rules say that it came too fast."""

Outcome = Literal["played", "default", "stale"]

log = structlog.get_logger("shiplog")


class Turn(NamedTuple):
    """A bot's turn at one version of the log, with all that the bot is told."""

    game: AnyGame
    match: str
    version: int
    seat: int
    level: str
    view: Any
    seen: Seen
    legal: list[Any]
    default: Any
    chance: Chance


def turn(live: Live, version: int, keys: Keys) -> Turn | None:
    """Give the turn of the bot that has waited longest; None when the match has gone on from that version."""
    match = live.match
    bots = waiting_bots(match)
    if match.version != version or not bots:
        return None
    game, name, seat = match.game, match.header.match, bots[0]
    return Turn(
        game,
        name,
        version,
        seat,
        match.chairs[seat].bot,
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
    """Put the bot's command on disk, or its default where the rules refuse it; raises `Problem` 503."""
    try:
        return await _play(matches, live, its, command)
    except Illegal as error:
        if command == its.default:
            raise
        log.warning("bot", match=its.match, seat=its.seat, level=its.level, refused=error.code)
        return await _play(matches, live, its, its.default)


async def _play(matches: Matches, live: Live, its: Turn, command: Any) -> Outcome:
    name = f"bot-{its.seat}-{its.version}"
    sent = Sent(By(seat=its.seat), f"seat {its.seat}", name, command)
    try:
        done = await matches.play_at(live, sent, its.version)
    except Illegal as error:
        if error.code != "too-fast":
            raise
        await asyncio.sleep(min(PATIENCE_S, error.details["retry_after_ms"] / 1_000))
        done = await matches.play_at(live, sent, its.version)
    if not done:
        return "stale"
    return "default" if command == its.default else "played"
