"""Jobs: list, show and cancel. Workers run them."""

from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from service.http.access import MatchAccess, require_over
from service.http.matches import JoinCode
from service.jobs.client import Jobs
from service.jobs.status import Job
from service.play.caller import Caller


@post(
    "/matches/{match:str}/audit",
    status_code=202,
    tags=["travel"],
    operation_id="auditMatch",
    scope="play",
    refuses=("forbidden",),
)
async def audit_match(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    jobs: NamedDependency[Jobs],
    join_code: JoinCode = None,
) -> Job:
    """Audit the log of a match: chain, dice, every decision. For officers, or once it is over."""
    found = await access.find(match, caller, join_code)
    require_over(found, caller, "The audit is")
    return await jobs.submit("audit", match, found.folded.version, caller.player)


@get("/jobs", tags=["travel"], operation_id="listJobs")
async def list_jobs(caller: NamedDependency[Caller], jobs: NamedDependency[Jobs]) -> list[Job]:
    """List the caller's jobs of the last day, newest first, without their results."""
    return await jobs.of(caller.player)


@get("/jobs/{job:str}", tags=["travel"], operation_id="getJob", refuses=("not-found",))
async def get_job(
    job: FromPath[str], caller: NamedDependency[Caller], jobs: NamedDependency[Jobs]
) -> Job:
    """Show a job: its state, its progress and, once it has finished, its result."""
    return await jobs.get(job, caller.player)


@delete(
    "/jobs/{job:str}",
    status_code=200,
    tags=["travel"],
    operation_id="cancelJob",
    scope="play",
    refuses=("not-found",),
)
async def cancel_job(
    job: FromPath[str], caller: NamedDependency[Caller], jobs: NamedDependency[Jobs]
) -> Job:
    """Cancel a job that is queued or running."""
    return await jobs.cancel(job, caller.player)


HANDLERS = (audit_match, list_jobs, get_job, cancel_job)
