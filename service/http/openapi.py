"""The OpenAPI document: Litestar's own, plus the commands of every game as typed schemas."""

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

from games import GAMES
from games.chance import Chance
from games.game import AnyGame
from games.match.commands import PlayerCommand
from games.match.events import MatchEvent
from games.playout import at_random, plies, seed_of
from replay.solve import Solved
from service.http.problem_json import ProblemBody
from service.http.transfer import JSON_LINES, PACKED
from service.http.web import static_files

REF = "#/components/schemas/{name}"
STATIC = "/schema/static"
EXAMPLE_PLIES = 60
"""Length of the playout that yields the examples of a game; most commands occur in it."""

DESCRIPTION = """\
Board games as append-only logs. Get a token (`POST /players`), create a match (`POST /matches`),
send commands, read your view. Every change of a match is a command. Every version that you see is
your own number, without gaps. Every refusal is `application/problem+json` with a stable `code`.
Send an `Idempotency-Key` with every command and keep it over your retries: the command then counts
once.
"""

REFUSALS = {
    "Problem": "Refused: `code` is the reason. `POST /matches/{match}/commands` lists the codes "
    "by status.",
    "Problem400": "`malformed`, `bad-name`: not valid for this call.",
    "Problem401": "`unauthenticated`: no token, or not a token of this service.",
    "Problem403": "`not-a-seat`, `forbidden`, `not-agreed`: not allowed for you, or not yet.",
    "Problem404": "`not-found`: does not exist, or is hidden from this caller.",
    "Problem408": "`too-slow`: the body did not arrive in time.",
    "Problem409": "`id-reused`: this Idempotency-Key was used for another command.",
    "Problem412": "`stale-version`: the match is past the version in `If-Match`.",
    "Problem413": "`too-large`: the body exceeds the limit.",
    "Problem422": "The rules refuse the command; the rules of the game list the codes.",
    "Problem429": "`rate-limited`, `too-many-streams`, `too-many-jobs`: retry after `Retry-After`.",
    "Problem503": "`log-unavailable`, `work-unavailable`, `queue-full`: retry with the same key.",
}

RESULTS = {"hint": "Hint", "analysis": "Analysis", "solve": "Solved", "audit": "Report"}
"""Schema of the result, by kind of job."""

TAGS = {
    "games": "Games and their rules.",
    "players": "Guests, names, tokens, histories.",
    "matches": "Create, play, watch.",
    "talk": "Messages, as the game allows.",
    "travel": "Earlier versions, diffs, audits, analyses, branches.",
    "transfer": "Export and upload of logs.",
    "operations": "Health, metrics and keys, for operators.",
}


class TypedJson(JsonRenderPlugin):
    """The document as JSON, with the commands of the games."""

    def render(
        self,
        request: Request[Any, Any, Any],  # noqa: ARG002 - an override
        openapi_schema: dict[str, Any],
    ) -> bytes:
        """Return the document."""
        return msgspec.json.encode(complete(openapi_schema))


class ApiPage(SwaggerRenderPlugin):
    """The page for app developers; this service serves all of it."""

    def __init__(self) -> None:
        """Use our own copies of the scripts."""
        super().__init__(
            js_url=f"{STATIC}/swagger-ui-bundle.js",
            css_url=f"{STATIC}/swagger-ui.css",
            standalone_preset_js_url=f"{STATIC}/swagger-ui-standalone-preset.js",
            path="/",
            favicon="",
        )

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the page."""
        return super().render(request, complete(openapi_schema))


def openapi_config() -> OpenAPIConfig:
    """Return the configuration of the document and its pages."""
    return OpenAPIConfig(
        title="Shiplog",
        version="1",
        description=DESCRIPTION,
        path="/schema",
        tags=[Tag(name=name, description=text) for name, text in TAGS.items()],
        render_plugins=[ApiPage(), TypedJson(path="/openapi.json")],
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
    """Serve the scripts of the page, from the installed package that contains them."""
    package = find_spec("swagger_ui")
    assert package is not None, "swagger-ui-py is a dependency"
    assert package.origin is not None, "it is an ordinary package"
    folder = Path(package.origin).parent / "static"
    return static_files(STATIC, folder, "scripts")


def complete(document: dict[str, Any]) -> dict[str, Any]:
    """Return Litestar's document with the schemas of the games and the refusals added."""
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
    """Return the schema of a type that is in no signature, such as results of jobs and problems."""
    _, found = msgspec.json.schema_components((kind,), ref_template=REF)
    return found[kind.__name__]


def _with_results(job: dict[str, Any]) -> dict[str, Any]:
    """Describe the results of jobs by kind, which pass through the queues as plain values."""
    result = {
        "description": "Null until the job has finished. Then, by `kind`: "
        + ", ".join(f"`{kind}` a `{name}`" for kind, name in RESULTS.items()),
        "anyOf": [
            *({"$ref": REF.format(name=name)} for name in RESULTS.values()),
            {"type": "null"},
        ],
    }
    return {**job, "properties": {**job["properties"], "result": result}}


def _with_refusals(operation: dict[str, Any]) -> dict[str, Any]:
    """Replace the framework's own 400 by the refusals of this service."""
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
    """Return the types that calls pass on as plain values: commands, events and views."""
    schemas = _prefixed("MatchCommand", "match", PlayerCommand)
    schemas |= _prefixed("MatchEvent", "match", MatchEvent)
    for game in GAMES.values():
        schemas |= _prefixed(_name(game, "Command"), game.slug, game.Command)
        schemas |= _prefixed(_name(game, "Event"), game.slug, game.Event)
        schemas |= _prefixed(_name(game, "View"), game.slug, game.View)
    return schemas


def _prefixed(name: str, prefix: str, kind: Any) -> dict[str, Any]:
    """Return the schemas of a type with prefixed names, since games may use the same names."""
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


def _name(game: AnyGame, kind: str) -> str:
    return re.sub(r"(?:^|_)(.)", lambda found: found[1].upper(), game.slug) + kind
