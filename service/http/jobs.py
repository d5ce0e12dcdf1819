"""Jobs: what takes its time is asked for, watched and ended here; a worker does it."""

from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from service.http.access import FULL, sight_of, sit
from service.http.matches import JoinCode
from service.jobs.status import Job
from service.play.players import Caller
from service.process.context import Context


@post("/matches/{match:str}/audit", status_code=202, tags=["travel"], operation_id="auditMatch")
async def audit_match(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    join_code: JoinCode = None,
) -> Job:
    """Have a match's log audited: chain, dice, every decision. For officers, or once the match is over."""
    table = await sit(context, match, caller, join_code)
    sight_of(table, caller, FULL)
    return await context.jobs.ask("audit", match, table.folded.version, caller.player)


@get("/jobs", tags=["travel"], operation_id="listJobs")
async def list_jobs(
    caller: NamedDependency[Caller], context: NamedDependency[Context]
) -> list[Job]:
    """List the caller's jobs of the last day, the latest first, without their results."""
    return await context.jobs.of(caller.player)


@get("/jobs/{job:str}", tags=["travel"], operation_id="getJob")
async def get_job(
    job: FromPath[str], caller: NamedDependency[Caller], context: NamedDependency[Context]
) -> Job:
    """Show a job: its state, progress and, when it is finished, its result."""
    return await context.jobs.get(job, caller.player)


@delete("/jobs/{job:str}", status_code=200, tags=["travel"], operation_id="cancelJob")
async def cancel_job(
    job: FromPath[str], caller: NamedDependency[Caller], context: NamedDependency[Context]
) -> Job:
    """End a job, or take it back before it begins."""
    return await context.jobs.cancel(job, caller.player)


HANDLERS = (audit_match, list_jobs, get_job, cancel_job)
