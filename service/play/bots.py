"""A bot's turn: what the bot knows, what it chooses, and its command. A bot never hangs a match."""

import asyncio
from typing import Any, Literal, NamedTuple

import structlog

from games.chance import Chance
from games.game import AnyGame, Illegal, Seen
from games.match.commands import Actor
from games.match.viewers import is_current
from projections.seen import seen
from projections.summary import waiting_bots
from service.base.keys import Keys
from service.play.matches import CachedMatch, Matches, Submission

PATIENCE_MS = 300
"""Longest wait after a move that came too fast; others use the worker in the meantime (ms)."""

Outcome = Literal["played", "stale", "too-fast"]

log = structlog.get_logger("shiplog")


class BotTurn(NamedTuple):
    """A bot's turn at a version of the log, with everything that the bot may know."""

    game: AnyGame
    match: str
    version: int
    seat: int
    level: str
    stands_in: bool
    """Whether the bot plays for a person who is away."""
    view: Any
    seen: Seen
    legal: list[Any]
    default: Any
    chance: Chance


def bot_turn(cached: CachedMatch, version: int, keys: Keys, place: int = 0) -> BotTurn | None:
    """Return the turn of the bot that has waited longest, or of a later one by its place.

    None if there is no such bot, or if it was shown a record after that version.
    """
    match = cached.match
    bots = waiting_bots(match)
    if place >= len(bots):
        return None
    game, name, seat = match.game, match.header.match, bots[place]
    if not is_current(match, seat, version):
        return None
    return BotTurn(
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


def choose(turn: BotTurn) -> Any:
    """Return the bot's choice, or the default command if the bot fails."""
    try:
        return turn.game.players.bots[turn.level](turn.view, turn.seen, turn.legal, turn.chance)
    except Exception:  # a bot may fail in any way: by an error, its time limit or its memory limit
        log.exception("bot", match=turn.match, seat=turn.seat, level=turn.level)
        return turn.default


async def play(matches: Matches, cached: CachedMatch, turn: BotTurn, command: Any) -> Outcome:
    """Append the bot's command, or the default if the rules refuse it; raises `Problem` 503.

    Call again later if the outcome is `too-fast`.
    """
    try:
        return await _play(matches, cached, turn, command)
    except Illegal as error:
        if command == turn.default:
            raise
        log.warning("bot", match=turn.match, seat=turn.seat, level=turn.level, refused=error.code)
        return await _play(matches, cached, turn, turn.default)


async def _play(matches: Matches, cached: CachedMatch, turn: BotTurn, command: Any) -> Outcome:
    name = f"bot-{turn.seat}-{turn.version}"
    by = Actor(seat=turn.seat, clock=turn.stands_in)
    sent = Submission(by, name, command)
    try:
        done = await matches.play_at(cached, sent, turn.version)
    except Illegal as error:
        if error.code != "too-fast":
            raise
        wait_ms = error.details["retry_after_ms"]
        if wait_ms > PATIENCE_MS:
            return "too-fast"
        await asyncio.sleep(wait_ms / 1_000)
        done = await matches.play_at(cached, sent, turn.version)
    return "played" if done else "stale"
