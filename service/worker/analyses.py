"""Analyses and the solver as jobs: on the log as it was at the version asked for."""

from typing import Any

import msgspec

from games import GAMES
from games.match.model import Match
from projections.folded import Folded
from replay.analysis import analyse, encode
from replay.branch import recall
from replay.solve import solve, version_only
from service.context import Context
from service.worker.asked import Task
from service.worker.desk import desk


def analyse_match(task: Task) -> Any:
    """Analyse a match, unless that has been done; give the analysis as plain values."""
    match, head = _match_of(task, task.version)
    kept = desk().run(lambda context: context.analyses.get(head))
    if kept is None:
        kept = encode(analyse(match, head, desk().context.settings.analysis_commands, task.show))
        analysis = kept
        desk().run(lambda context: context.analyses.keep(head, analysis))
    return msgspec.json.decode(kept)


def solve_match(task: Task) -> Any:
    """Find the best version to go back to; all of it, or the version alone, in the asker's numbers."""
    match, head = _match_of(task, task.arguments["at"])
    solved = solve(match, head, desk().context.settings.analysis_commands, task.show)
    if not task.arguments["full"]:
        solved = version_only(match, solved, task.viewer)
    return msgspec.to_builtins(solved)


def _match_of(task: Task, version: int) -> tuple[Match, str]:
    """Fold the log up to a version; a branch knows what its viewers had seen before."""

    async def read(context: Context) -> tuple[list[bytes], list[list[bytes]]]:
        live = await context.lives.get(task.match)
        lines = (await context.lives.lines(live))[:version]
        return lines, await context.lives.lineage(live)

    lines, lineage = desk().run(read)
    folded = Folded.of(GAMES, lines)
    recall(GAMES, folded.match, lineage)
    return folded.match, folded.head
