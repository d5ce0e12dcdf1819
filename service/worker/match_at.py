"""The match of a job, as of the version of the log for which it was submitted."""

from games import GAMES
from games.match.model import Match
from projections.folded import Folded
from replay.branch import recall
from service.process.context import Context
from service.worker.runtime import runtime


def match_at(match: str, version: int) -> tuple[Match, str]:
    """Fold the log up to a version; return the match and the hash of its last record.

    In a branch, its viewers recall what they had seen before.
    """

    async def read(context: Context) -> tuple[list[bytes], list[list[bytes]]]:
        cached = await context.cache.get(match)
        lines = (await context.cache.lines(cached))[:version]
        return lines, await context.cache.ancestors(cached)

    lines, lineage = runtime().run(read)
    folded = Folded.of(GAMES, lines)
    recall(GAMES, folded.match, lineage)
    return folded.match, folded.head
