"""Batches of audits run on the workers of any machine, and come back as one report."""

import asyncio
from functools import partial

import msgspec
import pytest

from games import GAMES
from replay.audit import audit
from replay.report import Report
from service.jobs.batches import BatchCancelled, Batches, NoBatchWorkers
from service.jobs.queues import open_queues
from service.jobs.status import all_jobs, fetch, stop
from service.process.audit_journal import Audited
from service.process.evidence import Planned, compared_evidence
from service.worker import pool, revive
from tests.e2e.service import wait_until
from tests.service.worker import mortal
from tests.service.worker.working import served, sit, working

FUNCTION = "service.worker.audits.audit_batch"


def planned(match, audited=None):
    return msgspec.to_builtins(Planned(match, audited=audited))


def collected(context, batches):
    jobs = Batches(context.work_url, "analysis", FUNCTION)
    return list(jobs.results(batches, True))


async def three_matches(context):
    matches = [await sit(context, "", "") for _ in range(3)]
    return [cached.match.header.match for cached in matches]


async def test_the_report_is_the_one_of_an_audit_alone(context):
    names = await three_matches(context)
    head = (await context.cache.get(names[2])).folded
    known = Audited(head.version, bytes.fromhex(head.head), "holds")
    batches = [[planned(names[0]), planned(names[1])], [planned(names[2], known)]]
    async with working(context, "analysis"):
        await served(context)
        results = await asyncio.to_thread(collected, context, batches)
    assert [batch for batch, _ in results] == batches
    (reports, unchanged) = [found for _, found in results]
    assert unchanged == [None]
    for name, found in zip(names, reports, strict=False):
        evidence = await compared_evidence(context, context.keys, Planned(name))
        alone = audit(GAMES, evidence, context.keys.ring)
        assert msgspec.convert(found, Report) == msgspec.convert(msgspec.to_builtins(alone), Report)
        assert alone.verdict != "broken"
    assert list(all_jobs(open_queues(context.work_url))) == [], "nothing is left in the queue"


async def test_a_worker_that_dies_costs_no_report(context, tmp_path, monkeypatch):
    monkeypatch.setattr(revive, "SILENT_S", 2.0)
    monkeypatch.setattr(revive, "TAKEN_S", 1.0)
    monkeypatch.setattr(pool, "work", partial(mortal.dies_in_a_batch, markers=tmp_path))
    names = await three_matches(context)
    async with working(context, "analysis"):
        await served(context)
        results = await asyncio.to_thread(collected, context, [[planned(name)] for name in names])
    assert (tmp_path / "died").exists()
    assert [found[0]["name"] for _, found in results] == names
    assert all(found[0]["verdict"] != "broken" for _, found in results)


async def test_open_jobs_are_taken_back(context, monkeypatch):
    """By whoever asked for the audit, when it ends early or one of its jobs was cancelled."""
    monkeypatch.setattr(pool, "work", mortal.slow_at_batches)
    names = await three_matches(context)
    queues = open_queues(context.work_url)
    async with working(context, "analysis"):
        await served(context)
        running = asyncio.create_task(
            asyncio.to_thread(collected, context, [[planned(name)] for name in names])
        )
        started = await asyncio.to_thread(wait_until, partial(first_running, queues))
        stop(fetch(queues["analysis"].connection, started.id))
        with pytest.raises(BatchCancelled, match=started.id):
            await running
        await asyncio.to_thread(wait_until, partial(are_cancelled, queues))


def are_cancelled(queues):
    return {job.state for job in all_jobs(queues)} == {"cancelled"}


def first_running(queues):
    return next((job for job in all_jobs(queues) if job.state == "running"), None)


async def test_without_workers_nothing_is_submitted(context):
    with pytest.raises(NoBatchWorkers, match="start `shiplog worker`"):
        Batches(context.work_url, "analysis", FUNCTION)
