"""Lists of matches and standings, read from the projections. 503 while the work Redis is down."""

from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, QueryParameter

from games import GAMES
from games.match.model import Status
from projections.rows import MEMBER
from projections.tables import Table
from service.base.problems import not_found
from service.play.listings import ListedMatches, Listings, Standings
from service.play.players import Caller

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


@get("/players/{player:str}/matches", tags=["players"], operation_id="listHistory")
async def list_history(
    player: FromPath[str],
    caller: NamedDependency[Caller],
    listings: NamedDependency[Listings],
    after: Cursor = None,
    count: Count = 50,
) -> ListedMatches:
    """List the matches of a player; private ones only for that player. `me` is the caller."""
    player = caller.player if player == "me" else player
    private = player == caller.player or caller.sees_all
    return await listings.history(player, private=private, after=after, count=count)


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
    return await listings.standings(slug, table, after, count)


HANDLERS = (list_matches, list_history, get_standings)
