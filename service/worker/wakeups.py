"""Waking clocks and bots. Every job looks at the log first, names what it looked at, and may run twice."""

import asyncio
from collections.abc import Sequence
from typing import Any

import structlog
from rq import get_current_job
from rq.job import Job

from games.match.due import next_due
from service.base.clock import elapsed_us, stopwatch
from service.play import bots
from service.play.match_cache import Live
from service.process.context import Context
from service.worker.runtime import desk

KILLS_MAX = 2
"""Processes that a bot may take down with it at one turn."""

log = structlog.get_logger("shiplog")


def run_clocks(due: Sequence[tuple[str, int]]) -> list[str]:
    """Do what is overdue in matches, each if that deadline still stands; one that fails holds up no other."""

    async def run(context: Context) -> list[str | BaseException]:
        return await asyncio.gather(
            *(_run_clock(context, match, deadline) for match, deadline in due),
            return_exceptions=True,
        )

    watch = stopwatch()
    outcomes = desk().run(run)
    failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    log.info("clock", matches=len(due), failed=len(failures), us=elapsed_us(watch))
    if failures:
        raise failures[0]
    return [outcome for outcome in outcomes if isinstance(outcome, str)]


async def _run_clock(context: Context, match: str, deadline: int) -> str:
    live = await context.lives.known(match)
    if applied := await context.matches.run_clocks(live):
        return f"applied {applied}"
    due = next_due(live.match)
    return "stale" if due is None or due.at > deadline else "early"


def play_bot(match: str, version: int) -> str:
    """Let a bot play that the match waits for at that version: the next one, where the first would be too fast."""
    watch = stopwatch()
    place = 0
    while (outcome := _play(match, version, place)) == "too-fast":
        place += 1
    if place and outcome == "stale":
        outcome = "too-fast"
    log.info("bot", match=match, v=version, outcome=outcome, us=elapsed_us(watch))
    return outcome


def _play(match: str, version: int, place: int) -> bots.Outcome:
    here = desk()

    async def look(context: Context) -> tuple[Live, bots.Turn | None]:
        live = await context.lives.get(match)
        return live, bots.turn(live, version, context.keys, place)

    live, turn = here.run(look)
    if turn is None:
        return "stale"
    command = _choose(turn)
    return here.run(lambda context: bots.play(context.matches, live, turn, command))


def _choose(turn: bots.Turn) -> Any:
    """Let the bot choose, or take the default where the bot has killed its process twice."""
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
