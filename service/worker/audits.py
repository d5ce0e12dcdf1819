"""Jobs that audit a match."""

from typing import Any

import msgspec

from games import GAMES
from replay.audit import Auditor, Evidence
from service.base.keys import Keys
from service.play.listings import row_of
from service.process.context import Context
from service.worker.runtime import runtime
from service.worker.task import Task


def audit_match(task: Task) -> Any:
    """Audit the log of a match up to the task's version; return the report as plain values."""

    async def read(context: Context) -> tuple[Keys, Evidence]:
        row = await row_of(context.work, task.match)
        cached = await context.cache.get(task.match)
        lines = await context.cache.lines(cached)
        head = await context.store.head(task.match, task.version)
        lineage = await context.cache.lineage(cached)
        return context.keys, Evidence(
            task.match,
            lines[: task.version],
            task.match,
            secret=cached.service_seed,
            head=head,
            own=True,
            parent=lineage[0] if lineage else (),
            row=row if len(lines) == task.version else None,
        )

    keys, log = runtime().run(read)
    lines = log.lines
    auditor = Auditor(GAMES, log, redaction=True)
    for done, data in enumerate(lines):
        task.show(done, len(lines))
        auditor.read(data)
    task.show(len(lines), len(lines))
    return msgspec.to_builtins(auditor.report(keys.ring))
