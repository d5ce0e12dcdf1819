"""Matches: create one, read it, list the legal commands."""

from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.datastructures import ResponseHeader
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, HeaderParameter, JSONBody, QueryParameter
from msgspec import Meta

from games.match.commands import (
    SEATS_MAX,
    BotPace,
    Clock,
    CreateMatch,
    Level,
    PlayerCommand,
    ProposalSeconds,
    SpectatorDelay,
)
from games.match.legal import Takeback, legal, takeback
from games.wire import GameCommand, GameOptions
from projections.folded import Folded, Viewer
from projections.views import Lineage, MatchView, lineage
from replay.travel import FullView, Sight, number_of, picture
from service.base.clock import now_micros
from service.base.problems import malformed
from service.http.access import (
    FULL,
    FoundMatch,
    MatchAccess,
    is_known,
    may_solve,
    sight_of,
    viewer_of,
)
from service.http.body import AnyRequest, encoded
from service.http.callers import Callers
from service.http.preferences import PREFERENCE_APPLIED, WITH_RECEIPT, headers_of, preferred
from service.play import answers
from service.play.admission import Admission
from service.play.caller import Caller
from service.play.hints import is_advised
from service.play.invitations import may_invite
from service.play.match_cache import CachedMatch
from service.play.match_length import takes
from service.play.matches import Matches, actor_of, new_key
from service.play.open_matches import OpenMatches
from service.play.players import Players
from service.play.readers import Readers
from service.play.receipts import Receipts
from service.play.series import PREFIX

JoinCode = Annotated[str | None, QueryParameter(description="Opens a private match.")]
KEY = "^[A-Za-z0-9._:-]{1,64}$"
Key = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description="Chosen by the client, kept over its retries: a key counts once.",
        pattern=KEY,
    ),
]
View = Annotated[
    str | None,
    QueryParameter(
        pattern="^(full|spectator|[0-9]{1,2})$",
        description="Viewer to show the match to, you by default: a seat, `spectator`, or `full` "
        "for everything. Other views are for officers, or for all once the match is over.",
    ),
]
Eyes = Annotated[
    str | None,
    QueryParameter(
        pattern="^(spectator|[0-9]{1,2})$",
        description="A seat or `spectator` whose view to return at a version of the log.",
    ),
]


def chosen_key(key: str | None) -> str:
    """Return the key of a client that creates a match, or a new one; raises `Problem` 400."""
    if key is not None and key.startswith(PREFIX):
        raise malformed(f"Keys that begin with {PREFIX!r} are for rematches. Choose another.").at(
            header="Idempotency-Key"
        )
    return key or new_key()


ETAG = ResponseHeader(
    name="ETag",
    documentation_only=True,
    description="The viewer's version, in quotes. `If-Match` and `If-None-Match` take it.",
)

RECEIPT = ResponseHeader(
    name="Receipt",
    documentation_only=True,
    description="Signed receipt for the viewer's version, in JSON: keep it (docs/log-format.md). "
    "`Prefer: receipt` asks for it. Absent if the signing key cannot be used at the moment.",
)

ENCODER = msgspec.json.Encoder()
OPTIONAL = ("stand_in", "proposal_seconds", "spectator_delay", "bot_pace")
"""Fields that a record omits unless they were set."""


class NewMatch(msgspec.Struct, forbid_unknown_fields=True):
    """A match to create. Omitted options have the game's defaults."""

    game: str
    seats: Annotated[int, Meta(ge=1, le=SEATS_MAX)]
    options: GameOptions = msgspec.field(default_factory=dict[str, Any])
    clock: Clock | None = None
    private: bool = False
    away_after: Annotated[int, Meta(ge=0, le=100)] = 3
    """Number of consecutive timeouts after which a seat is away; 0 is never."""
    undo_limit: Annotated[int, Meta(ge=0, le=1000)] | None = None
    """Maximum number of undos per seat; null is no limit."""
    stand_in: Level | None = None
    """Level of the bot that plays for away seats; null plays their default commands at once."""
    proposal_seconds: ProposalSeconds | None = None
    """Time to answer a proposal (seconds); null is 300."""
    spectator_delay: SpectatorDelay | None = None
    """Time after which spectators are shown a move (seconds); null is at once."""
    bot_pace: BotPace | None = None
    """How long bots wait before they move; null is as long as the service is set to."""


class Created(msgspec.Struct):
    """A new match, waiting for its seats to be taken."""

    match: str
    version: int
    head: str
    commitment: str
    """SHA-256 of the service seed, which is fixed before anyone takes a seat."""
    join_code: str | None
    game: str
    seats: int
    options: GameOptions
    branch: Lineage | None
    """Null unless the match is a branch."""


class Legal(msgspec.Struct):
    """The commands that the caller may send now."""

    game: str
    version: int
    commands: list[GameCommand]
    """Commands of the game."""
    match_commands: list[PlayerCommand]
    """Commands that every match has."""
    undo: Takeback | None
    """What taking back the caller's last command needs; null if that is impossible."""
    solve: bool
    """Whether the caller may search for the best version to go back to (`POST …/solve`)."""
    hint: bool
    """Whether the caller may ask for a hint now (`POST …/hints`)."""
    join_code: str | None
    """Opens a private match to those who are to join, for players who may invite them; null for
    others, and once the match has started."""


class MatchViews:
    """Reads what views of a match need besides its fold."""

    def __init__(self, readers: Readers, players: Players) -> None:
        """Read earlier versions and the names of players."""
        self._readers = readers
        self._players = players

    async def now(self, folded: Folded, shown: Sight) -> bytes:
        """Return a match as shown in a sight, in JSON."""
        players = [chair.player for chair in folded.match.chairs if chair.player]
        return ENCODER.encode(picture(folded, shown, await self._players.names(players)))

    async def at(
        self, caller: str, cached: CachedMatch, sight: Sight, number: int, shown: Sight
    ) -> bytes:
        """Return a match at a version of a sight, as shown in another; raises `Problem`."""
        body = await self._readers.of_match(
            caller, cached, sight, answers.view_at, number, shown, versions=(number,)
        )
        return body if shown == FULL else await self._with_names(body)

    async def _with_names(self, body: bytes) -> bytes:
        """Add the names of the players, which may change: they are not kept with the view."""
        view = msgspec.json.decode(body)
        seats = [seat for seat in view["seats"] if seat["player"]]
        names = await self._players.names([seat["player"] for seat in seats])
        for seat in seats:
            seat["name"] = names.get(seat["player"])
        return ENCODER.encode(view)


@post(
    "/matches",
    status_code=201,
    tags=["matches"],
    operation_id="createMatch",
    scope="play",
    refuses=("rules",),
    secret=True,
)
async def create_match(
    request: AnyRequest,
    data: JSONBody[NewMatch],
    caller: NamedDependency[Caller],
    callers: NamedDependency[Callers],
    access: NamedDependency[MatchAccess],
    matches: NamedDependency[Matches],
    admission: NamedDependency[Admission],
    open_matches: NamedDependency[OpenMatches],
    idempotency_key: Key = None,
) -> Created:
    """Create a match; the answer commits to the dice."""
    await admission.require_room()
    fields = msgspec.structs.asdict(data)
    for name in OPTIONAL:
        if fields[name] is None:
            del fields[name]
    key = chosen_key(idempotency_key)
    address = callers.address(request.scope)
    async with open_matches.opening(caller.player, address, matches.id_of(caller, key)):
        cached = await matches.create(caller, CreateMatch(**fields), key)
    return created(access, cached, None)


def created(access: MatchAccess, cached: CachedMatch, viewer: Viewer) -> Created:
    """Describe a match that has just been created."""
    header = cached.match.header
    return Created(
        match=header.match,
        version=cached.folded.number(viewer),
        head=cached.folded.receipt(viewer),
        commitment=header.commitment,
        join_code=access.join_code(header.match) if header.private else None,
        game=header.game,
        seats=header.seats,
        options=cached.match.plain_options,
        branch=lineage(header),
    )


@get(
    "/matches/{match:str}",
    tags=["matches"],
    operation_id="getMatch",
    response_description="The match, or everything about it with `view=full`.",
    response_headers=[ETAG, RECEIPT, PREFERENCE_APPLIED],
    responses={
        304: ResponseSpec(
            None, description="`If-None-Match` names the current version.", generate_examples=False
        )
    },
    refuses=("no-such-version",),
)
async def get_match(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    views: NamedDependency[MatchViews],
    receipts: NamedDependency[Receipts],
    at: Annotated[
        int | None, QueryParameter(ge=1, description="One of the caller's versions.")
    ] = None,
    view: View = None,
    eyes: Eyes = None,
    if_none_match: Annotated[
        str | None, HeaderParameter(name="If-None-Match", description="ETag of a known view.")
    ] = None,
    prefer: Annotated[
        str | None,
        HeaderParameter(
            name="Prefer",
            description=f"`{WITH_RECEIPT}` asks for a receipt for your own view (RFC 7240).",
        ),
    ] = None,
    join_code: JoinCode = None,
) -> Response[MatchView | FullView]:
    """Return a match as redacted for the caller, now or at an earlier version.

    With `view=full`, `eyes` returns what that viewer saw when the log was at the version.
    """
    found = await access.find(match, caller, join_code)
    sight = sight_of(found, caller, view)
    number = number_of(found.folded, sight) if at is None else at
    etag = f'"{number}"'
    if at is None and is_known(etag, if_none_match):
        return Response(  # type: ignore[arg-type]
            content=None, status_code=304, headers={"ETag": etag}
        )
    shown = viewer_of(eyes, found.cached.match.header.seats) if eyes and sight == FULL else sight
    body = (
        await views.now(found.folded, shown)
        if at is None
        else await views.at(caller.player, found.cached, sight, at, shown)
    )
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    if sight == found.viewer and WITH_RECEIPT in preferred(prefer):
        receipt = await receipts.json(found.folded, found.viewer, number)
        headers |= headers_of(receipt, minimal=False)
    return encoded(body, **headers)


@get("/matches/{match:str}/legal", tags=["matches"], operation_id="getLegal")
async def get_legal(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    join_code: JoinCode = None,
) -> Legal:
    """List the caller's legal commands."""
    found = await access.find(match, caller, join_code)
    cached, seat = found.cached, found.viewer
    at = max(now_micros(), cached.match.at)
    own: list[Any] = []
    if seat is not None and cached.match.status == "running" and cached.match.paused is None:
        own = cached.match.game.legal(cached.match.state, seat)
        own = own if own and takes(cached.match, seat, own[0]) else []
    undo = None if seat is None else takeback(cached.match, seat, at)
    of_match = legal(cached.match, actor_of(caller, seat), at, undo)
    return Legal(
        game=cached.match.header.game,
        version=cached.folded.number(seat),
        commands=own,
        match_commands=[one for one in of_match if takes(cached.match, seat, one)],
        undo=undo,
        solve=may_solve(found, caller),
        hint=bool(own) and is_advised(cached.match, seat),
        join_code=_invitable(found, access, caller),
    )


def _invitable(found: FoundMatch, access: MatchAccess, caller: Caller) -> str | None:
    """Return the join code of a private match that the caller may invite to."""
    match = found.cached.match
    waits = match.header.private and match.status == "waiting"
    invites = waits and may_invite(found.cached, caller.player)
    return access.join_code(match.header.match) if invites else None


HANDLERS = (
    create_match,
    get_match,
    get_legal,
)
