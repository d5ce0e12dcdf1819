"""What can be played: games, their options, commands and rules."""

from pathlib import Path
from typing import Any

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath

import games
from games.components import public
from games.game import AnyGame
from service.base.problems import not_found
from service.process.context import Context

RULES = Path(games.__file__).parent
REF = "#/$defs/{name}"


class GameSummary(msgspec.Struct):
    """A game in the list."""

    slug: str
    titles: dict[str, str]
    seats: list[int]
    """The seat counts it can be played with."""
    rules: int
    """The version of its rules."""
    bots: list[str]
    """Levels, weakest first."""
    orders: list[str]
    """Standing orders that a seat may give."""


class GameDetail(GameSummary):
    """All that a client needs to know of a game."""

    options: dict[str, Any]
    """JSON schema."""
    commands: dict[str, Any]
    """JSON schema: one of, told apart by `type`."""
    events: dict[str, Any]
    """JSON schema."""
    view: dict[str, Any]
    """JSON schema."""
    components: dict[str, Any]
    """What lies in the box: cards, boards, maps."""
    rules_text: str
    """The numbered rules, in Markdown."""


@get("/games", tags=["games"], operation_id="listGames")
async def list_games(context: NamedDependency[Context]) -> list[GameSummary]:
    """List the games, under the rules that new matches get."""
    return [GameSummary(**_summary(game)) for game in context.opening.values()]


@get("/games/{slug:str}", tags=["games"], operation_id="getGame")
async def get_game(slug: FromPath[str], context: NamedDependency[Context]) -> GameDetail:
    """Describe a game: schemas of its options, commands, events and view, its components and rules."""
    if (game := context.opening.get(slug)) is None:
        raise not_found("game")
    path = RULES / slug / "RULES.md"
    return GameDetail(
        **_summary(game),
        options=schema(game.Options),
        commands=schema(game.Command),
        events=schema(game.Event),
        view=schema(game.View),
        components=public(slug),
        rules_text=path.read_text() if path.exists() else "",
    )


def schema(kind: Any) -> dict[str, Any]:
    """Give the JSON schema of a type, self-contained."""
    (top,), defs = msgspec.json.schema_components((kind,), ref_template=REF)
    return {**top, "$defs": defs}


def _summary(game: AnyGame) -> dict[str, Any]:
    return {
        "slug": game.slug,
        "titles": dict(game.titles),
        "seats": list(game.seats),
        "rules": game.version,
        "bots": list(game.bots),
        "orders": list(game.orders),
    }


HANDLERS = (
    list_games,
    get_game,
)
