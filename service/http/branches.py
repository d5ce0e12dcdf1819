"""What if: a new match that goes on from a version of another."""

from typing import Annotated, Any

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from games.match.commands import AddBot, BranchMatch, Clock, Level, TakeSeat
from games.match.model import Match
from service.base.problems import Problem, forbidden, malformed
from service.http.access import Table, sees_all, sit
from service.http.matches import Created, JoinCode, Key, created
from service.play.players import Caller
from service.process.context import Context

ME = "me"


class NewBranch(msgspec.Struct, forbid_unknown_fields=True):
    """A match to fork."""

    version: Annotated[int, Meta(ge=1)]
    """As the seat counts; with `truth`, as the log does."""
    seat: Annotated[int, Meta(ge=0, le=63)] | None = None
    """Whose knowledge is kept, all else being dealt anew; the caller's own seat if left out."""
    truth: bool = False
    """Keep everything as it was: for officers."""
    seats: list[Level | None] = msgspec.field(default_factory=list[Level | None])
    """By seat, who sits down at once: `me`, a bot's level, or null."""
    clock: Clock | None = None
    private: bool = False
    away_after: Annotated[int, Meta(ge=0, le=100)] = 3
    undo_limit: Annotated[int, Meta(ge=0, le=1000)] | None = None


@post(
    "/matches/{match:str}/branches", status_code=201, tags=["travel"], operation_id="createBranch"
)
async def create_branch(
    match: FromPath[str],
    data: JSONBody[NewBranch],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    idempotency_key: Key = None,
    join_code: JoinCode = None,
) -> Created:
    """Go on from an earlier version, in a new match. For anyone once the match is over, for officers always.

    A branch deals anew what its seat could not know. An officer may keep everything; what is forked from a match that
    is being played stays closed to players until it has ended.
    """
    table = await sit(context, match, caller, join_code)
    if not sees_all(table, caller):
        raise forbidden("branches can be forked when the match is over")
    seat = _seat(table, caller, data)
    _check_seats(table.live.match, data.seats)
    command = BranchMatch(
        parent=match,
        version=data.version,
        seat=seat,
        clock=data.clock,
        private=data.private,
        away_after=data.away_after,
        undo_limit=data.undo_limit,
    )
    live = await context.matches.branch(caller, table.live, command, idempotency_key)
    for place, sitter in enumerate(data.seats):
        if sitter is not None:
            sit_down: Any = TakeSeat(place) if sitter == ME else AddBot(place, sitter)
            key = idempotency_key and context.keys.derive("seat", idempotency_key, str(place)).hex()
            await context.matches.play(live, caller, sit_down, key)
    return created(context, live, live.folded.players.get(caller.player))


def _seat(table: Table, caller: Caller, data: NewBranch) -> int | None:
    """Give the seat whose knowledge is kept; None keeps everything."""
    if data.truth:
        if not caller.sees_all:
            raise forbidden("only officers keep what a seat could not know")
        if data.seat is not None:
            raise malformed("either a seat or the truth")
        return None
    seat = table.viewer if data.seat is None else data.seat
    if seat is None:
        raise Problem(422, "seat-needed", "name the seat whose knowledge is kept")
    seats = table.live.match.header.seats
    if seat >= seats:
        raise Problem(422, "no-such-seat", f"the seats are 0 to {seats - 1}", seats=seats)
    return seat


def _check_seats(match: Match, sitters: list[str | None]) -> None:
    levels = list(match.game.bots)
    if len(sitters) > match.header.seats:
        raise Problem(422, "no-such-seat", "more than there are seats", seats=match.header.seats)
    if any(sitter not in (None, ME, *levels) for sitter in sitters):
        raise Problem(422, "no-such-level", "no bot of that level", levels=levels)
    if sitters.count(ME) > 1:
        raise Problem(422, "already-seated", "a player sits once")


HANDLERS = (create_branch,)
