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
    merged,
    readable,
    ref,
    refs,
    renamed,
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
    """Return the types of all games."""
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
    return {name: readable(schema, ref) for name, schema in schemas.items()}


def unions(schemas: Schemas) -> Schemas:
    """Return the unions of the types of all games, and what records and results hold, by game."""
    made = {f"Game{mark}": union(_of_all(mark)) for mark in OF_A_GAME} | {
        mark: union([ref(own), *_of_all(games)]) for mark, (own, games) in SHARED.items()
    }
    for game in GAMES.values():
        own = {
            ref(name)["$ref"]: ref(named(game, name))["$ref"]
            for name in schemas
            if named(game, name) in schemas
        }
        for mark, (shared, kind) in SHARED.items():
            both = {name: schemas[name] for name in (shared, named(game, kind))}
            made[named(game, mark)] = renamed(merged(both), own)
    return made


def any_game(mark: str) -> Schema:
    """Return the types behind a mark, of all games."""
    return ref(f"Game{mark}" if mark in OF_A_GAME else mark)


def by_game(schemas: Schemas) -> Schemas:
    """Return Structs with the types of the games behind their marks.

    A Struct with a field `game` becomes a union of one schema for each game, and so does what it
    contains. Elsewhere the types of all games stand behind a mark.
    """
    marked = _marked(schemas)
    told = {name for name in marked if _tells_game(schemas[name])}
    made: Schemas = {}
    for name, schema in schemas.items():
        if name not in told:
            made[name] = readable(schema, any_game)
            continue
        made[name] = told_apart("game", {slug: named(game, name) for slug, game in GAMES.items()})
        if "description" in schema:
            made[name]["description"] = schema["description"]
    for game in GAMES.values():
        played = {"type": "string", "const": game.slug, "description": "The game."}
        own = {ref(name)["$ref"]: ref(named(game, name))["$ref"] for name in marked}
        for name in marked:
            copy = renamed(readable(schemas[name], _of(game)), own)
            if "game" in copy.get("properties", ()):
                copy["properties"] = copy["properties"] | {"game": played}
            made[named(game, name)] = {**copy, "title": named(game, name)}
    return made


def _marked(schemas: Schemas) -> set[str]:
    """Return the Structs with values of a game, also in the Structs that they contain."""
    found = {name for name, schema in schemas.items() if f"'{MARK}'" in repr(schema)}
    while more := {
        name
        for name, schema in schemas.items()
        if name not in found
        and any(inner in found and not _tells_game(schemas[inner]) for inner in set(refs(schema)))
    }:
        found |= more
    return found


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
        return ref(named(game, mark) if mark in OF_A_GAME or mark in SHARED else mark)

    return typed


def _tells_game(schema: Schema) -> bool:
    """Return whether a Struct names its game, and has no other tag."""
    fields: Schemas = schema.get("properties", {})
    return fields.get("game", {}).get("type") == "string" and "type" not in fields


def _result(game: AnyGame) -> Any:
    """Return the type of a game's result; any object if its function does not name one."""
    kinds = get_args(get_type_hints(game.result).get("return", dict[str, Any] | None))
    return next((kind for kind in kinds if kind is not type(None)), dict[str, Any])
