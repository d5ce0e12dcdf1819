"""Audits as jobs."""

from typing import Any

import msgspec

from games import GAMES
from replay.audit import Auditor, Evidence
from service.base.keys import Keys
from service.play.listings import row_of
from service.process.context import Context
from service.worker.runtime import desk
from service.worker.task import Task


def audit_match(task: Task) -> Any:
    """Audit a match's log up to the task's version; gives the report as plain values."""

    async def read(context: Context) -> tuple[Keys, Evidence]:
        row = await row_of(context.work, task.match)
        live = await context.lives.get(task.match)
        lines = await context.lives.lines(live)
        lineage = await context.lives.lineage(live)
        return context.keys, Evidence(
            task.match,
            lines[: task.version],
            task.match,
            secret=live.part,
            parent=lineage[0] if lineage else (),
            row=row if len(lines) == task.version else None,
        )

    keys, log = desk().run(read)
    lines = log.lines
    auditor = Auditor(GAMES, log, redaction=True)
    for done, data in enumerate(lines):
        task.show(done, len(lines))
        auditor.read(data)
    task.show(len(lines), len(lines))
    return msgspec.to_builtins(auditor.report(keys.public))
