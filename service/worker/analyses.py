"""Jobs that analyse or solve a match, as of the version for which they were submitted."""

from typing import Any

import msgspec

from games import GAMES
from games.match.model import Match
from projections.folded import Folded
from projections.summary import summary
from replay.analysis import Analysis, analyses, encode
from replay.best import best_moments
from replay.branch import recall
from replay.solve import solve, version_only
from service.play.best_moments import BestMoments
from service.process.context import Context
from service.worker.runtime import runtime
from service.worker.task import Task


def analyse_match(task: Task) -> Any:
    """Analyse a match unless there is an analysis; return it as plain values.

    What is known so far is kept as a partial analysis, and of a match that is over the best
    moments.
    """
    match, head = _match_of(task, task.version)
    kept = runtime().run(lambda context: context.analyses.get(head))
    if kept is None:
        commands = runtime().context.settings.analysis_commands
        for analysis in analyses(match, head, commands, task.show):
            kept = encode(analysis)
            _keep(head, kept, complete=analysis.complete)
    assert kept is not None, "the last analysis is complete"
    _keep_moments(match, kept)
    return msgspec.json.decode(kept)


def _keep_moments(match: Match, analysis: bytes) -> None:
    found = best_moments(msgspec.json.decode(analysis, type=Analysis))
    runtime().run(
        lambda context: BestMoments(context.work, context.players).keep(summary(match), found)
    )


def _keep(head: str, analysis: bytes, *, complete: bool) -> None:
    runtime().run(lambda context: context.analyses.keep(head, analysis, complete=complete))


def solve_match(task: Task) -> Any:
    """Find the best version to go back to: in full, or only the version in the viewer's numbers."""
    match, head = _match_of(task, task.arguments["at"])
    solved = solve(match, head, runtime().context.settings.analysis_commands, task.show)
    if not task.arguments["full"]:
        solved = version_only(match, solved, task.viewer)
    return msgspec.to_builtins(solved)


def _match_of(task: Task, version: int) -> tuple[Match, str]:
    """Fold the log up to a version; in a branch, recall what its viewers had seen before."""

    async def read(context: Context) -> tuple[list[bytes], list[list[bytes]]]:
        cached = await context.cache.get(task.match)
        lines = (await context.cache.lines(cached))[:version]
        return lines, await context.cache.ancestors(cached)

    lines, lineage = runtime().run(read)
    folded = Folded.of(GAMES, lines)
    recall(GAMES, folded.match, lineage)
    return folded.match, folded.head
