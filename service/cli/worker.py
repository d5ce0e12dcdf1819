"""`shiplog worker`: run clocks, bots, jobs and projections."""

import uvloop

from service.base import logs
from service.base.environment import load
from service.cli.output import MISUSED, stop
from service.cli.sources import UNREACHABLE
from service.worker.supervisor import run_workers


def worker() -> None:
    """Run clocks, bots and jobs until SIGTERM. Settings come from the environment."""
    try:
        settings = load()
        logs.configure(settings.log_level)
        uvloop.run(run_workers(settings))
    except UNREACHABLE as error:
        stop(MISUSED, error)
