"""Jobs on request: bounded, dropped when stale, retried when that helps, shown to the operator."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from rq.job import Job as QueuedJob
from rq.serializers import JSONSerializer
from rq.timeouts import JobTimeoutException
from typer.testing import CliRunner

from events.patience import Patience
from games.captain_sonar.commands import SetOverlay
from games.match.commands import Actor
from service.base.problems import Problem, log_unavailable
from service.cli import app
from service.jobs import client, status
from service.jobs.client import Jobs
from service.jobs.kinds import KINDS, Kind
from service.jobs.queues import KEPT_S, RETRIES, enqueue, open_queues, run_clocks
from service.play.matches import Submission
from service.worker import task as asked
from service.worker.rq_worker import InProcess
from service.worker.task import Task

QUEUED_MAX, OPEN_MAX = 3, 2
RUNS = []
"""The tasks that a test's own kind was run with."""


def do_it(task: Task):
    """Do a job of the tests' own kind."""
    RUNS.append(task)
    for done in range(4):
        task.show(done, 3)
    return {"was": task.arguments}


def fail(task: Task):
    """Fail as the job's arguments say."""
    RUNS.append(task)
    raise {
        "bug": ValueError("a secret of seat 1"),
        "memory": MemoryError(),
        "time": JobTimeoutException(),
        "log": log_unavailable(),
    }[task.arguments["how"]]


@pytest.fixture(autouse=True)
def kinds(monkeypatch):
    RUNS.clear()
    here = f"{__name__}"
    monkeypatch.setattr(asked, "import_attribute", lambda name: globals()[name.rpartition(".")[2]])
    monkeypatch.setitem(KINDS, "test", Kind(run=f"{here}.do_it", timeout_s=5, current=True))
    monkeypatch.setitem(KINDS, "broken", Kind(run=f"{here}.fail", timeout_s=5))


@pytest.fixture
def patience():
    return Patience(slow_s=600)


@pytest.fixture
def jobs(work, work_server, patience):
    jobs = Jobs(work_server.url, QUEUED_MAX, OPEN_MAX, patience)
    yield jobs
    jobs.close()


@pytest.fixture
def queues(work, work_server):
    queues = open_queues(work_server.url)
    yield queues
    queues["analysis"].connection.close()


@pytest.fixture
def table(table):
    """Open a match of two bots in Captain Sonar."""
    table.open("heuristic", "heuristic", game="captain_sonar", options={})
    return table


def do(coroutine):
    """Wait for something, in a test that is none."""
    with closing(asyncio.new_event_loop()) as loop:
        return loop.run_until_complete(coroutine)


def work_off(queue):
    """Do everything that waits in a queue, in this process."""
    worker = InProcess([queue], connection=queue.connection, serializer=JSONSerializer)
    worker.work(burst=True, logging_level="CRITICAL")


async def test_a_player_has_only_so_many_jobs_open(jobs):
    first = await jobs.submit("audit", "m_1", 1, "p_ada")
    await jobs.submit("audit", "m_1", 1, "p_ada")
    with pytest.raises(Problem) as refused:
        await jobs.submit("audit", "m_1", 1, "p_ada")
    assert (refused.value.status, refused.value.code) == (429, "too-many-jobs")
    assert refused.value.extra["retry_after"] > 0
    assert len(await jobs.of("p_ada")) == OPEN_MAX
    await jobs.submit("audit", "m_1", 1, "p_bob")
    await jobs.cancel(first.id, "p_ada")
    await jobs.submit("audit", "m_1", 1, "p_ada")


def test_asking_and_listing_read_no_results(jobs, queues, table, monkeypatch):
    """They may be large, and a hundred of them are kept."""
    do(jobs.submit("test", table.match, table.version, "p_ada", 0))
    work_off(queues["analysis"])

    def read(_job):
        raise AssertionError("a result was read")

    monkeypatch.setattr(QueuedJob, "return_value", read)
    do(jobs.submit("test", table.match, table.version, "p_ada", 0))
    assert [job.result for job in do(jobs.of("p_ada"))] == [None, None]


def test_jobs_that_have_ended_make_room_and_open_ones_still_count(jobs, queues, table, monkeypatch):
    monkeypatch.setattr(client, "LISTED_MAX", 3)
    redis = queues["analysis"].connection
    finished = do(jobs.submit("test", table.match, table.version, "p_ada", 0))
    work_off(queues["analysis"])
    open_ = do(jobs.submit("audit", "m_1", 1, "p_ada"))
    redis.zadd("jobs:p_ada", {"job_expired": 1})
    for _ in range(5):
        job = do(jobs.submit("audit", "m_1", 1, "p_ada"))
        do(jobs.cancel(job.id, "p_ada"))
    listed = [one.id for one in do(jobs.of("p_ada"))]
    assert (listed[0], listed[-1], len(listed)) == (job.id, open_.id, 4)
    assert redis.zcard("jobs:p_ada") == 4
    assert len(redis.keys("rq:job:job_*")) == 4
    assert queues["analysis"].canceled_job_registry.get_job_count(cleanup=False) == 3
    assert redis.keys(f"*{finished.id}*") == []
    do(jobs.submit("audit", "m_1", 1, "p_ada"))
    with pytest.raises(Problem, match="at most 2"):
        do(jobs.submit("audit", "m_1", 1, "p_ada"))


async def test_a_queue_takes_only_so_many(jobs, queues):
    for player in range(QUEUED_MAX):
        await jobs.submit("audit", "m_1", 1, f"p_{player}")
    with pytest.raises(Problem) as refused:
        await jobs.submit("audit", "m_1", 1, "p_late")
    assert (refused.value.status, refused.value.code) == (503, "queue-full")
    assert refused.value.extra["retry_after"] > 0
    assert queues["analysis"].count == QUEUED_MAX
    assert await jobs.of("p_late") == []


async def test_many_at_once_do_not_get_past_the_bounds(jobs, queues):
    asked_ = [jobs.submit("audit", "m_1", 1, f"p_{number % 5}") for number in range(20)]
    outcomes = await asyncio.gather(*asked_, return_exceptions=True)
    assert sum(not isinstance(outcome, Problem) for outcome in outcomes) == QUEUED_MAX
    assert queues["analysis"].count == QUEUED_MAX


@pytest.fixture
def still(jobs, monkeypatch):
    """Block the listing of jobs in the work Redis until released."""
    goes_on = threading.Event()
    monkeypatch.setattr(jobs, "_list", lambda _owner: goes_on.wait(60))
    yield goes_on
    goes_on.set()


async def test_a_work_redis_that_stands_still_holds_up_calls_about_jobs_alone(jobs, still):
    """Matches are folded in threads too: theirs must not wait for it."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    waiting = [asyncio.create_task(jobs.of("p_ada")) for _ in range(9)]
    await asyncio.sleep(0)
    assert await asyncio.wait_for(asyncio.to_thread(lambda: "folded"), 30) == "folded"
    assert not any(call.done() for call in waiting)
    still.set()
    assert all(await asyncio.gather(*waiting))


async def test_a_call_about_jobs_is_given_up_in_time(work_server, monkeypatch):
    jobs = Jobs(work_server.url, QUEUED_MAX, OPEN_MAX, Patience(slow_s=0))
    goes_on = threading.Event()
    monkeypatch.setattr(jobs, "_list", lambda _owner: goes_on.wait(60))
    with pytest.raises(Problem) as refused:
        await jobs.of("p_ada")
    goes_on.set()
    assert (refused.value.status, refused.value.code) == (503, "work-unavailable")
    jobs.close()


def test_a_job_is_done_and_tells_how_far_it_is(jobs, queues, table):
    job = do(jobs.submit("test", table.match, table.version, "p_ada", 0, {"level": "strong"}))
    work_off(queues["analysis"])
    done = do(jobs.get(job.id, "p_ada"))
    assert (done.state, done.error) == ("finished", None)
    assert done.result == {"was": {"level": "strong"}}
    assert done.progress == status.Progress(3, 3)
    assert [(task.match, task.version, task.viewer) for task in RUNS] == [
        (table.match, table.version, 0)
    ]


def play(table, seat, command=None):
    """Play a command of a seat; its first legal one by default."""
    match = table.cached.match
    command = command or match.game.legal(match.state, seat)[0]
    sent = Submission(Actor(seat=seat), f"c{table.version}", command)
    assert table.do(table.matches.play_at(table.cached, sent, table.version))


def test_a_job_for_a_version_that_its_viewer_has_left_is_dropped(jobs, queues, table):
    job = do(jobs.submit("test", table.match, table.version, "p_ada", 0))
    play(table, 0)
    work_off(queues["analysis"])
    dropped = do(jobs.get(job.id, "p_ada"))
    assert (dropped.state, dropped.error, dropped.result) == ("stale", None, None)
    assert RUNS == []


def test_what_a_rival_does_in_hiding_makes_no_job_stale(jobs, queues, table):
    """Else asking for one would tell that a hidden record exists."""
    play(table, 0)
    play(table, 1)
    asked_at, shown = table.version, table.cached.match.shown[0][:]
    play(table, 1, command=SetOverlay((1, 1)))
    assert table.cached.match.shown[0] == shown
    job = do(jobs.submit("test", table.match, asked_at, "p_ada", 0))
    work_off(queues["analysis"])
    assert do(jobs.get(job.id, "p_ada")).state == "finished"


def test_a_search_stops_in_the_middle_when_the_match_goes_on(table):
    task = Task(None, "test", table.match, table.version, 0, {})
    task.show(0, 1_000)
    play(table, 0)
    with pytest.raises(asked.Stale):
        task.show(1_000, 1_000)


@pytest.mark.parametrize(
    ("how", "error", "tries"),
    [
        ("bug", "failed", 1),
        ("memory", "out-of-memory", 1),
        ("time", "timed-out", 1),
        ("log", "unavailable", RETRIES + 1),
    ],
)
def test_a_failure_is_told_by_its_name_alone(jobs, queues, table, how, error, tries):
    """What went wrong inside may hold what the owner must not know; the operator is shown it."""
    job = do(jobs.submit("broken", table.match, 1, "p_ada", None, {"how": how}))
    work_off(queues["analysis"])
    failed = do(jobs.get(job.id, "p_ada"))
    assert (failed.state, failed.error, failed.result) == ("failed", error, None)
    assert "secret" not in str(failed)
    assert len(RUNS) == tries
    [listed] = status.all_jobs(queues)
    assert (listed.state, listed.error, listed.owner) == ("failed", error, "p_ada")
    if how == "bug":
        assert "a secret of seat 1" in listed.trace
    now, ended = status.job_counts(queues)
    assert now["analysis", "failed"] == 1
    assert ended["broken", error] == tries


@pytest.fixture
def shiplog(work_server, monkeypatch):
    monkeypatch.setenv("SHIPLOG_WORK_URL", work_server.url)
    return lambda *words: CliRunner().invoke(app, ["jobs", *words])


def test_the_operator_lists_shows_and_tries_again(jobs, queues, table, shiplog):
    job = do(jobs.submit("broken", table.match, 1, "p_ada", None, {"how": "bug"}))
    assert shiplog("list").exit_code == 0
    work_off(queues["analysis"])
    listed = shiplog("list", "--state", "failed", "--json")
    assert listed.exit_code == 1
    assert job.id in listed.output
    shown = shiplog("show", job.id)
    assert "a secret of seat 1" in shown.output
    assert shiplog("retry", job.id).exit_code == 0
    assert do(jobs.get(job.id, "p_ada")).state == "queued"
    assert shiplog("retry", job.id).exit_code == 2
    assert shiplog("list", "--state", "broken").exit_code == 2, "no state: not just none of them"
    work_off(queues["analysis"])
    assert len(RUNS) == 2


def test_the_operator_cancels(jobs, queues, shiplog):
    job = do(jobs.submit("audit", "m_1", 1, "p_ada"))
    assert shiplog("cancel", job.id).exit_code == 0
    assert do(jobs.get(job.id, "p_ada")).state == "cancelled"
    assert "cancelled" in shiplog("list").output
    assert shiplog("cancel", "job_none").exit_code == 2
    wake = run_clocks([("m_1", 5)])
    enqueue(queues, wake)
    assert shiplog("cancel", wake.id).exit_code == 2


def test_a_cancelled_job_is_forgotten_after_a_day(jobs, queues):
    """Else whoever asks and takes back, again and again, would fill the server."""
    redis = queues["analysis"].connection
    cancelled = queues["analysis"].canceled_job_registry.key
    redis.zadd(cancelled, {"job_of_yesterday": 1})
    job = do(jobs.submit("audit", "m_1", 1, "p_ada"))
    do(jobs.cancel(job.id, "p_ada"))
    assert 0 < redis.ttl(QueuedJob.key_for(job.id)) <= KEPT_S
    assert redis.zrange(cancelled, 0, -1) == [job.id.encode()]


def test_a_job_that_is_ended_while_it_runs_has_not_failed(jobs, queues):
    """Neither for the operator's figures, nor to be tried again."""
    queue = queues["analysis"]
    job = do(jobs.submit("audit", "m_1", 1, "p_ada"))
    assert queue.pop_job_id() == job.id
    worker = InProcess([queue], connection=queue.connection, serializer=JSONSerializer)
    worker._stopped_job_id = job.id
    worker.handle_job_failure(status.fetch(queue.connection, job.id), queue)
    assert do(jobs.get(job.id, "p_ada")).state == "cancelled"
    now, ended = status.job_counts(queues)
    assert (now["analysis", "failed"], ended["audit", "cancelled"]) == (0, 1)
    assert [listed.state for listed in status.all_jobs(queues)] == ["cancelled"]
    assert not status.retry(queues, status.fetch(queue.connection, job.id))


def test_without_a_work_redis_the_operator_is_told_so(monkeypatch, tmp_path):
    monkeypatch.setenv("SHIPLOG_WORK_URL", f"unix://{tmp_path}/nobody.sock")
    result = CliRunner().invoke(app, ["jobs", "list"])
    assert result.exit_code == 2


def test_in_a_folder_without_a_service_no_server_is_started(monkeypatch, tmp_path):
    monkeypatch.setenv("SHIPLOG_DATA", str(tmp_path))
    result = CliRunner().invoke(app, ["jobs", "list"])
    assert result.exit_code == 2
    assert f"There is no service in {tmp_path}" in result.stderr
    assert not list(tmp_path.iterdir())
