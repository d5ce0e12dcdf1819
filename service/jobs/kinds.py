"""The kinds of jobs that players submit. Only workers import the functions named here."""

import msgspec

from service.jobs.queues import KEPT_S, QueueName


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """How jobs of a kind are run."""

    run: str
    """Dotted name of the function: `(Task) -> plain JSON values`."""
    queue: QueueName = "analysis"
    timeout_s: int
    kept_s: int = KEPT_S
    """Time for which the outcome is kept (seconds)."""
    current: bool = False
    """Whether the result is useful only until its viewer is shown a newer version."""


KINDS: dict[str, Kind] = {
    "hint": Kind(run="service.worker.hints.give_hint", queue="hints", timeout_s=120, current=True),
    "analysis": Kind(run="service.worker.analyses.analyse_match", timeout_s=600),
    "solve": Kind(run="service.worker.analyses.solve_match", timeout_s=300, current=True),
    "audit": Kind(run="service.worker.audits.audit_match", timeout_s=900),
}
