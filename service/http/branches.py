"""Branches: new matches that continue from a version of another match."""

from typing import Annotated, Any

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from games.match.commands import AddBot, BranchMatch, Clock, Level, Seat, TakeSeat
from games.match.model import Match
from service.base.problems import Problem, forbidden, malformed, no_such_seat
from service.http.access import FoundMatch, MatchAccess, sees_all
from service.http.body import AnyRequest
from service.http.callers import Callers
from service.http.matches import Created, JoinCode, Key, chosen_key, created
from service.play.admission import Admission
from service.play.caller import Caller
from service.play.matches import Matches
from service.play.open_matches import OpenMatches
from service.play.readers import Readers

ME = "me"


class NewBranch(msgspec.Struct, forbid_unknown_fields=True):
    """A branch to create."""

    version: Annotated[int, Meta(ge=1)]
    """Version to branch from, in the seat's numbers; with `truth`, in the log's."""
    seat: Seat | None = None
    """Seat whose knowledge is kept while all else is dealt anew; the caller's own by default."""
    truth: bool = False
    """Keep everything as it was. For officers."""
    seats: list[Level | None] = msgspec.field(default_factory=list[Level | None])
    """Who takes each seat at once: `me`, the level of a bot, or null."""
    clock: Clock | None = None
    private: bool = False
    away_after: Annotated[int, Meta(ge=0, le=100)] = 3
    undo_limit: Annotated[int, Meta(ge=0, le=1000)] | None = None


@post(
    "/matches/{match:str}/branches",
    status_code=201,
    tags=["travel"],
    operation_id="createBranch",
    scope="play",
    secret=True,
    refuses=(
        "forbidden",
        "no-such-version",
        "no-such-seat",
        "no-such-level",
        "already-seated",
        "seat-needed",
        "rules",
    ),
)
async def create_branch(
    request: AnyRequest,
    match: FromPath[str],
    data: JSONBody[NewBranch],
    caller: NamedDependency[Caller],
    callers: NamedDependency[Callers],
    access: NamedDependency[MatchAccess],
    matches: NamedDependency[Matches],
    admission: NamedDependency[Admission],
    open_matches: NamedDependency[OpenMatches],
    readers: NamedDependency[Readers],
    idempotency_key: Key = None,
    join_code: JoinCode = None,
) -> Created:
    """Continue from an earlier version, in a new match. For officers, or once the match is over.

    What the seat could not know is dealt anew. An officer may keep everything as it was; a branch
    of a match that is still being played is closed to players until that match has ended.
    """
    found = await access.find(match, caller, join_code)
    if not sees_all(found, caller):
        raise forbidden("A match can be branched once it is over.")
    seat = _seat(found, caller, data)
    _check_seats(found.cached.match, data.seats)
    await admission.require_room()
    command = BranchMatch(
        parent=match,
        version=data.version,
        seat=seat,
        clock=data.clock,
        private=data.private,
        away_after=data.away_after,
        undo_limit=data.undo_limit,
    )
    key = chosen_key(idempotency_key)
    address = callers.address(request.scope)
    async with open_matches.opening(caller.player, address, matches.id_of(caller, key)):
        cached = await matches.branch(caller, found.cached, command, key, readers)
    for place, sitter in enumerate(data.seats):
        if sitter is not None:
            sit_down: Any = TakeSeat(place) if sitter == ME else AddBot(place, sitter)
            await matches.play(cached, caller, sit_down, matches.seat_key(key, place))
    return created(access, cached, cached.folded.players.get(caller.player))


def _seat(found: FoundMatch, caller: Caller, data: NewBranch) -> int | None:
    """Return the seat whose knowledge is kept; None keeps everything."""
    if data.truth:
        if not caller.sees_all:
            raise forbidden("Only officers may set `truth`.")
        if data.seat is not None:
            raise malformed("`seat` and `truth` exclude each other.").at(pointer="/seat")
        return None
    seat = found.viewer if data.seat is None else data.seat
    if seat is None:
        raise Problem(422, "seat-needed", "Set `seat` to the seat whose knowledge is kept.").at(
            pointer="/seat"
        )
    seats = found.cached.match.header.seats
    if seat >= seats:
        raise no_such_seat(seat, seats).at(pointer="/seat")
    return seat


def _check_seats(match: Match, sitters: list[str | None]) -> None:
    players, seats = match.game.players, match.header.seats
    if len(sitters) > seats:
        raise Problem(
            422,
            "no-such-seat",
            f"`seats` has {len(sitters)} entries, the match has {seats} seats.",
            seats=seats,
        ).at(pointer="/seats")
    if any(sitter not in (None, ME, *players.bots) for sitter in sitters):
        raise Problem(
            422,
            "no-such-level",
            f"Entries of `seats` must be null, `me` or a bot level: {', '.join(players.levels)}.",
            levels=players.levels,
        ).at(pointer="/seats")
    if sitters.count(ME) > 1:
        raise Problem(422, "already-seated", "`seats` has `me` more than once.").at(
            pointer="/seats"
        )


HANDLERS = (create_branch,)
