"""Finding matches and players: what the projections say. 503 while the work Redis is away."""

from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, QueryParameter

from games import GAMES
from games.match.model import Status
from projections.tables import Table
from service.base.problems import not_found
from service.play.listings import ListedMatches, Projections, Standings
from service.play.players import Caller
from service.process.context import Context

Count = Annotated[int, QueryParameter(ge=1, le=200, description="Lines on the page.")]
Cursor = Annotated[
    str | None, QueryParameter(max_length=100, description="`next` of the page before.")
]


@get("/matches", tags=["matches"], operation_id="listMatches")
async def list_matches(
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    game: FromQuery[str | None] = None,
    status: FromQuery[Status | None] = None,
    after: Cursor = None,
    count: Count = 50,
) -> ListedMatches:
    """List the public matches, the latest opened first."""
    if game is not None and game not in GAMES:
        raise not_found("game")
    return await Projections(context.work).lobby(game, status, after, count)


@get("/players/{player:str}/matches", tags=["players"], operation_id="listHistory")
async def list_history(
    player: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    after: Cursor = None,
    count: Count = 50,
) -> ListedMatches:
    """List the matches that a player sits in; private ones to the player alone. `me` is the caller."""
    player = caller.player if player == "me" else player
    private = player == caller.player or caller.sees_all
    return await Projections(context.work).history(
        player, private=private, after=after, count=count
    )


@get("/standings/{slug:str}", tags=["players"], operation_id="getStandings")
async def get_standings(
    slug: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    table: FromQuery[Table | None] = None,
    after: Annotated[int, QueryParameter(ge=0)] = 0,
    count: Count = 50,
) -> Standings:
    """Give a game's table: ratings where players meet as rivals, shares of wins where they sail together."""
    if slug not in GAMES:
        raise not_found("game")
    return await Projections(context.work).standings(slug, table, after, count)


HANDLERS = (list_matches, list_history, get_standings)
