"""Games: their options, commands, events, views, components, rules and boards."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, SkipValidation

from games.components import plain
from games.game import AnyGame, Weight
from games.wire import JsonSchema
from replay.tutorial import Tutorial
from service.base.problems import not_found
from service.http.body import AnyRequest, tagged
from service.http.openapi.descriptions import schema_components
from service.http.tutorials import Taught

Offered = SkipValidation[NamedDependency[Mapping[str, AnyGame]]]
"""The games, under the rules of new matches."""
REF = "#/$defs/{name}"
JAVASCRIPT = "text/javascript"


class GameSummary(msgspec.Struct):
    """A game in the list."""

    slug: str
    titles: dict[str, str]
    seats: list[int]
    """Possible numbers of seats."""
    minutes: int | None
    """Typical length of a match (minutes); null if the game does not say."""
    weight: Weight | None
    """How much there is to learn and to think about; null if the game does not say."""
    rules: int
    """Version of its rules."""
    bots: list[str]
    """Levels of the bots, weakest first. The middle one suits a first match."""
    orders: list[str]
    """Standing orders that a seat may give."""
    recommended: dict[str, bool | int | str]
    """Options that people are offered, where they are not the defaults. `POST /matches` does not
    add them."""
    recommended_with_bots: dict[str, bool | int | str]
    """Options that people are offered as well if bots take all other seats."""
    tutorial_minutes: int | None
    """How long its tutorial takes. Null if there is none."""


class GameDetail(GameSummary):
    """A game with everything a client needs to play it."""

    options: JsonSchema
    """JSON schema."""
    commands: JsonSchema
    """JSON schema: a union tagged by `type`."""
    events: JsonSchema
    """JSON schema."""
    view: JsonSchema
    """JSON schema."""
    components: dict[str, Any]
    """Cards, boards, maps."""
    rules_text: str
    """The numbered rules, in Markdown."""
    board: str | None
    """Address of the game's own board for the page; null if its package brings none."""


@get("/games", tags=["games"], operation_id="listGames")
async def list_games(offered: Offered, taught: Taught) -> list[GameSummary]:
    """List the games, with the rules version of new matches."""
    return [GameSummary(**_summary(game, taught)) for game in offered.values()]


@get("/games/{slug:str}", tags=["games"], operation_id="getGame", refuses=("not-found",))
async def get_game(slug: FromPath[str], offered: Offered, taught: Taught) -> GameDetail:
    """Return a game with its schemas, components and rules."""
    game = _found(slug, offered)
    files = game.files
    return GameDetail(
        **_summary(game, taught),
        options=schema(game.Options),
        commands=schema(game.Command),
        events=schema(game.Event),
        view=schema(game.View),
        components=_components(game),
        rules_text="" if files.rules is None else files.rules.read_text(),
        board=None if files.board is None else f"/games/{slug}/board.js",
    )


@get(
    "/games/{slug:str}/components",
    tags=["games"],
    operation_id="getComponents",
    refuses=("not-found",),
)
async def get_components(slug: FromPath[str], offered: Offered) -> dict[str, Any]:
    """Return a game's components alone: its cards, boards and maps."""
    return _components(_found(slug, offered))


@get("/games/{slug:str}/board.js", include_in_schema=False)
async def get_board(slug: FromPath[str], offered: Offered, request: AnyRequest) -> Response[bytes]:
    """Return the board that a game's package brings for the page, as an ES module."""
    if (board := _found(slug, offered).files.board) is None:
        raise not_found("board")
    return tagged(request, board.read_bytes(), JAVASCRIPT)


@cache
def schema(kind: Any) -> dict[str, Any]:
    """Return the self-contained JSON schema of a type."""
    (top,), defs = schema_components((kind,), REF)
    return {**top, "$defs": defs}


def _found(slug: str, offered: Mapping[str, AnyGame]) -> AnyGame:
    if (game := offered.get(slug)) is None:
        raise not_found("game")
    return game


@cache
def _components(game: AnyGame) -> dict[str, Any]:
    components = game.files.components
    return {} if components is None else plain(components)


def _summary(game: AnyGame, taught: Mapping[str, Tutorial]) -> dict[str, Any]:
    tutorial = taught.get(game.slug)
    return {
        "slug": game.slug,
        "titles": dict(game.titles),
        "seats": list(game.seats),
        "minutes": game.minutes,
        "weight": game.weight,
        "rules": game.version,
        "bots": game.players.levels,
        "orders": list(game.orders),
        "recommended": dict(game.recommended),
        "recommended_with_bots": dict(game.recommended_with_bots),
        "tutorial_minutes": None if tutorial is None else tutorial.script.minutes,
    }


HANDLERS = (
    list_games,
    get_game,
    get_components,
    get_board,
)
