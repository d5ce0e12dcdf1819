"""The OpenAPI document: Litestar's own, with every game's commands as typed, discriminated schemas and examples."""

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

import msgspec
from litestar import Request, Router
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin, SwaggerRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Tag
from litestar.static_files import create_static_files_router

from games import GAMES
from games.chance import Chance
from games.game import AnyGame
from games.match.commands import PlayerCommand
from games.match.events import MatchEvent
from games.playout import at_random, plies, seed_of
from replay.solve import Solved
from service.http.problem_json import ProblemBody
from service.http.transfer import JSON_LINES, PACKED

REF = "#/components/schemas/{name}"
STATIC = "/schema/static"
EXAMPLE_PLIES = 60
"""Of one playout per game: most commands come up in it."""

DESCRIPTION = """\
Board games as append-only logs. Come in (`POST /players`), open a match (`POST /matches`), send commands, read your
view. Every change of a match is a command; every number you meet is your own, without gaps; every refusal is
`application/problem+json` with a stable `code`. Send an `Idempotency-Key` with every command and keep it over your
retries: the command then counts once.
"""

REFUSALS = {
    "Problem": "Refused: `code` says why; the answers of `POST /matches/{match}/commands` list the codes by status.",
    "Problem400": "`malformed`: not what this call takes.",
    "Problem401": "`unauthenticated`: no token, or none of this service.",
    "Problem403": "`not-a-seat`, `forbidden`, `not-agreed`: not for this caller, or not yet.",
    "Problem404": "`not-found`: not there, or not for this caller to know of.",
    "Problem409": "`id-reused`: this Idempotency-Key came with another command.",
    "Problem412": "`stale-version`: the match has gone on since `If-Match`.",
    "Problem413": "`too-large`: a body beyond the limit.",
    "Problem422": "The rules refuse it; `code` says which one, as the game's rules list them.",
    "Problem429": "`rate-limited`, `too-many-streams`, `too-many-jobs`: come again after `Retry-After` seconds.",
    "Problem503": "`log-unavailable`, `work-unavailable`, `queue-full`: try again with the same key.",
}

RESULTS = {"hint": "Hint", "analysis": "Analysis", "solve": "Solved", "audit": "Report"}
"""By kind of job, the schema of its result."""

TAGS = {
    "games": "What can be played.",
    "players": "Guests, names, tokens, histories.",
    "matches": "Opening, playing, watching.",
    "talk": "Chat, as the game allows.",
    "travel": "Earlier versions, differences, audits, analyses, what-ifs.",
    "transfer": "Logs out and in.",
    "operations": "For those who run it.",
}


class TypedJson(JsonRenderPlugin):
    """The document as JSON, with the games' commands in it."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:  # noqa: ARG002 - overridden
        """Write the document."""
        return msgspec.json.encode(complete(openapi_schema))


class Page(SwaggerRenderPlugin):
    """The page that app developers read; all of it is served from here."""

    def __init__(self) -> None:
        """Point at our own copies of the scripts."""
        super().__init__(
            js_url=f"{STATIC}/swagger-ui-bundle.js",
            css_url=f"{STATIC}/swagger-ui.css",
            standalone_preset_js_url=f"{STATIC}/swagger-ui-standalone-preset.js",
            path="/",
            favicon="",
        )

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Write the page."""
        return super().render(request, complete(openapi_schema))


def openapi_config() -> OpenAPIConfig:
    """Describe the document and its pages."""
    return OpenAPIConfig(
        title="Shiplog",
        version="1",
        description=DESCRIPTION,
        path="/schema",
        tags=[Tag(name=name, description=text) for name, text in TAGS.items()],
        render_plugins=[Page(), TypedJson(path="/openapi.json")],
        components=Components(
            security_schemes={
                "token": SecurityScheme(
                    type="http", scheme="bearer", description="From `POST /players`."
                )
            }
        ),
        security=[{"token": []}],
        use_handler_docstrings=True,
    )


def scripts() -> Router:
    """Serve the page's scripts, from the installed package that carries them."""
    package = find_spec("swagger_ui")
    assert package is not None, "locked with the other dependencies"
    assert package.origin is not None, "an ordinary package"
    folder = Path(package.origin).parent / "static"
    return create_static_files_router(STATIC, [folder], include_in_schema=False, name="scripts")


def complete(document: dict[str, Any]) -> dict[str, Any]:
    """Put the games' schemas and the refusals into Litestar's document, which stays as it is."""
    components = document["components"]
    schemas = {
        **components["schemas"],
        **_game_schemas(),
        "Problem": _named(ProblemBody),
        "Solved": _named(Solved),
        "Job": _with_results(components["schemas"]["Job"]),
    }
    paths = {
        path: {method: _with_refusals(operation) for method, operation in item.items()}
        for path, item in document["paths"].items()
    }
    send = paths["/matches/{match}/commands"]["post"]
    send["requestBody"] = {"required": True, "content": {"application/json": _command_body()}}
    export = paths["/matches/{match}/export"]["get"]["responses"]
    export["200"]["content"] = {
        kind: {"schema": {"type": "string"}} for kind in (JSON_LINES, PACKED)
    }
    responses = {name: _refusal(text) for name, text in REFUSALS.items()}
    return {
        **document,
        "components": {**components, "schemas": schemas, "responses": responses},
        "paths": paths,
    }


def _named(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Give the schema of a type that no call's signature has: what jobs and problems are made of."""
    _, found = msgspec.json.schema_components((kind,), ref_template=REF)
    return found[kind.__name__]


def _with_results(job: dict[str, Any]) -> dict[str, Any]:
    """Say what comes of the jobs of each kind: it passes through the queues as plain values."""
    result = {
        "description": "Null until it is finished. Then, by `kind`: "
        + ", ".join(f"`{kind}` a `{name}`" for kind, name in RESULTS.items()),
        "anyOf": [
            *({"$ref": REF.format(name=name)} for name in RESULTS.values()),
            {"type": "null"},
        ],
    }
    return {**job, "properties": {**job["properties"], "result": result}}


def _with_refusals(operation: dict[str, Any]) -> dict[str, Any]:
    """Replace the framework's own idea of a 400 by what is really answered."""
    responses = {
        status: answer for status, answer in operation["responses"].items() if status != "400"
    }
    refusals = {name: {"$ref": f"#/components/responses/{name}"} for name in REFUSALS}
    default = refusals.pop("Problem")
    if operation["operationId"] == "sendCommand":
        return {**operation, "responses": responses | {n[7:]: r for n, r in refusals.items()}}
    return {**operation, "responses": {**responses, "default": default}}


def _refusal(text: str) -> dict[str, Any]:
    content = {"application/problem+json": {"schema": {"$ref": REF.format(name="Problem")}}}
    return {"description": text, "content": content}


def _command_body() -> dict[str, Any]:
    names = ["MatchCommand", *(_name(game, "Command") for game in GAMES.values())]
    examples = {"take_seat": {"value": {"type": "take_seat", "seat": 0, "entropy": "f00d"}}}
    for game in GAMES.values():
        for kind, command in _examples(game).items():
            examples[f"{game.slug}.{kind}"] = {"value": command}
    return {
        "schema": {"anyOf": [{"$ref": REF.format(name=name)} for name in names]},
        "examples": examples,
    }


@cache
def _game_schemas() -> dict[str, Any]:
    """Give the types that pass through the calls as bare values: commands, events and views."""
    schemas = _prefixed("MatchCommand", "match", PlayerCommand)
    schemas |= _prefixed("MatchEvent", "match", MatchEvent)
    for game in GAMES.values():
        schemas |= _prefixed(_name(game, "Command"), game.slug, game.Command)
        schemas |= _prefixed(_name(game, "Event"), game.slug, game.Event)
        schemas |= _prefixed(_name(game, "View"), game.slug, game.View)
    return schemas


def _prefixed(name: str, prefix: str, kind: Any) -> dict[str, Any]:
    """Give the schemas of a type or a tagged union under prefixed names: games may use the same words."""
    (top,), components = msgspec.json.schema_components((kind,), ref_template=REF)
    text = msgspec.json.encode({name: _discriminated(top), **components}).decode()
    for own in components:
        text = text.replace(f'"{REF.format(name=own)}"', f'"{REF.format(name=f"{prefix}.{own}")}"')
    renamed = msgspec.json.decode(text)
    return {key if key == name else f"{prefix}.{key}": value for key, value in renamed.items()}


def _discriminated(top: dict[str, Any]) -> dict[str, Any]:
    return {"oneOf" if key == "anyOf" else key: value for key, value in top.items()}


@cache
def _examples(game: AnyGame) -> dict[str, Any]:
    """Give one command of each kind that a playout meets."""
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


def _name(game: AnyGame, kind: str) -> str:
    return re.sub(r"(?:^|_)(.)", lambda found: found[1].upper(), game.slug) + kind
