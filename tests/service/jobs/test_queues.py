"""Due work is found, enqueued once, found again if it was lost; analyses belong to their caller."""

import asyncio

import msgspec
import pytest
from rq.executions import prepare_execution
from rq.job import Job
from rq.serializers import JSONSerializer

from projections.rows import NoRows
from service.base.clock import now_micros
from service.base.problems import Problem
from service.jobs.client import Jobs
from service.jobs.queues import enqueue, open_queues, play_bot, run_clocks
from service.play.seek_store import WAITING_FOR_BOTS
from service.play.seeks import Seeks
from service.worker import revive, scheduler
from service.worker.revive import Reviver
from service.worker.rq_worker import InProcess
from service.worker.scheduler import Scheduler
from tests.projections.recorded import history

CLOCK = run_clocks([("m_1", 5)]).id
WAITING = next(summary for summary in history(1) if summary.bots_from is not None)
RUNNING = msgspec.structs.replace(WAITING, bots_from=None)


@pytest.fixture
def queues(work, work_server):
    queues = open_queues(work_server.url)
    yield queues
    for queue in queues.values():
        queue.connection.close()


@pytest.fixture
def seeks(work):
    """Return the seeks, of which the scheduler only asks which are due."""
    return Seeks(work, None, None, None)


def finding(rows, seeks, work_server, pause_ms=0):
    return Scheduler(rows, seeks, work_server.url, bot_pause_ms=pause_ms, bot_workers=1)


@pytest.fixture
def finder(rows, seeks, work_server):
    return finding(rows, seeks, work_server, 0)


@pytest.fixture
def worker(queues, work_server):
    """Return a worker that does nothing by itself."""
    return InProcess(
        [queues["clock"]], connection=queues["clock"].connection, serializer=JSONSerializer
    )


def in_queue(queues):
    return [job for name in ("clock", "bots") for job in queues[name].get_job_ids()]


async def test_due_deadlines_are_enqueued_and_others_are_not(rows, queues, finder):
    now = now_micros()
    for name, deadline in (("m_past", now - 1), ("m_next", now + 60_000_000)):
        await rows.apply(msgspec.structs.replace(RUNNING, match=name, deadline=deadline))
    assert await finder.tick() == 1
    assert in_queue(queues) == [run_clocks([("m_past", now - 1)]).id]


async def test_a_bot_moves_after_its_pause(rows, seeks, queues, work_server):
    patient = finding(rows, seeks, work_server, 150)
    await rows.apply(msgspec.structs.replace(WAITING, deadline=None, bots_from=now_micros()))
    assert await patient.tick() == 0
    await asyncio.sleep(0.2)
    assert await patient.tick() == 1
    assert in_queue(queues) == [f"bot-m_1-{WAITING.version}"]


async def test_a_bot_with_a_pace_of_its_match_has_no_other_pause(rows, seeks, queues, work_server):
    patient = finding(rows, seeks, work_server, 60_000)
    paced = {"deadline": None, "bot_pace": "human", "bots_from": now_micros() + 60_000_000}
    await rows.apply(msgspec.structs.replace(WAITING, **paced))
    assert await patient.tick() == 0
    paced |= {"version": WAITING.version + 1, "bots_from": now_micros()}
    await rows.apply(msgspec.structs.replace(WAITING, **paced))
    assert await patient.tick() == 1
    assert in_queue(queues) == [f"bot-m_1-{WAITING.version + 1}"]


async def test_who_lets_many_bots_play_does_not_keep_others_waiting(rows, queues, finder):
    """However many matches somebody has, another's bot waits for a few moves at most."""
    for number in range(30):
        due = {"match": f"m_{number}", "creator": "p_many", "bots_from": number + 1}
        await rows.apply(msgspec.structs.replace(WAITING, deadline=None, **due))
    assert await finder.tick() == scheduler.AHEAD
    await rows.apply(
        msgspec.structs.replace(
            WAITING, match="m_one", deadline=None, creator="p_one", bots_from=now_micros()
        )
    )
    assert await finder.tick() == 0, "the queue is full"
    queues["bots"].empty()
    assert await finder.tick() == scheduler.AHEAD
    assert "m_one" in [job.args[0] for job in queues["bots"].get_jobs()[:2]]


async def test_what_several_find_is_enqueued_once(rows, seeks, queues, work, work_server):
    await rows.apply(msgspec.structs.replace(RUNNING, deadline=1))
    await work.zadd(WAITING_FOR_BOTS, {"s_due": 1, "s_later": now_micros() + 60_000_000})
    finders = [finding(rows, seeks, work_server, 0) for _ in range(3)]
    assert sum([await one.tick() for one in finders]) == 2
    assert in_queue(queues) == [run_clocks([(RUNNING.match, 1)]).id, "fill-s_due"]


async def test_many_that_are_due_are_all_found(rows, queues, finder, monkeypatch):
    """Also behind others that never get done."""
    monkeypatch.setattr(scheduler, "BATCH", 7)
    monkeypatch.setattr(scheduler, "TOGETHER", 4)
    for number in range(30):
        await rows.apply(msgspec.structs.replace(RUNNING, match=f"m_{number}", deadline=number + 1))
    assert await finder.tick() == 8
    woken = [pair for job in queues["clock"].get_jobs() for pair in job.args[0]]
    assert woken == [[f"m_{number}", number + 1] for number in range(30)]
    assert await finder.tick() == 0


async def test_a_lost_job_is_made_again_while_it_is_due(rows, queues, finder, monkeypatch, work):
    """The rows say what is due: whatever became of the job."""
    await rows.apply(msgspec.structs.replace(RUNNING, deadline=1))
    await finder.tick()
    lost = run_clocks([("m_1", 1)]).id
    await work.delete(f"rq:job:{lost}", "rq:queue:clock")
    finder._late.clear()
    assert await finder.tick() == 1


async def test_without_rows_nothing_is_due(work, finder):
    await work.flushall()
    with pytest.raises(NoRows):
        await finder.tick()


def test_a_job_carries_json_and_no_code(queues, work_server):
    assert enqueue(queues, run_clocks([("m_1", 5)]))
    assert not enqueue(queues, run_clocks([("m_1", 5)]))
    job = queues["clock"].fetch_job(CLOCK)
    assert job.data == b'["service.worker.wakeups.run_clocks", null, [[["m_1", 5]]], {}]'
    assert enqueue(queues, play_bot("m_1", 5))


def test_a_job_that_was_taken_and_never_started_is_put_back(queues, monkeypatch):
    """The worker was killed between dequeue and start."""
    monkeypatch.setattr(revive, "TAKEN_S", 0.0)
    queue, reviver = queues["clock"], Reviver(queues["clock"])
    enqueue(queues, run_clocks([("m_1", 5)]))
    queue.connection.lmove(queue.key, queue.intermediate_queue_key)
    assert reviver.revive() == []
    assert queue.get_job_ids() == []
    assert reviver.revive() == [CLOCK]
    assert queue.get_job_ids() == [CLOCK]
    assert queue.intermediate_queue.get_job_ids() == []


def test_a_job_that_went_silent_is_tried_again_and_one_that_did_not_is_left(
    queues, worker, monkeypatch
):
    """The worker was killed in the job, or before its result."""
    monkeypatch.setattr(revive, "SILENT_S", 0.0)
    queue, reviver = queues["clock"], Reviver(queues["clock"])
    enqueue(queues, run_clocks([("m_1", 5)]))
    queue.connection.lmove(queue.key, queue.intermediate_queue_key)
    job = queue.fetch_job(CLOCK)
    execution = prepare_execution(worker, job)
    assert reviver.revive() == []
    with queue.connection.pipeline() as pipe:
        execution.heartbeat(queue.started_job_registry, 60, pipeline=pipe)
        pipe.execute()
    assert reviver.revive() == []
    assert reviver.revive() == [CLOCK]
    assert queue.get_job_ids() == [CLOCK]
    assert queue.started_job_registry.get_job_ids() == []
    assert queue.intermediate_queue.get_job_ids() == []
    assert queue.fetch_job(CLOCK).retries_left == 2


def test_a_job_that_is_gone_is_not_put_back_for_ever(queues, monkeypatch):
    monkeypatch.setattr(revive, "TAKEN_S", 0.0)
    queue, reviver = queues["clock"], Reviver(queues["clock"])
    queue.connection.rpush(queue.intermediate_queue_key, "clock-m_gone-1")
    reviver.revive()
    reviver.revive()
    assert queue.intermediate_queue.get_job_ids() == queue.get_job_ids() == []


@pytest.fixture
def analyses(work, work_server):
    jobs = Jobs(work_server.url, 3, 2)
    yield jobs
    jobs.close()


async def test_an_analysis_belongs_to_who_asked(analyses):
    asked = await analyses.submit("audit", "m_1", 7, "p_ada")
    assert (asked.kind, asked.match, asked.state) == ("audit", "m_1", "queued")
    assert (asked.progress, asked.result) == (None, None)
    assert await analyses.get(asked.id, "p_ada") == asked
    assert await analyses.of("p_ada") == [asked]
    assert await analyses.of("p_bob") == []
    for call in (analyses.get, analyses.cancel):
        with pytest.raises(Problem) as refused:
            await call(asked.id, "p_bob")
        assert refused.value.status == 404


async def test_an_analysis_that_waits_can_be_taken_back(analyses, queues):
    asked = await analyses.submit("audit", "m_1", 7, "p_ada")
    assert (await analyses.cancel(asked.id, "p_ada")).state == "cancelled"
    assert queues["analysis"].get_job_ids() == []
    assert (await analyses.cancel(asked.id, "p_ada")).state == "cancelled"


def test_an_analysis_taken_back_just_before_it_begins_is_not_begun(analyses, queues, monkeypatch):
    """The worker has it from the queue already, and what the books say is stronger."""
    queue = queues["analysis"]
    worker = InProcess([queue], connection=queue.connection, serializer=JSONSerializer)
    asked = asyncio.run(analyses.submit("audit", "m_1", 7, "p_ada"))
    queue.connection.lmove(queue.key, queue.intermediate_queue_key)
    job = Job.fetch(asked.id, connection=queue.connection, serializer=JSONSerializer)
    assert asyncio.run(analyses.cancel(asked.id, "p_ada")).state == "cancelled"
    monkeypatch.setattr(Job, "perform", lambda _: pytest.fail("it was taken back"))
    worker.execute_job(job, queue)
    assert asyncio.run(analyses.get(asked.id, "p_ada")).state == "cancelled"
    assert queue.started_job_registry.get_job_ids() == []
    assert queue.intermediate_queue.get_job_ids() == []


@pytest.mark.parametrize("name", ["", "x", "job_unknown", "../etc", CLOCK, "job_a b"])
async def test_other_jobs_are_not_analyses(analyses, queues, name):
    enqueue(queues, run_clocks([("m_1", 5)]))
    with pytest.raises(Problem) as refused:
        await analyses.get(name, "p_ada")
    assert refused.value.status == 404


async def test_without_a_redis_there_are_no_analyses(tmp_path):
    jobs = Jobs(f"unix://{tmp_path}/nobody.sock", 3, 2)
    with pytest.raises(Problem) as refused:
        await jobs.submit("audit", "m_1", 1, "p_ada")
    assert refused.value.code == "work-unavailable"
