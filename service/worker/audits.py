"""Audits as jobs."""

from typing import Any

import msgspec

from games import GAMES
from replay.audit import Auditor, Evidence
from service.context import Context
from service.keys import Keys
from service.lives import Live
from service.worker.asked import Task
from service.worker.desk import desk


def audit_match(task: Task) -> Any:
    """Audit a match's log up to the task's version; gives the report as plain values."""

    async def read(context: Context) -> tuple[Keys, Live, list[bytes], list[list[bytes]]]:
        live = await context.lives.get(task.match)
        lines = (await context.lives.lines(live))[: task.version]
        return context.keys, live, lines, await context.lives.lineage(live)

    keys, live, lines, lineage = desk().run(read)
    parent = lineage[0] if lineage else ()
    log = Evidence(task.match, lines, task.match, secret=live.part, parent=parent)
    auditor = Auditor(GAMES, log, redaction=True)
    for done, data in enumerate(lines):
        task.show(done, len(lines))
        auditor.read(data)
    task.show(len(lines), len(lines))
    return msgspec.to_builtins(auditor.report(keys.public))
