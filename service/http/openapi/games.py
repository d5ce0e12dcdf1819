"""Types of the games: commands, events, views, states, options and results."""

import re
from functools import cache
from typing import Any, get_args, get_type_hints

import msgspec

from games import GAMES
from games.chance import Chance
from games.game import AnyGame
from games.playout import at_random, plies, seed_of
from games.wire import MARK
from service.http.openapi.schemas import (
    Schema,
    Schemas,
    Typed,
    components,
    readable,
    ref,
    told_apart,
    union,
)

EXAMPLE_PLIES = 60
"""Length of the playout that yields the examples of a game; most commands occur in it."""
OF_A_GAME = ("Command", "Event", "View", "State", "Options")
"""Marks of values of a game."""
SHARED = {
    "RecordedCommand": ("RecordedMatchCommand", "Command"),
    "RecordedEvent": ("MatchEvent", "Event"),
    "MatchResult": ("EndedByLeaving", "Result"),
}
"""Marks of values that come from the match or from the game: the match's type, the games' mark."""


def named(game: AnyGame, kind: str) -> str:
    """Return the name of a component of a game."""
    return re.sub(r"(?:^|_)(.)", lambda found: found[1].upper(), game.slug) + kind


def game_schemas() -> Schemas:
    """Return the types of all games, and the unions of all games."""
    schemas: Schemas = {}
    for game in GAMES.values():
        kinds = {
            "Command": game.Command,
            "Event": game.Event,
            "View": game.View,
            "State": game.State,
            "Options": game.Options,
            "Result": _result(game),
        }
        schemas |= components(
            {named(game, kind): each for kind, each in kinds.items()}, f"{game.slug}."
        )
    return {name: readable(schema, ref) for name, schema in schemas.items()} | unions()


def unions() -> Schemas:
    """Return the unions of the types of all games, by the name of their mark."""
    return {f"Game{mark}": union(_of_all(mark)) for mark in OF_A_GAME} | {
        mark: union([ref(own), *_of_all(games)]) for mark, (own, games) in SHARED.items()
    }


def any_game(mark: str) -> Schema:
    """Return the types behind a mark, of all games."""
    return ref(f"Game{mark}" if mark in OF_A_GAME else mark)


def by_game(name: str, schema: Schema) -> Schemas:
    """Return a Struct with its types of the games; one with a field `game` becomes a union."""
    if not _tells_game(schema):
        return {name: readable(schema, any_game)}
    members = {slug: named(game, name) for slug, game in GAMES.items()}
    made: Schemas = {name: told_apart("game", members)}
    if "description" in schema:
        made[name]["description"] = schema["description"]
    for slug, game in GAMES.items():
        own = readable(schema, _of(game))
        played = {"type": "string", "const": slug, "description": "The game."}
        own["properties"] = own["properties"] | {"game": played}
        made[members[slug]] = {**own, "title": members[slug]}
    return made


@cache
def examples(game: AnyGame) -> dict[str, Any]:
    """Return one command of each kind that occurs in a playout."""
    found: dict[str, Any] = {}
    seats = game.seats[min(1, len(game.seats) - 1)]
    seed = seed_of(1)
    walk = plies(game, seats, game.Options(), seed, at_random(Chance(seed, 1 << 41)))
    for count, (_state, ply) in enumerate(walk):
        if ply.command is not None:
            found.setdefault(
                msgspec.to_builtins(ply.command)["type"], msgspec.to_builtins(ply.command)
            )
        if count >= EXAMPLE_PLIES or len(found) == len(get_args(game.Command)):
            break
    return found


def _of_all(mark: str) -> list[Schema]:
    return [ref(named(game, mark)) for game in GAMES.values()]


def _of(game: AnyGame) -> Typed:
    """Return the types behind marks, of one game."""

    def typed(mark: str) -> Schema:
        if mark in SHARED:
            own, kind = SHARED[mark]
            return {"anyOf": [ref(own), ref(named(game, kind))]}
        return ref(named(game, mark)) if mark in OF_A_GAME else ref(mark)

    return typed


def _tells_game(schema: Schema) -> bool:
    """Return whether a Struct names its game and has values of it, and no other tag."""
    fields: Schemas = schema.get("properties", {})
    told = fields.get("game", {}).get("type") == "string" and "type" not in fields
    return told and any(f"'{MARK}'" in repr(field) for field in fields.values())


def _result(game: AnyGame) -> Any:
    """Return the type of a game's result; any object if its function does not name one."""
    kinds = get_args(get_type_hints(game.result).get("return", dict[str, Any] | None))
    return next((kind for kind in kinds if kind is not type(None)), dict[str, Any])
