"""Whole worker processes: killed at the worst moments, without the work Redis, to a match's end."""

import asyncio
import multiprocessing
import os
import signal
from functools import partial
from pathlib import Path

import msgspec
import pytest
from redis import Redis

from events.record import at_micros
from games import GAMES
from games.match.clocks import SECOND
from games.match.commands import PerMove
from projections.rebuild import rebuild
from service.base import logs
from service.base.settings import Settings
from service.jobs.queues import QUEUES
from service.play.listings import Listings
from service.process import demo
from service.worker import pool, revive, supervisor
from tests.e2e.service import wait_until
from tests.projections.recorded import no_errata
from tests.service.worker import mortal
from tests.service.worker.working import sit, working

pytestmark = pytest.mark.long

LATE_S = 60
"""Seconds that a deadline may be late after anything."""


async def reaches(context, match, check, seconds=60.0):
    """Wait until the log makes something true of a match."""
    async with asyncio.timeout(seconds):
        while True:
            cached = await context.cache.get(match)
            if check(cached):
                return cached
            await asyncio.sleep(0.05)


async def test_a_killed_worker_costs_seconds_and_nothing_else(context, tmp_path, monkeypatch):
    """Killed after dequeueing, in the job, before its result: each deadline is applied once."""
    monkeypatch.setattr(revive, "SILENT_S", 2.0)
    monkeypatch.setattr(revive, "TAKEN_S", 1.0)
    markers = tmp_path / "markers"
    markers.mkdir()
    monkeypatch.setattr(pool, "work", partial(mortal.work, markers=markers))
    async with working(context, "clock"):
        cached = await sit(context, "", "", clock=PerMove(seconds=1), away_after=0)
        match = cached.match.header.match
        cached = await reaches(context, match, lambda cached: len(cached.match.line) > 5, 120)
    assert {marker.name for marker in markers.iterdir()} == set(mortal.POINTS)
    records = [msgspec.json.decode(line) for line in await context.cache.lines(cached)]
    timeouts = [record for record in records if record["command"]["type"] == "time_out"]
    late = [at_micros(record["at"]) - record["command"]["deadline"] for record in timeouts]
    assert all(0 <= micros < LATE_S * SECOND for micros in late), late
    deadlines = [record["command"]["deadline"] for record in timeouts]
    assert deadlines == sorted(set(deadlines))


async def test_bots_play_to_the_end_though_workers_die_and_redis_is_wiped(context, monkeypatch):
    monkeypatch.setattr(revive, "SILENT_S", 2.0)
    async with working(context, "bots") as (projector, few):
        cached = await sit(context, "heuristic", "heuristic")
        match = cached.match.header.match
        await reaches(context, match, lambda cached: cached.folded.version > 20)
        [bots] = few.members
        assert bots.process is not None
        os.kill(bots.process.pid, signal.SIGKILL)
        await reaches(context, match, lambda cached: cached.folded.version > 35)
        await context.work.flushall()
        await reaches(context, match, lambda cached: cached.match.status == "finished")

        async def ended():
            page = await Listings(context.work).lobby("tranquility", "finished")
            return match in [listed.match for listed in page.matches]

        async with asyncio.timeout(60):
            while not await ended():  # noqa: ASYNC110 - what is waited for happens in Redis
                await asyncio.sleep(0.05)
        rebuilt = await rebuild(
            context.store, GAMES, projector.rows, lambda *_: None, no_errata, verify=True
        )
        assert rebuilt.differences == []


async def test_an_audit_runs_tells_its_progress_and_its_outcome(context):
    cached = await sit(context, "", "")
    jobs = context.jobs
    async with working(context, "analysis"):
        asked = await jobs.submit(
            "audit", cached.match.header.match, cached.folded.version, "p_ada"
        )
        async with asyncio.timeout(60):
            job = asked
            while job.state in ("queued", "running"):
                await asyncio.sleep(0.05)
                job = await jobs.get(asked.id, "p_ada")
    assert job.state == "finished"
    assert job.result["verdict"] == "holds", job.result
    assert job.result["figures"]["records"] == cached.folded.version
    assert (job.progress.done, job.progress.total) == (3, 3)


async def test_an_audit_that_runs_can_be_ended(context, monkeypatch):
    """Its process is killed, whatever it does; it is not tried again."""
    monkeypatch.setattr(pool, "work", mortal.sluggish)
    jobs = context.jobs
    async with working(context, "analysis"):
        asked = await jobs.submit("audit", "m_1", 1, "p_ada")
        assert await state_after(jobs, asked.id, "queued") == "running"
        await jobs.cancel(asked.id, "p_ada")
        assert await state_after(jobs, asked.id, "running") == "cancelled"


async def test_a_hint_does_not_wait_behind_an_audit(context, monkeypatch):
    monkeypatch.setattr(pool, "work", mortal.sluggish)
    jobs = context.jobs
    cached = await sit(context, "", "")
    match, version = cached.match.header.match, cached.folded.version
    seat = next(s for s in range(2) if s in cached.match.game.waiting(cached.match.state))
    async with working(context, "hints", "analysis"):
        audit = await jobs.submit("audit", match, version, "p_bob")
        assert await state_after(jobs, audit.id, "queued", "p_bob") == "running"
        hint = await jobs.submit("hint", match, version, "p_ada", seat, {"budget": 8})
        assert await state_after(jobs, hint.id, "queued") in ("running", "finished")
        if (await jobs.get(hint.id, "p_ada")).state == "running":
            assert await state_after(jobs, hint.id, "running") == "finished"
        assert (await jobs.get(audit.id, "p_bob")).state == "running"
        await jobs.cancel(audit.id, "p_bob")


@pytest.mark.parametrize("victim", ["worker", "child"])
async def test_a_job_whose_worker_is_killed_is_done_by_another(
    context, tmp_path, monkeypatch, victim
):
    """Kill -9 during a job: of the worker, whose child must not go on, or of the child alone."""
    monkeypatch.setattr(revive, "SILENT_S", 3.0)
    monkeypatch.setattr(pool, "work", partial(mortal.stubborn, markers=tmp_path))
    cached = await sit(context, "", "")
    hangs = tmp_path / "hangs"
    async with working(context, "analysis"), asyncio.timeout(60):
        asked = await context.jobs.submit(
            "audit", cached.match.header.match, cached.folded.version, "p_ada"
        )
        while not hangs.exists():  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.05)
        worker, child = map(int, hangs.read_text().split())
        os.kill(worker if victim == "worker" else child, signal.SIGKILL)
        while (job := await context.jobs.get(asked.id, "p_ada")).state != "finished":
            assert job.state in ("running", "queued")
            await asyncio.sleep(0.05)
        assert job.result["verdict"] == "holds"
        while alive(child):  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.05)


async def state_after(jobs, job, state, owner="p_ada"):
    """Return a job's state as soon as it differs from the given one."""
    async with asyncio.timeout(60):
        while (found := await jobs.get(job, owner)).state == state:  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.05)
    return found.state


async def test_the_demo_keeps_matches_in_play(context, monkeypatch):
    monkeypatch.setattr(demo, "LOOK_S", 0.3)
    monkeypatch.setattr(demo, "SEATS_WISHED", 2)
    monkeypatch.setattr(demo, "GAMES", {slug: GAMES[slug] for slug in ("tranquility", "submarine")})
    async with working(context, "bots"), asyncio.timeout(240):
        await demo.keep_playing(context, 1, matches_max=2)
        while await demo_states(context) != ["finished"] * 2:  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.1)


async def demo_states(context):
    page = await Listings(context.work).lobby()
    return [listed.status for listed in page.matches if listed.creator == demo.PLAYER]


def run(settings):
    """Run the supervisor: the target of a process."""
    logs.configure("error")
    asyncio.run(supervisor.run_workers(settings))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"


def descendants(pid: int) -> list[int]:
    children = [
        int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    ]
    return [*children, *(one for child in children for one in descendants(child))]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_its_supervisor(servers, tmp_path, number):
    log, work = servers
    settings = Settings(data=tmp_path, log_url=log, work_url=work, log_level="error")
    process = multiprocessing.get_context("spawn").Process(target=run, args=(settings,))
    process.start()
    try:
        with Redis.from_url(work) as redis:
            redis.flushall()
            wait_until(lambda: redis.scard("rq:workers") >= len(QUEUES))
        workers = descendants(process.pid)
        assert len(workers) >= len(QUEUES)
        os.kill(process.pid, number)
        process.join(60)
        assert process.exitcode == (0 if number == signal.SIGTERM else -signal.SIGKILL)
        wait_until(lambda: not any(map(alive, workers)))
    finally:
        process.kill()
        process.join()
