"""Profiles: a player's ratings with their course, results against others, and best moments."""

from typing import Annotated

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from events.record import at_text
from games import GAMES
from games.wire import Time
from projections.people import is_bot_account
from projections.profiles import HeadToHead, Profiles
from projections.standings import Standing
from projections.tables import Table
from service.base.problems import not_a_cursor, not_found
from service.http.lobby import Count, Cursor
from service.play.best_moments import BestMoments, PlayersMoment
from service.play.caller import Caller
from service.play.work_needed import work_needed

BOT = "bot:"


class Opponent(msgspec.Struct):
    """Your results against another, or in the same team, in all games."""

    player: str | None
    bot: str | None
    """Level of a bot; all bots of a level are counted together."""
    program: bool
    """Whether the player is a bot account."""
    played: int
    """Number of matches with a result, against each other or together."""
    won: int
    """Matches against each other in which you were placed better."""
    lost: int
    """Matches against each other in which you were placed worse."""
    drawn: int
    """Matches against each other with the same place."""
    together: int
    """Matches in the same team."""
    won_together: int
    """Number of those that were won."""


class Opponents(msgspec.Struct):
    """A page of opponents, in the order of their ids."""

    opponents: list[Opponent]
    """Everybody with whom the player has a result."""
    next: str | None
    """Value of `after` for the next page; null on the last page."""


class Rating(msgspec.Struct):
    """The standing of a player in a game."""

    game: str
    table: Table
    """`rated`: competitive matches; `together`: cooperative ones."""
    place: int
    rating: float | None
    """Three deviations below the mean skill; null for cooperative matches."""
    mean: float | None
    deviation: float | None
    played: int
    won: int


class RatingPoint(msgspec.Struct):
    """A match that counted, and what the player had after it."""

    match: str
    at: Time
    """When the match ended."""
    rating: float | None
    """Rating after the match; null before the first match against opponents."""
    deviation: float | None
    played: int
    """Number of matches against opponents until then."""
    won: int
    together: int
    """Number of cooperative matches until then."""
    won_together: int
    """Number of those that were won."""


class RatingCurve(msgspec.Struct):
    """A page of the course of a rating, the latest match first."""

    game: str
    points: list[RatingPoint]
    """Matches that counted, the latest first."""
    next: str | None
    """Value of `after` for the next page; null on the last page."""


@get("/players/{player:str}/opponents", tags=["players"], operation_id="listOpponents")
async def list_opponents(
    player: FromPath[str],
    caller: NamedDependency[Caller],
    profiles: NamedDependency[Profiles],
    after: Annotated[
        str,
        QueryParameter(
            max_length=64,
            pattern="^[A-Za-z0-9_:-]*$",
            description="`next` of the previous page.",
        ),
    ] = "",
    count: Count = 50,
) -> Opponents:
    """List a player's results against others; those in private matches only for that player.

    `me` is the caller. Only matches with a result count, and no branches.
    """
    player = caller.player if player == "me" else player
    private = player == caller.player or caller.sees_all
    with work_needed():
        found, rest = await profiles.opponents(player, after, count, private=private)
    return Opponents([_opponent(one) for one in found], rest)


@get("/players/{player:str}/ratings", tags=["players"], operation_id="listRatings")
async def list_ratings(
    player: FromPath[str], caller: NamedDependency[Caller], profiles: NamedDependency[Profiles]
) -> list[Rating]:
    """List a player's ratings in all games played; `me` is the caller."""
    player = caller.player if player == "me" else player
    with work_needed():
        found = await profiles.rankings(player, list(GAMES))
    return [_rating(one.game, one.table, one.place, one.standing) for one in found]


@get(
    "/players/{player:str}/ratings/{slug:str}",
    tags=["players"],
    operation_id="getRatingCurve",
    refuses=("not-found",),
)
async def get_rating_curve(
    player: FromPath[str],
    slug: FromPath[str],
    caller: NamedDependency[Caller],
    profiles: NamedDependency[Profiles],
    after: Cursor = None,
    count: Count = 50,
) -> RatingCurve:
    """Return the course of a player's rating in a game; `me` is the caller."""
    if slug not in GAMES:
        raise not_found("game")
    player = caller.player if player == "me" else player
    with work_needed():
        try:
            found, rest = await profiles.curve(player, slug, after, count)
        except ValueError:
            raise not_a_cursor() from None
    return RatingCurve(slug, [_point(one.match, one.at, one.standing) for one in found], rest)


@get("/players/{player:str}/moments", tags=["players"], operation_id="listBestMoments")
async def list_best_moments(
    player: FromPath[str],
    caller: NamedDependency[Caller],
    best_moments: NamedDependency[BestMoments],
) -> list[PlayersMoment]:
    """List a player's best moments, the latest first; `me` is the caller.

    They are found when a finished match is analysed (`POST /matches/{match}/analysis`). Those in a
    private match are shown to whoever was in it.
    """
    player = caller.player if player == "me" else player
    return await best_moments.of(player, caller)


def _opponent(one: HeadToHead) -> Opponent:
    is_bot = one.name.startswith(BOT)
    return Opponent(
        player=None if is_bot else one.name,
        bot=one.name.removeprefix(BOT) if is_bot else None,
        program=is_bot_account(one.name),
        played=one.won + one.lost + one.drawn + one.together,
        won=one.won,
        lost=one.lost,
        drawn=one.drawn,
        together=one.together,
        won_together=one.won_together,
    )


def _rating(game: str, table: Table, place: int, standing: Standing) -> Rating:
    rated = table == "rated"
    return Rating(
        game,
        table,
        place,
        standing.rating if rated else None,
        standing.mu if rated else None,
        standing.sigma if rated else None,
        standing.rated if rated else standing.together,
        standing.won if rated else standing.won_together,
    )


def _point(match: str, at: int, standing: Standing) -> RatingPoint:
    return RatingPoint(
        match,
        at_text(at),
        standing.rating if standing.rated else None,
        standing.sigma if standing.rated else None,
        standing.rated,
        standing.won,
        standing.together,
        standing.won_together,
    )


HANDLERS = (list_opponents, list_ratings, get_rating_curve, list_best_moments)
