"""The AsyncAPI document of the WebSocket `/play`, made of the types of its frames."""

from collections.abc import Sequence
from typing import Any, get_args

from litestar.handlers import HTTPRouteHandler

from events.release import RELEASE
from service.http import frames
from service.http.openapi.descriptions import summary
from service.http.openapi.document import schemas_of
from service.http.openapi.schemas import Schema, Schemas, finished, reached, ref

ADDRESS = "/play"
DESCRIPTION = """\
Commands of all of your matches, their records, and your notices over one connection. The first
frame is `authenticate`, unless the request has an `Authorization` header. Frames are answered in
their order; `re` of an answer is the `id` of the frame. Everything can also be done over HTTP
(`/schema`), with the same types, keys, versions, refusals and limits. Signed receipts come as
frames of their own: for a subscription every 5 seconds while records come and at its end, and for
a match without one after each `accepted`.

| code | meaning | connect again |
|---|---|---|
| 4001 | no token, or one that is not valid (any more) | with another token |
| 4008 | you did not read for 10 seconds | yes, and resume |
| 1009 | a frame was longer than `frame_bytes_max`, complete or not | yes |
| 1012 | the service restarts | yes, and resume |
| 1013 | too many connections or calls | later |
"""
ANSWERS = {
    "Authenticate": "Connected",
    "SendCommand": "CommandAccepted",
    "Subscribe": "Done",
    "Unsubscribe": "Done",
    "FollowNotices": "Done",
    "Ping": "Pong",
}
"""The answer to each frame, if the frame is not refused."""
TOLD = ("TellRecord", "TellReceipt", "MatchOver", "TellNotice", "StillHere")
"""What the service sends by itself."""


def document(calls: Sequence[HTTPRouteHandler]) -> dict[str, Any]:
    """Return the document; its types are those of the calls."""
    schemas = schemas_of(calls)
    sent = schemas["SendCommand"]["properties"]
    sent["command"] = {**ref("SentCommand"), "description": "The command."}
    kinds = {kind.__name__: kind for kind in get_args(frames.SentFrame | frames.ToldFrame)}
    messages = {name: _message(name, schemas[name]) for name in kinds}
    return {
        "asyncapi": "3.1.0",
        "info": {"title": "Shiplog", "version": RELEASE, "description": DESCRIPTION},
        "defaultContentType": "application/json",
        "channels": {
            "play": {
                "address": ADDRESS,
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
                "bindings": {"ws": {"method": "GET"}},
            }
        },
        "operations": {
            **{_operation(name): _receive(name, answer) for name, answer in ANSWERS.items()},
            "tell": {
                "action": "send",
                "summary": "What the service sends by itself.",
                "channel": {"$ref": "#/channels/play"},
                "messages": [_in_channel(name) for name in TOLD],
            },
        },
        "components": {
            "messages": messages,
            "schemas": {
                name: draft_7(finished(schema))
                for name, schema in reached([ref(name) for name in kinds], schemas).items()
            },
        },
    }


def draft_7(node: Any) -> Any:
    """Return a schema as AsyncAPI reads it: tuples as in draft 7, and a plain discriminator."""
    if isinstance(node, list):
        return [draft_7(part) for part in node]
    if not isinstance(node, dict):
        return node
    schema: Schema = {key: draft_7(part) for key, part in node.items()}
    if isinstance(tag := schema.get("discriminator"), dict) and "mapping" in tag:
        schema["discriminator"] = tag["propertyName"]
    if isinstance(schema.get("prefixItems"), list):
        schema["items"] = schema.pop("prefixItems")
        schema["additionalItems"] = False
    return schema


def _message(name: str, schema: Schema) -> Schema:
    message: Schema = {
        "name": schema["properties"]["type"]["const"],
        "title": name,
        "summary": summary(schema["description"]),
        "payload": ref(name),
    }
    for field in ("id", "re"):
        if field in schema["properties"]:
            message["correlationId"] = {"location": f"$message.payload#/{field}"}
    return message


def _receive(name: str, answer: str) -> Schemas:
    return {
        "action": "receive",
        "channel": {"$ref": "#/channels/play"},
        "messages": [_in_channel(name)],
        "reply": {
            "channel": {"$ref": "#/channels/play"},
            "messages": [_in_channel(answer), _in_channel("FrameRefused")],
        },
    }  # type: ignore[return-value] - nested


def _in_channel(name: str) -> dict[str, str]:
    return {"$ref": f"#/channels/play/messages/{name}"}


def _operation(name: str) -> str:
    return name[0].lower() + name[1:]
