"""Seeks: post an offer of a match, list the open ones, and take a place in one."""

from typing import Annotated, Any

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Meta

from games import GAMES
from games.match.commands import SEATS_MAX, Clock, Entropy
from games.wire import GameOptions, Time
from service.base.problems import not_found
from service.http.invitations import Acceptance
from service.play.admission import Admission
from service.play.caller import Caller
from service.play.open_seeks import Offer, OpenSeek, SeekBots
from service.play.seeks import Seeks


class NewSeek(msgspec.Struct, forbid_unknown_fields=True):
    """A match that you would like to play, at a place for each player."""

    game: str
    seats: Annotated[int, Meta(ge=2, le=SEATS_MAX)]
    options: GameOptions = msgspec.field(default_factory=dict[str, Any])
    clock: Clock | None = None
    undo_limit: Annotated[int, Meta(ge=0, le=1000)] | None = None
    """Maximum number of undos per seat; null is no limit."""
    expires_in_s: Annotated[int, Meta(ge=60, le=86_400)] = 600
    """Time for which others may take it (seconds)."""
    entropy: Entropy = ""
    """Your share of the match seed."""
    bots: SeekBots | None = None
    """Bots that take the free seats if nobody else does in time; null waits for people alone."""
    join: bool = False
    """Take a place in an open seek for the same match instead, if there is one."""


class SeekView(msgspec.Struct):
    """A seek. The match starts as soon as there are as many players as seats."""

    seek: str
    """Id of the seek."""
    by: str
    """Id of the player who posted the seek."""
    game: str
    seats: int
    options: GameOptions
    clock: Clock | None
    undo_limit: int | None
    """Maximum number of undos per seat; null is no limit."""
    players: list[str]
    """Ids of the players who have taken places, in the order of their seats."""
    created: Time
    expires: Time
    match: str | None
    """The match, once the seek is complete."""
    bots: SeekBots | None
    """Bots that take the free seats if nobody else does in time; null waits for people alone."""


@post(
    "/seeks",
    status_code=201,
    tags=["invitations"],
    operation_id="postSeek",
    scope="play",
    refuses=("not-found", "rules", "too-many-seeks", "log-quota"),
)
async def post_seek(
    data: JSONBody[NewSeek],
    caller: NamedDependency[Caller],
    admission: NamedDependency[Admission],
    seeks: NamedDependency[Seeks],
) -> SeekView:
    """Post a seek. You have the first seat. With `join`, take one that fits instead."""
    await admission.require_room()
    offer = Offer(data.game, data.seats, data.options, data.clock, data.undo_limit)
    place = seeks.join if data.join else seeks.post
    return _view(await place(caller, offer, data.bots, data.expires_in_s, data.entropy))


@get("/seeks", tags=["invitations"], operation_id="listSeeks", refuses=("not-found",))
async def list_seeks(
    caller: NamedDependency[Caller],
    seeks: NamedDependency[Seeks],
    game: FromQuery[str | None] = None,
) -> list[SeekView]:
    """List the open seeks, at most 200; those that expire last come first.

    Without `game`, each game has an equal share of the list.
    """
    if game is not None and game not in GAMES:
        raise not_found("game")
    games = GAMES if game is None else (game,)
    return [_view(one) for one in await seeks.open(caller.player, games)]


@post(
    "/seeks/{seek:str}/take",
    status_code=200,
    tags=["invitations"],
    operation_id="takeSeek",
    scope="play",
    refuses=("not-found", "rules", "too-many-seeks", "log-quota"),
)
async def take_seek(
    seek: FromPath[str],
    data: JSONBody[Acceptance],
    caller: NamedDependency[Caller],
    admission: NamedDependency[Admission],
    seeks: NamedDependency[Seeks],
) -> SeekView:
    """Take a place in a seek. With the last one the match is created, and all have their seats."""
    await admission.require_room()
    return _view(await seeks.take(caller, seek, data.entropy))


@delete(
    "/seeks/{seek:str}",
    tags=["invitations"],
    operation_id="leaveSeek",
    scope="play",
    refuses=("not-found",),
)
async def leave_seek(
    seek: FromPath[str], caller: NamedDependency[Caller], seeks: NamedDependency[Seeks]
) -> None:
    """Withdraw your seek, or give up the place that you took in another's."""
    await seeks.leave(caller.player, seek)


def _view(one: OpenSeek) -> SeekView:
    seek, offer = one.seek, one.seek.offer
    return SeekView(
        seek=seek.id,
        by=seek.by,
        game=offer.game,
        seats=offer.seats,
        options=offer.options,
        clock=offer.clock,
        undo_limit=offer.undo_limit,
        players=one.players,
        created=seek.created,
        expires=seek.expires,
        match=seek.match,
        bots=seek.bots,
    )


HANDLERS = (post_seek, list_seeks, take_seek, leave_seek)
