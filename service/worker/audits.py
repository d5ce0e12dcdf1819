"""Jobs that audit a match, or a batch of matches for `shiplog audit --all --spread`."""

from collections.abc import Sequence
from typing import Any

import msgspec

from games import GAMES
from replay.audit import Auditor, audit
from replay.evidence import Evidence
from service.base.keys import Keys
from service.play.listings import row_of
from service.process.audit_journal import changed
from service.process.context import Context
from service.process.evidence import Planned, compared_evidence, stored_evidence
from service.worker.runtime import runtime
from service.worker.task import Task

PLAN = list[Planned]


def audit_match(task: Task) -> Any:
    """Audit the log of a match up to the task's version; return the report as plain values."""

    async def read(context: Context) -> tuple[Keys, Evidence]:
        row = await row_of(context.work, task.match)
        lines = await context.cache.lines(await context.cache.get(task.match))
        known = (context.store, context.keys, context.settings, task.match)
        evidence = await stored_evidence(*known, lines[: task.version])
        row = row if len(lines) == task.version else None
        return context.keys, msgspec.structs.replace(evidence, row=row)

    keys, log = runtime().run(read)
    lines = log.lines
    auditor = Auditor(GAMES, log, redaction=True)
    for done, data in enumerate(lines):
        task.show(done, len(lines))
        auditor.read(data)
    task.show(len(lines), len(lines))
    return msgspec.to_builtins(auditor.report(keys.ring))


def audit_batch(batch: Sequence[Any], redaction: bool) -> list[Any]:
    """Audit planned matches; return each report as plain values, or None for an unchanged log."""
    return [_audited(planned, redaction=redaction) for planned in msgspec.convert(batch, PLAN)]


def _audited(planned: Planned, *, redaction: bool) -> Any:
    async def read(context: Context) -> tuple[Keys, Evidence]:
        return context.keys, await compared_evidence(context, context.keys, planned)

    keys, log = runtime().run(read)
    new = changed(log, planned.audited)
    if new is None:
        return None
    return msgspec.to_builtins(audit(GAMES, new, keys.ring, redaction=redaction))
