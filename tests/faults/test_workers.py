"""The worker under faults of the work Redis: its processes are counted again by themselves."""

import os
import signal

import pytest
from redis import Redis
from rq import Worker
from rq.serializers import JSONSerializer

from service.embedded.servers import Server, Supervisor
from service.jobs.queues import QUEUES, open_queues
from tests.e2e.service import running, wait_until


def counted(url: str) -> dict[str, int]:
    """Return the number of workers by queue, as /metrics shows it."""
    queues = open_queues(url)
    return {
        name: len(Worker.all(queue=queue, serializer=JSONSerializer))
        for name, queue in queues.items()
    }


@pytest.mark.parametrize("fault", ["killed", "emptied"])
def test_workers_are_counted_again_after_the_work_redis_lost_them(tmp_path, fault):
    with (
        Supervisor(Server.log(tmp_path / "log")) as log,
        Supervisor(Server.work(tmp_path / "work")) as work,
    ):
        urls = {"log_url": log.url, "work_url": work.url}
        every = dict.fromkeys(QUEUES, 1)
        with running(tmp_path, "worker", **urls) as worker:
            wait_until(lambda: counted(work.url) == every)
            if fault == "killed":
                before = work.pid
                os.kill(before, signal.SIGKILL)
                wait_until(lambda: work.pid not in (None, before))
            with Redis.from_url(work.url) as client:
                client.flushall()
            assert wait_until(lambda: counted(work.url) == every)
            assert worker.process.poll() is None
