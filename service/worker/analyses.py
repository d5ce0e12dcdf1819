"""Jobs that analyse or solve a match, as of the version for which they were submitted."""

from typing import Any

import msgspec

from games.match.model import Match
from projections.summary import summary
from replay.analysis import Analysis, analyses, encode
from replay.best import best_moments
from replay.solve import solve, version_only
from service.play.best_moments import BestMoments
from service.worker.match_at import match_at
from service.worker.runtime import runtime
from service.worker.shared_playouts import shared
from service.worker.task import Task


def analyse_match(task: Task) -> Any:
    """Analyse a match unless there is an analysis; return it as plain values.

    What is known so far is kept as a partial analysis, and of a match that is over the best
    moments.
    """
    match, head = match_at(task.match, task.version)
    kept = runtime().run(lambda context: context.analyses.get(head))
    if kept is None:
        context = runtime().context
        commands = context.settings.analysis_commands
        with shared(context.work_url, task.match, task.version) as share:
            for analysis in analyses(match, head, commands, task.show, share):
                kept = encode(analysis)
                _keep(head, kept, complete=analysis.complete)
                if not analysis.complete:
                    task.count_partial_result()
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
    context, at = runtime().context, task.arguments["at"]
    match, head = match_at(task.match, at)
    commands = context.settings.analysis_commands
    with shared(context.work_url, task.match, at) as share:
        solved = solve(match, head, commands, task.show, share)
    if not task.arguments["full"]:
        solved = version_only(match, solved, task.viewer)
    return msgspec.to_builtins(solved)
