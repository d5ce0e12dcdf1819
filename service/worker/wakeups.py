"""Jobs that wake clocks, bots and seeks. Each may run twice or late, and looks first."""

import asyncio
from collections.abc import Sequence
from typing import Any

import structlog
from rq import get_current_job
from rq.job import Job

from games.match.due import next_due
from service.base.clock import elapsed_us, stopwatch
from service.play import bots
from service.play.match_cache import CachedMatch
from service.process.context import Context
from service.worker.runtime import runtime

KILLS_MAX = 2
"""Number of worker processes that a bot may kill in one turn."""

log = structlog.get_logger("shiplog")


def run_clocks(due: Sequence[tuple[str, int]]) -> list[str]:
    """Apply the overdue deadlines that still stand; a failure does not stop the others."""

    async def run(context: Context) -> list[str | BaseException]:
        return await asyncio.gather(
            *(_run_clock(context, match, deadline) for match, deadline in due),
            return_exceptions=True,
        )

    watch = stopwatch()
    outcomes = runtime().run(run)
    failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    log.info("clock", matches=len(due), failed=len(failures), us=elapsed_us(watch))
    if failures:
        raise failures[0]
    return [outcome for outcome in outcomes if isinstance(outcome, str)]


async def _run_clock(context: Context, match: str, deadline: int) -> str:
    cached = await context.cache.known(match)
    if applied := await context.matches.run_clocks(cached):
        return f"applied {applied}"
    due = next_due(cached.match)
    return "stale" if due is None or due.at > deadline else "early"


def fill_seek(seek: str) -> str | None:
    """Seat bots on the free seats of a seek that is due; return the match, or None if it is gone.

    A failure is tried again until the seek expires.
    """

    async def run(context: Context) -> str | None:
        await context.admission.require_room()
        return await context.seeks.fill(seek)

    watch = stopwatch()
    match = runtime().run(run)
    log.info("seek", seek=seek, match=match, us=elapsed_us(watch))
    return match


def play_bot(match: str, version: int) -> str:
    """Play for the bot that a match waits for, or for the next one if that is too fast."""
    watch = stopwatch()
    place = 0
    while (outcome := _play(match, version, place)) == "too-fast":
        place += 1
    if place and outcome == "stale":
        outcome = "too-fast"
    log.info("bot", match=match, v=version, outcome=outcome, us=elapsed_us(watch))
    return outcome


def _play(match: str, version: int, place: int) -> bots.Outcome:
    here = runtime()

    async def look(context: Context) -> tuple[CachedMatch, bots.BotTurn | None]:
        cached = await context.cache.recalled(match)
        return cached, bots.bot_turn(cached, version, context.keys, place)

    cached, turn = here.run(look)
    if turn is None:
        return "stale"
    command = _choose(turn)
    return here.run(lambda context: bots.play(context.matches, cached, turn, command))


def _choose(turn: bots.BotTurn) -> Any:
    """Return the bot's choice, or the default once the bot has killed its process twice."""
    job = get_current_job()
    if job is None:
        return bots.choose(turn)
    begun = job.meta.get("begun", 0)
    if begun >= KILLS_MAX:
        log.error("bot", match=turn.match, seat=turn.seat, level=turn.level, kills=begun)
        return turn.default
    _note(job, begun=begun + 1)
    command = bots.choose(turn)
    _note(job, begun=0)
    return command


def _note(job: Job, **notes: Any) -> None:
    job.meta.update(notes)
    job.save_meta()
