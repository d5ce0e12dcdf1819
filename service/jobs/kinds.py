"""The kinds of jobs that people ask for: a row each. What a row names is imported by the worker alone."""

import msgspec

from service.jobs.queues import KEPT_S, QueueName


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """How the jobs of a kind are done."""

    run: str
    """Dotted name of the function that does it: `(Task) -> plain JSON values`."""
    queue: QueueName = "analysis"
    timeout_s: int
    kept_s: int = KEPT_S
    """Seconds for which the outcome is kept."""
    current: bool = False
    """Of use for the version it was asked at alone: dropped once its viewer has been shown a newer one."""


KINDS: dict[str, Kind] = {
    "hint": Kind(run="service.worker.hints.give_hint", queue="hints", timeout_s=120, current=True),
    "analysis": Kind(run="service.worker.analyses.analyse_match", timeout_s=600),
    "solve": Kind(run="service.worker.analyses.solve_match", timeout_s=300, current=True),
    "audit": Kind(run="service.worker.audits.audit_match", timeout_s=900),
}
