"""Who may see which match, and as whom."""

import hmac
from typing import Literal, NamedTuple

from projections.folded import Folded, Viewer
from replay.solve import agreed
from replay.travel import Sight
from service.base.problems import Problem, forbidden, malformed, not_found
from service.play.match_cache import Live
from service.play.players import Caller
from service.process.context import Context

FULL: Literal["full"] = "full"
SPECTATOR = "spectator"
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


def may_solve(table: Table, caller: Caller) -> bool:
    """Tell whether the caller may ask for the best version to go back to: who sees all, or by everyone's consent."""
    match, seat = table.live.match, table.viewer
    if match.state is None:
        return False
    return sees_all(table, caller) or (seat is not None and agreed(match, seat))


def sight_of(table: Table, caller: Caller, view: str | None) -> Sight:
    """Give the eyes that the caller may look with: its own, or any where it sees all; raises `Problem` 403, 422."""
    if view is None:
        return table.viewer
    sight: Sight = FULL if view == FULL else viewer_of(view, table.live.match.header.seats)
    if sight != table.viewer and not sees_all(table, caller):
        raise forbidden("other eyes than your own open when the match is over")
    return sight


def viewer_of(text: str, seats: int) -> Viewer:
    """Read a viewer, `spectator` or a seat's number; raises `Problem` 422."""
    if text == SPECTATOR:
        return None
    if (seat := int(text)) >= seats:
        raise Problem(422, "no-such-seat", f"the seats are 0 to {seats - 1}", seats=seats)
    return seat


def parse_version(text: str | None) -> int | None:
    """Read an ETag or Last-Event-ID as a version."""
    if text is None:
        return None
    digits = text.removeprefix("W/").strip('" ')
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise malformed("a version is a number")
    return int(digits)
