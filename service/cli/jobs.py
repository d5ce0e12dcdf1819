"""`shiplog jobs`: list, show, cancel and retry jobs."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

import msgspec
import typer
from redis.exceptions import RedisError
from rich.table import Column, Table
from rq import Queue
from rq.job import Job as QueuedJob

from service.base import logs
from service.base.environment import load
from service.cli.options import Json
from service.cli.output import FOUND, MISUSED, out, print_json, stop
from service.cli.sources import UNREACHABLE, NoLog
from service.embedded.servers import Server, Supervisor
from service.jobs import status
from service.jobs.queues import USER_QUEUES, QueueName, open_queues

T = TypeVar("T")
Queues = Mapping[QueueName, Queue]
Name = Annotated[str, typer.Argument(metavar="JOB", help="ID of the job.")]

WHOLE = ("job", "kind", "state")
"""Columns that are never cut. `show` has the rest."""

app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.callback()
def jobs() -> None:
    """List, show, cancel and retry jobs."""


@app.command("list")
def list_(
    *,
    state: Annotated[
        status.State | None, typer.Option("--state", help="Only jobs in this state.")
    ] = None,
    json: Json = False,
) -> None:
    """List all known jobs. Exits with 1 if some have failed."""
    found = [job for job in at_work(_listed) if state in (None, job.state)]
    if json:
        print_json(msgspec.to_builtins(found))
    else:
        _print(found)
    if any(job.state == "failed" for job in found):
        raise typer.Exit(FOUND)


@app.command()
def show(job: Name) -> None:
    """Show a job, with the reason if it failed."""
    print_json(
        msgspec.to_builtins(at_work(lambda queues: status.operator_view(_find(queues, job))))
    )


@app.command()
def cancel(job: Name) -> None:
    """Cancel a queued or running job."""

    def end(queues: Queues) -> status.State:
        found = _find(queues, job)
        if found.origin not in USER_QUEUES:
            stop(
                MISUSED,
                "Wake-ups of clocks and bots cannot be cancelled: they follow from the log.",
            )
        status.stop(found)
        return status.state_of(found)

    out.print(f"{job} {at_work(end)}")


@app.command()
def retry(job: Name) -> None:
    """Retry a failed job."""
    if not at_work(lambda queues: status.retry(queues, _find(queues, job))):
        stop(MISUSED, f"{job} has not failed.")
    out.print(f"{job} queued")


def at_work(do: Callable[[Queues], T]) -> T:
    """Call a function with the queues of the service's work Redis."""
    logs.configure("warning")
    try:
        settings = load()
        if settings.work_url:
            return _with(settings.work_url, do)
        if not (settings.data / "work").exists():
            raise NoLog(
                f"There is no service in {settings.data}: set SHIPLOG_DATA to its folder, or "
                "SHIPLOG_WORK_URL."
            )
        with Supervisor(Server.work(settings.data / "work")) as server:
            return _with(server.url, do)
    except RedisError as error:
        stop(MISUSED, f"Cannot connect to the work Redis: {error}. Is the service running?")
    except UNREACHABLE as error:
        stop(MISUSED, error)


def _with(url: str, do: Callable[[Queues], T]) -> T:
    queues = open_queues(url)
    try:
        return do(queues)
    finally:
        queues["analysis"].connection.close()


def _listed(queues: Queues) -> list[status.OperatorJob]:
    return list(status.all_jobs(queues))


def _find(queues: Queues, name: str) -> QueuedJob:
    if (job := status.fetch(queues["analysis"].connection, name)) is None:
        stop(MISUSED, f"No such job: {name}.")
    return job


def _print(jobs: list[status.OperatorJob]) -> None:
    names = ("job", "queue", "kind", "state", "since", "match", "error")
    table = Table(*(Column(name, no_wrap=name in WHOLE) for name in names))
    for job in jobs:
        row: list[Any] = [job.id, job.queue, job.kind, job.state, job.since, job.match, job.error]
        table.add_row(*(value or "" for value in row))
    out.print(table)
