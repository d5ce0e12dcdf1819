"""Lists of matches and standings, read from the projections. 503 while the work Redis is down."""

from typing import Annotated

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, QueryParameter

from events.record import at_micros
from games import GAMES
from games.match.model import Status
from projections.results import Result
from projections.rows import MEMBER
from projections.tables import Table
from service.base.problems import malformed, not_found
from service.play.caller import Caller
from service.play.featured import Featured
from service.play.listings import ListedMatch, ListedMatches, Listings, Standings, Wanted

LATEST = 10**16 - 1
"""Latest time that an index can hold (microseconds since 1970)."""
PLACES_MAX = 10**9
"""More places than a table has. Redis cannot count places near 2^63."""
Moment = Annotated[
    str | None,
    QueryParameter(
        max_length=27,
        description="Time when a match was opened: `since` is included, `until` is not.",
        pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$",
        schema_extra={"format": "date-time"},
    ),
]
Count = Annotated[int, QueryParameter(ge=1, le=200, description="Page size.")]
Cursor = Annotated[
    str | None,
    QueryParameter(
        max_length=100,
        description="`next` of the previous page.",
        schema_extra={"pattern": f"^{MEMBER.pattern}$"},
    ),
]


@get("/matches", tags=["matches"], operation_id="listMatches", refuses=("not-found",))
async def list_matches(
    caller: NamedDependency[Caller],
    listings: NamedDependency[Listings],
    game: FromQuery[str | None] = None,
    status: FromQuery[Status | None] = None,
    after: Cursor = None,
    count: Count = 50,
) -> ListedMatches:
    """List the public matches, newest first."""
    if game is not None and game not in GAMES:
        raise not_found("game")
    return await listings.lobby(game, status, after, count)


class FeaturedMatch(msgspec.Struct):
    """What the lobby features."""

    match: ListedMatch | None
    """Null if no match can be featured."""


@get("/featured", tags=["matches"], operation_id="getFeatured", refuses=("work-unavailable",))
async def get_featured(
    caller: NamedDependency[Caller], featured: NamedDependency[Featured]
) -> FeaturedMatch:
    """Return the match that the lobby features: a public one that is played, for some minutes.

    People must play in it, and something must have happened within half an hour. Matches with most
    people come first, then those with the best rated players, then those where something happened
    last. The first five take turns.
    """
    return FeaturedMatch(await featured.match())


@get(
    "/players/{player:str}/matches",
    tags=["players"],
    operation_id="listHistory",
    refuses=("not-found",),
)
async def list_history(
    player: FromPath[str],
    caller: NamedDependency[Caller],
    listings: NamedDependency[Listings],
    game: FromQuery[str | None] = None,
    status: FromQuery[Status | None] = None,
    opponent: Annotated[
        str | None,
        QueryParameter(max_length=64, description="A player, or `bot:` and the level of a bot."),
    ] = None,
    result: FromQuery[Result | None] = None,
    since: Moment = None,
    until: Moment = None,
    after: Cursor = None,
    count: Count = 50,
) -> ListedMatches:
    """List the matches of a player; private ones only for that player. `me` is the caller.

    With filters a page may be short, even empty, though `next` tells that there are others: a call
    goes through 1,000 matches at most.
    """
    if game is not None and game not in GAMES:
        raise not_found("game")
    player = caller.player if player == "me" else player
    opponent = caller.player if opponent == "me" else opponent
    times = _micros("since", since), _micros("until", until)
    wanted = Wanted(game, status, opponent, result, *times)
    private = player == caller.player or caller.sees_all
    return await listings.history(player, wanted, private=private, after=after, count=count)


def _micros(parameter: str, time: str | None) -> int | None:
    """Return a time in microseconds since 1970; raises `Problem` 400."""
    try:
        return None if time is None else min(max(0, at_micros(time)), LATEST)
    except ValueError:
        raise malformed(f"Expected a time, got {time!r}.").at(parameter=parameter) from None


@get("/standings/{slug:str}", tags=["players"], operation_id="getStandings", refuses=("not-found",))
async def get_standings(
    slug: FromPath[str],
    caller: NamedDependency[Caller],
    listings: NamedDependency[Listings],
    table: FromQuery[Table | None] = None,
    after: Annotated[int, QueryParameter(ge=0)] = 0,
    count: Count = 50,
) -> Standings:
    """Return the standings of a game: ratings if competitive, shares of wins if cooperative."""
    if slug not in GAMES:
        raise not_found("game")
    return await listings.standings(slug, table, min(after, PLACES_MAX), count)


HANDLERS = (list_matches, get_featured, list_history, get_standings)
