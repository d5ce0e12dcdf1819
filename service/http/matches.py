"""Opening, finding and reading matches."""

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, HeaderParameter, JSONBody, QueryParameter
from msgspec import Meta

from games.match import viewers
from games.match.commands import (
    AddBot,
    Clock,
    CreateMatch,
    Level,
    ProposalSeconds,
    RemoveBot,
    SetStandingOrders,
)
from games.match.viewers import own_number
from projections.folded import Folded, Viewer
from projections.views import Lineage, MatchView, lineage, undo_price
from replay.travel import FullView, NoSuchVersion, Sight, number_of, picture
from service.base.problems import no_such_version
from service.http.access import FULL, Table, join_code, may_solve, sight_of, sit, viewer_of
from service.play.match_cache import Live
from service.play.players import Caller
from service.process.context import Context

JoinCode = Annotated[str | None, QueryParameter(description="Opens a private match.")]
Key = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description="Made by the client, kept over its retries: a command counts once under a key.",
        pattern="^[A-Za-z0-9._:-]{1,64}$",
    ),
]
View = Annotated[
    str | None,
    QueryParameter(
        pattern="^(full|spectator|[0-9]{1,2})$",
        description="With whose eyes, your own if left out: a seat, `spectator`, or `full` for everything. "
        "Others' are for officers, or for all once the match is over.",
    ),
]
Eyes = Annotated[
    str | None,
    QueryParameter(
        pattern="^(spectator|[0-9]{1,2})$",
        description="A seat or `spectator`, whose view to give at a version that counts as the log does.",
    ),
]


OPTIONAL = ("stand_in", "proposal_seconds")
"""What the log leaves out where it was not asked for."""


class NewMatch(msgspec.Struct, forbid_unknown_fields=True):
    """A match to open. Options left out take the game's defaults."""

    game: str
    seats: Annotated[int, Meta(ge=1, le=64)]
    options: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    clock: Clock | None = None
    private: bool = False
    away_after: Annotated[int, Meta(ge=0, le=100)] = 3
    """Timeouts in a row after which a seat is away; 0 is never."""
    undo_limit: Annotated[int, Meta(ge=0, le=1000)] | None = None
    """Undos that a seat may have; null is no limit."""
    stand_in: Level | None = None
    """Level of the bot that plays for seats that are away; null: their defaults come at once."""
    proposal_seconds: ProposalSeconds | None = None
    """How long a proposal may be answered; null: 300."""


class Created(msgspec.Struct):
    """An opened match, waiting for its seats to be taken."""

    match: str
    version: int
    head: str
    commitment: str
    """SHA-256 of the service's part of the seed, fixed before anyone sits down."""
    join_code: str | None
    game: str
    seats: int
    options: dict[str, Any]
    branch: Lineage | None
    """Null for all but branches."""


class Legal(msgspec.Struct):
    """What the caller may do now."""

    version: int
    commands: list[Any]
    """The game's own."""
    match_commands: list[Any]
    """Those that every match has."""
    undo: Any
    """What taking back the last own command would need: `to`, class and who is asked; or null."""
    solve: bool
    """Whether the caller may have the best version to go back to searched for (`POST /matches/{match}/solve`)."""


@post("/matches", status_code=201, tags=["matches"], operation_id="createMatch")
async def create_match(
    data: JSONBody[NewMatch],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    idempotency_key: Key = None,
) -> Created:
    """Open a match; the answer commits to the dice."""
    wished = msgspec.structs.asdict(data)
    for name in OPTIONAL:
        if wished[name] is None:
            del wished[name]
    command = CreateMatch(**wished)
    live = await context.matches.create(caller, command, idempotency_key)
    return created(context, live, None)


def created(context: Context, live: Live, viewer: Viewer) -> Created:
    """Describe a match that has just been opened."""
    header = live.match.header
    return Created(
        match=header.match,
        version=live.folded.number(viewer),
        head=live.folded.receipt(viewer),
        commitment=header.commitment,
        join_code=join_code(context, header.match) if header.private else None,
        game=header.game,
        seats=header.seats,
        options=header.options,
        branch=lineage(header),
    )


@get("/matches/{match:str}", tags=["matches"], operation_id="getMatch")
async def get_match(
    request: Request[Any, Any, Any],
    match: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    at: Annotated[
        int | None, QueryParameter(ge=1, description="One of the caller's versions.")
    ] = None,
    view: View = None,
    eyes: Eyes = None,
    join_code: JoinCode = None,
) -> Response[MatchView | FullView]:
    """Show a match as the caller may know it, now or at an earlier version.

    With `view=full`, `eyes` gives what that viewer saw when the log was at the version.
    """
    table = await sit(context, match, caller, join_code)
    sight = sight_of(table, caller, view)
    folded = table.folded
    if at is not None:
        folded = await as_seen_at(context, table, sight, at)
    etag = f'"{number_of(folded, sight)}"'
    if at is None and request.headers.get("if-none-match") == etag:
        return Response(content=None, status_code=304, headers={"ETag": etag})  # type: ignore[arg-type]
    shown = viewer_of(eyes, table.live.match.header.seats) if eyes and sight == FULL else sight
    return Response(
        picture(folded, shown, await seated_names(context, folded)),
        headers={"ETag": etag, "Cache-Control": "private, no-cache"},
    )


@get("/matches/{match:str}/legal", tags=["matches"], operation_id="getLegal")
async def get_legal(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    join_code: JoinCode = None,
) -> Legal:
    """List the caller's legal commands."""
    table = await sit(context, match, caller, join_code)
    live, seat = table.live, table.viewer
    own: list[Any] = []
    if seat is not None and live.match.status == "running" and live.match.paused is None:
        own = live.match.game.legal(live.match.state, seat)
    return Legal(
        version=live.folded.number(seat),
        commands=own,
        match_commands=_match_commands(table, caller),
        undo=None if seat is None else undo_price(live.match, seat),
        solve=may_solve(table, caller),
    )


async def seated_names(context: Context, folded: Folded) -> dict[str, str]:
    """Give the names of those at the table."""
    return await context.players.names(
        [chair.player for chair in folded.match.chairs if chair.player]
    )


async def as_seen_at(context: Context, table: Table, sight: Sight, number: int) -> Folded:
    """Fold the match up to one of a sight's numbers; raises `Problem` 404."""
    history = await context.histories.of(table.live)
    try:
        return await asyncio.to_thread(history.at, sight, number)
    except NoSuchVersion as error:
        raise no_such_version(error.number, error.last) from None


def _match_commands(table: Table, caller: Caller) -> list[Any]:
    """List the match's own commands that the caller may send; parameters of a proposal are filled in."""
    match, seat = table.live.match, table.viewer
    if match.status == "waiting":
        free = [s for s, chair in enumerate(match.chairs) if not chair.taken]
        bots = [s for s, chair in enumerate(match.chairs) if chair.bot]
        sit_down = (
            [{"type": "take_seat", "seat": s} for s in free]
            if seat is None
            else [{"type": "leave_seat"}]
        )
        if seat is None and caller.player != match.header.creator:
            return sit_down
        levels = list(match.game.bots)
        return [
            *sit_down,
            *(AddBot(s, level) for s in free for level in levels),
            *(RemoveBot(s) for s in bots),
        ]
    if match.status != "running" or seat is None or match.chairs[seat].left:
        return []
    names = ["resign", "propose_abandon", "resume" if match.paused is not None else "pause"]
    if match.chairs[seat].away:
        names.append("come_back")
    commands: list[Any] = [{"type": name} for name in names]
    return [*commands, *_order_commands(table, seat), *_proposal_commands(table, seat)]


def _order_commands(table: Table, seat: int) -> list[Any]:
    """List each of the game's standing orders alone, and the end of those that are in force."""
    match = table.live.match
    given = match.chairs[seat].orders
    commands = [SetStandingOrders((name,)) for name in match.game.orders if given != (name,)]
    return [*commands, SetStandingOrders()] if given else [*commands]


def _proposal_commands(table: Table, seat: int) -> list[Any]:
    match = table.live.match
    commands: list[Any] = []
    if (cost := undo_price(match, seat)) is not None:
        kind = "undo" if cost["undo"] == "free" else "propose_undo"
        commands.append({"type": kind, "to": cost["to"]})
    if (proposal := viewers.proposal(match, seat)) is None:
        if match.game.winnable is not None or match.game.blueprint is not None:
            commands.append({"type": "propose_undo", "solve": True})
        return commands
    if proposal.made.seat == seat:
        commands.append({"type": "withdraw_proposal"})
    elif seat in proposal.made.asked and seat not in proposal.accepted:
        number = own_number(match, seat, proposal.version)
        commands += [
            {"type": "answer", "proposal": number, "accept": accept} for accept in (True, False)
        ]
    return commands


HANDLERS = (
    create_match,
    get_match,
    get_legal,
)
