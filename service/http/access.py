"""Who may see which match, and as whom."""

import hmac
from typing import Literal, NamedTuple

from projections.folded import Folded, Viewer
from replay.travel import Sight
from service.context import Context
from service.lives import Live
from service.players import Caller
from service.problems import forbidden, malformed, not_found

FULL: Literal["full"] = "full"
JOIN_CODE_CHARS = 10


class Table(NamedTuple):
    """A match and the place from which the caller looks at it."""

    live: Live
    viewer: Viewer

    @property
    def folded(self) -> Folded:
        """The match's fold."""
        return self.live.folded


def join_code(context: Context, match: str) -> str:
    """Give the code that opens a private match."""
    return context.keys.derive("join", match).hex()[:JOIN_CODE_CHARS]


async def sit(
    context: Context, match: str, caller: Caller, code: str | None, *, fresh: bool = True
) -> Table:
    """Find a match for a caller, as fresh as the log or as known here. A private one is not there for strangers."""
    live = await (context.lives.get(match) if fresh else context.lives.known(match))
    header = live.match.header
    seat = live.folded.players.get(caller.player)
    if header.private and seat is None and header.creator != caller.player and not caller.roles:
        given = (code or "").encode()
        if not hmac.compare_digest(given, join_code(context, match).encode()):
            raise not_found("match")
    if not caller.roles and await context.lives.is_closed(live):
        raise not_found("match")
    return Table(live, seat)


def sees_all(table: Table, caller: Caller) -> bool:
    """Tell whether the caller may see everything: officers, or anyone once the match is over."""
    return caller.sees_all or table.live.match.over


def sight_of(table: Table, caller: Caller, view: str | None) -> Sight:
    """Give the eyes that the caller may look with: its own, or all; raises `Problem` 403."""
    if view != FULL:
        return table.viewer
    if not sees_all(table, caller):
        raise forbidden("the full view opens when the match is over")
    return FULL


def parse_version(text: str | None) -> int | None:
    """Read an ETag or Last-Event-ID as a version."""
    if text is None:
        return None
    digits = text.removeprefix("W/").strip('" ')
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise malformed("a version is a number")
    return int(digits)
