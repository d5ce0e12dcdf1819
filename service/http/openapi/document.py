"""The document: Litestar's paths, the types behind them, and what each call refuses."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from litestar import Response
from litestar.handlers import HTTPRouteHandler
from litestar.response import ServerSentEvent

from events.receipts import Receipt
from games import GAMES
from games.match.commands import Clock, PlayerCommand
from games.match.ending import EndedByLeaving
from games.search import Hint
from projections.folded import ToldRecord
from projections.notices import Notice, StandingNotice
from projections.told import ToldMatchCommand, ToldMatchEvent
from replay.analysis import Analysis
from replay.report import Report
from replay.solve import Solved
from service.http.analysis import SVG, XML
from service.http.callers import scope_of
from service.http.frames import SentFrame, ToldFrame
from service.http.openapi import refusals, webhooks
from service.http.openapi.descriptions import summary, word
from service.http.openapi.games import by_game, examples, game_schemas, unions
from service.http.openapi.schemas import (
    Schema,
    Schemas,
    answered,
    components,
    finished,
    named,
    reached,
    ref,
    told_apart,
)
from service.http.problem_json import ProblemBody
from service.http.transfer import BYTES, JSON_LINES, PACKED
from service.play.webhooks import WebhookTest

UNIONS = {
    "MatchCommand": PlayerCommand,
    "RecordedMatchCommand": ToldMatchCommand,
    "MatchEvent": ToldMatchEvent,
    "Clock": Clock,
    "Notice": Notice,
    "StandingNotice": StandingNotice,
}
"""Unions of Structs that are components of their own."""
PASSED_ON = {
    "SentFrame": SentFrame,
    "ToldFrame": ToldFrame,
    "Problem": ProblemBody,
    "ToldRecord": ToldRecord,
    "Receipt": Receipt,
    "EndedByLeaving": EndedByLeaving,
    "Hint": Hint,
    "Analysis": Analysis,
    "Solved": Solved,
    "Report": Report,
    "WebhookTest": WebhookTest,
}
"""Types that are in no signature: they pass through queues or are encoded earlier."""
RESULTS = {"hint": "Hint", "analysis": "Analysis", "solve": "Solved", "audit": "Report"}
"""Schema of the result, by kind of job."""

NOTICED: Schema = {
    "title": "StreamedNotice",
    "description": "One event of a player's stream, in the fields of server-sent events.",
    "type": "object",
    "properties": {
        "event": {"type": "string", "description": "`type` of the notice."},
        "id": {"type": "string", "description": "Place in the player's notices."},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": ref("Notice"),
            "description": "The notice.",
        },
    },
    "required": ["event", "id", "data"],
}
SHOWN: Schema = {
    "title": "StreamedShowing",
    "description": "One event of a showing's stream, in the fields of server-sent events.",
    "type": "object",
    "properties": {
        "event": {"type": "string", "const": "showing", "description": "Always `showing`."},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": ref("Showing"),
            "description": "The showing.",
        },
    },
    "required": ["event", "data"],
}
STREAMED: Schema = {
    "title": "StreamedEvent",
    "description": "One event of a stream, in the fields of server-sent events.",
    "type": "object",
    "properties": {
        "event": {
            "type": "string",
            "enum": ["record", "receipt", "end"],
            "description": "`end`: the match is over, and nothing follows.",
        },
        "id": {"type": "integer", "description": "The viewer's version; only records have one."},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"anyOf": [ref("ToldRecord"), ref("Receipt")]},
            "description": "A record as in `/events`, or a signed receipt for the last one sent; "
            "at the end, an empty object.",
        },
    },
    "required": ["event", "data"],
}
EXAMPLES = Path(__file__).with_name("examples.json")
"""Real answers: `python -m tests.record_examples` records them."""
PLAIN: Schemas = {
    "StreamedEvent": STREAMED,
    "StreamedNotice": NOTICED,
    "StreamedShowing": SHOWN,
    "JsonSchema": {
        "title": "JsonSchema",
        "description": "A JSON schema (2020-12).",
        "type": "object",
        "additionalProperties": True,
    },
    "PatchOperation": {
        "title": "PatchOperation",
        "description": "An operation of a JSON Patch (RFC 6902).",
        "type": "object",
        "properties": {
            "op": {
                "type": "string",
                "enum": ["add", "remove", "replace", "move", "copy", "test"],
                "description": "Kind of the operation.",
            },
            "path": {"type": "string", "description": "JSON Pointer to what is changed."},
            "from": {"type": "string", "description": "JSON Pointer to the source."},
            "value": {"description": "The new value: any JSON."},
        },
        "required": ["op", "path"],
    },
}
"""Schemas of values that have no Struct."""
HEADERS: Schemas = {
    "X-Request-ID": {
        "description": "Id of the request. Quote it when you ask for help.",
        "required": True,
        "schema": {"type": "string"},
    },
    "RateLimit-Policy": {
        "description": "The limits of the caller: `q` calls in `w` seconds each. A list of "
        "structured fields (RFC 9651), as in the IETF draft on RateLimit header fields.",
        "required": True,
        "schema": {"type": "string"},
        "example": '"calls-1s";q=100;w=1, "calls-60s";q=3000;w=60',
    },
    "RateLimit": {
        "description": "What is left of each limit: `r` calls, until more follow in `t` seconds.",
        "required": True,
        "schema": {"type": "string"},
        "example": '"calls-1s";r=99;t=1, "calls-60s";r=2875;t=31',
    },
}
"""Headers of every answer."""


DEPRECATED: Schemas = {
    "Deprecation": {
        "description": "When the call was deprecated (RFC 9745).",
        "schema": {"type": "string"},
    },
    "Sunset": {
        "description": "From when the call may be gone (RFC 8594).",
        "schema": {"type": "string"},
    },
    "Link": {
        "description": "The call to use instead: `successor-version`.",
        "schema": {"type": "string"},
    },
}
"""Headers of a deprecated call."""
COMMON: Schemas = {name: {"$ref": f"#/components/headers/{name}"} for name in HEADERS}


def complete(document: dict[str, Any], calls: Sequence[HTTPRouteHandler]) -> dict[str, Any]:
    """Return Litestar's document with the types of the games, descriptions and refusals."""
    handlers = {handler.operation_id: handler for handler in calls}
    schemas = schemas_of(calls)
    paths = {
        path: {
            method: _operation(operation, handlers[operation["operationId"]], schemas)
            for method, operation in item.items()
        }
        for path, item in document["paths"].items()
    }
    send = paths["/matches/{match}/commands"]["post"]
    send["requestBody"] = {"required": True, "content": {"application/json": _command_body()}}
    paths["/players/me/webhooks"]["post"]["callbacks"] = webhooks.callbacks()
    paths["/replays"]["post"]["requestBody"] = {
        "required": True,
        "description": "An exported log.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
    for path, kinds in (
        ("/players/me/export", (JSON_LINES, BYTES)),
        ("/matches/{match}/export", (JSON_LINES, PACKED, BYTES)),
    ):
        paths[path]["get"]["responses"]["200"]["content"] = {
            kind: {"schema": {"type": "string", "format": "binary"}} for kind in kinds
        }
    drawn = paths["/matches/{match}/analysis.svg"]["get"]["responses"]["200"]["content"]
    drawn[XML] = drawn[SVG]
    _exemplify(paths)
    bodies = [
        operation["requestBody"]
        for item in paths.values()
        for operation in item.values()
        if "requestBody" in operation
    ]
    sent = reached(bodies, schemas)
    posted = webhooks.webhooks()
    return {
        **document,
        "components": {
            **document["components"],
            "headers": HEADERS,
            "schemas": {
                name: finished(schema if name in sent else answered(schema))
                for name, schema in reached([paths, posted], schemas).items()
            },
        },
        "paths": paths,
        "webhooks": posted,
    }


def _exemplify(paths: dict[str, Any]) -> None:
    """Add real requests and answers to the operations."""
    recorded: dict[str, Any] = msgspec.json.decode(EXAMPLES.read_bytes())
    for item in paths.values():
        for operation in item.values():
            for part, values in recorded.get(operation["operationId"], {}).items():
                body = operation["requestBody"] if part == "request" else None
                shown = body or operation["responses"][part]
                for content in shown["content"].values():
                    content.setdefault("examples", {}).update(
                        (name, {"value": value}) for name, value in values.items()
                    )


def schemas_of(calls: Sequence[HTTPRouteHandler]) -> Schemas:
    """Return all components, used or not."""
    kinds = UNIONS | PASSED_ON | {kind.__name__: kind for kind in _kinds(calls)}
    schemas = by_game(components(kinds)) | game_schemas()
    schemas |= unions(schemas)
    tops = {name: schemas[name] for name in UNIONS}
    schemas = {
        name: schema if name in tops else named(schema, tops) for name, schema in schemas.items()
    }
    problem = {**schemas["Problem"], "additionalProperties": True}
    return {
        **schemas,
        **_jobs(schemas["Job"]),
        "Problem": problem,
        **refusals.problems(problem),
        **PLAIN,
        **webhooks.schemas(),
        "SentCommand": {
            "description": "A command of the match, or of its game.",
            "anyOf": [ref("MatchCommand"), *schemas["GameCommand"]["anyOf"]],
        },
    }


def _kinds(calls: Iterable[HTTPRouteHandler]) -> set[type[msgspec.Struct]]:
    """Return the Structs in the signatures of handlers."""
    found: set[type[msgspec.Struct]] = set()
    for handler in calls:
        hints = get_type_hints(handler.fn, include_extras=True)
        todo = [hints["return"], hints.get("data")]
        while todo:
            kind = todo.pop()
            todo += get_args(kind)
            if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
                found.add(kind)
    return found


def _jobs(job: Schema) -> Schemas:
    """Return the jobs of each kind. Their results pass through the queues as plain values."""
    made: Schemas = {}
    for kind, name in RESULTS.items():
        own = {
            "kind": {"type": "string", "const": kind, "description": f"Always `{kind}`."},
            "result": {
                "description": job["properties"]["result"]["description"],
                "oneOf": [ref(name), {"type": "null"}],
            },
        }
        title = f"{kind.capitalize()}Job"
        made[title] = {**job, "title": title, "properties": job["properties"] | own}
    union = told_apart("kind", {kind: f"{kind.capitalize()}Job" for kind in RESULTS})
    return made | {"Job": {"description": job["description"], **union}}


def _operation(
    operation: dict[str, Any], handler: HTTPRouteHandler, schemas: Schemas
) -> dict[str, Any]:
    parameters = [_parameter(parameter) for parameter in operation.get("parameters", ())]
    refused = refusals.by_status(refusals.codes(handler))
    answers = {
        status: _answer(answer, handler, schemas)
        for status, answer in operation["responses"].items()
        if status != "400"
    }
    if "304" in answers:
        answers["304"]["headers"] = answers["200"]["headers"]
    responses = {
        status: {**answer, "headers": _typed(answer.get("headers", {})) | COMMON}
        for status, answer in (refused | answers).items()
    }
    made = {**operation, "summary": summary(operation["description"]), "responses": responses}
    if parameters:
        made["parameters"] = parameters
    if "deprecation" in handler.opt:
        made["deprecated"] = True
        for answer in responses.values():
            answer["headers"] |= DEPRECATED
    if "caller" not in handler.parsed_fn_signature.parameters:
        made["security"] = []
    else:
        made["security"] = [{"token": [scope_of(handler)]}]
    return made


def _parameter(parameter: Schema) -> Schema:
    """Describe a parameter. It may be absent, but it is never null."""
    schema: Schema = {
        key: part
        for key, part in parameter["schema"].items()
        if key not in ("oneOf", "description")
    }
    for part in parameter["schema"].get("oneOf", ()):
        if part != {"type": "null"}:
            schema = part | schema
    description = parameter.get("description") or word(parameter["name"])
    return {**parameter, "schema": schema, "description": description}


def _answer(answer: dict[str, Any], handler: HTTPRouteHandler, schemas: Schemas) -> dict[str, Any]:
    made = dict(answer)
    kind = get_type_hints(handler.fn)["return"]
    if kind is ServerSentEvent:
        event = handler.opt.get("event", "StreamedEvent")
        made["content"] = {"text/event-stream": {"schema": ref(event)}}
    elif get_origin(kind) is not Response and handler.response_description is None:
        for content in answer.get("content", {}).values():
            if "$ref" in content.get("schema", {}):
                shown = schemas[content["schema"]["$ref"].rpartition("/")[2]]
                made["description"] = shown["description"].partition("\n")[0]
    return made


def _typed(headers: Schemas) -> Schemas:
    """Return headers with a schema, by name.

    Litestar leaves the schema of a documented header empty, and keeps headers in a set, whose order
    differs between processes.
    """
    return {name: {"schema": {"type": "string"}} | headers[name] for name in sorted(headers)}


def _command_body() -> dict[str, Any]:
    shown = {"take_seat": {"value": {"type": "take_seat", "seat": 0, "entropy": "f00d"}}}
    for game in GAMES.values():
        for kind, command in examples(game).items():
            shown[f"{game.slug}.{kind}"] = {"value": command}
    return {"schema": ref("SentCommand"), "examples": shown}
