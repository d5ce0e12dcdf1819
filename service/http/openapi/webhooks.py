"""The messages that the service posts to webhooks, as the `webhooks` of the document."""

from base64 import b64encode
from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from games.wire import Time
from projections.notices import (
    ClosedNotice,
    EndNotice,
    InvitationNotice,
    Notice,
    ProposalNotice,
    RematchNotice,
    SeekNotice,
    StartNotice,
    TalkNotice,
    TurnNotice,
)
from service.http.openapi.schemas import Schema, Schemas, ref, told_apart
from service.play.deliveries import ATTEMPTS, GONE, TEST
from service.play.player_record import Told
from service.play.webhooks import WebhookTest, body_of, sign

KEY = b"the key of the examples, 32 byte"
SECRET = f"whsec_{b64encode(KEY).decode()}"
SECONDS = 1_795_377_989
ID = "msg_5c2f9a0d41e7b6835f19"
MATCH = "m_485ebf21a61ded56d0799419"
LATER = "2026-11-23T06:20:00.000000Z"
SHOWN: tuple[Any, ...] = (
    TurnNotice(MATCH, "submarine", 1, 12, LATER),
    ProposalNotice(MATCH, "submarine", 1, 14, "undo", 0, LATER),
    StartNotice(MATCH, "submarine", 1),
    EndNotice(MATCH, "submarine", 1, "finished", (1,)),
    TalkNotice(MATCH, "submarine", 0, "table", "1795377989000-0"),
    InvitationNotice("i_7Qm0bH2uXc", MATCH, "submarine", "p_5feceb66ffc8"),
    ClosedNotice("i_7Qm0bH2uXc", MATCH, "submarine", "declined"),
    SeekNotice("s_Zk41vS9dQe", MATCH, "submarine"),
    RematchNotice(MATCH, "submarine", "p_5feceb66ffc8", "offered", None),
    WebhookTest("wh_3kzV0fQ1yT8xN2Lb"),
)
"""What the messages of the examples tell."""
KINDS: dict[str, type[msgspec.Struct]] = {
    tag: kind
    for kind in (*get_args(Notice), WebhookTest)
    if (tag := str(kind.__struct_config__.tag)) in (*get_args(Told), TEST)
}
"""What messages tell, by type."""
ANSWERS: Schemas = {
    "2XX": {"description": "The message has arrived, and is not sent again."},
    str(GONE): {"description": "Send nothing more: the webhook is disabled."},
    "default": {
        "description": "The message is tried again with growing pauses, "
        f"{ATTEMPTS} times in three days."
    },
}
HEADERS = {
    "webhook-id": "Id of the message, the same at every try: ignore an id that you have seen.",
    "webhook-timestamp": "When this try began: Unix time in seconds. Refuse old ones.",
    "webhook-signature": "HMAC-SHA256 of `id.timestamp.body` with the secret of the webhook, as "
    "Standard Webhooks has it: a list with spaces, of which one signature must be right.",
}
"""What the headers of a message mean."""


def schemas() -> Schemas:
    """Return the schemas of the messages."""
    made = {_name(kind): _schema(kind, told) for kind, told in KINDS.items()}
    union = told_apart("type", {kind: _name(kind) for kind in KINDS})
    return {**made, "Posted": {"description": "A message to a webhook.", **union}}


def webhooks() -> Schemas:
    """Return what the service posts, by type of the message."""
    shown = {notice.__struct_config__.tag: notice for notice in SHOWN}
    return {kind: {"post": _operation(kind, shown[kind])} for kind in KINDS}


def callbacks() -> Schemas:
    """Return what follows from making a webhook: messages to its URL."""
    operation: Schema = {
        "operationId": "onPosted",
        "summary": "A message to the webhook",
        "description": "`webhooks` of this document shows each type of message with an example.",
        "tags": ["webhooks"],
        "security": [],
        "parameters": [*_headers(_body(SHOWN[0]))],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": ref("Posted")}},
        },
        "responses": ANSWERS,
    }
    return {"message": {"{$request.body#/url}": {"post": operation}}}


def _operation(kind: str, notice: Any) -> Schema:
    body = _body(notice)
    told = KINDS[kind].__doc__ or ""
    return {
        "operationId": f"on{_name(kind)}",
        "summary": told.partition("\n")[0].removesuffix("."),
        "description": f"{told}\n\nThe example is signed with the secret `{SECRET}`, over the body "
        "in one line as it is sent: without spaces, its members in this order.",
        "tags": ["webhooks"],
        "security": [],
        "parameters": [*_headers(body)],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": ref(_name(kind)),
                    "examples": {"example": {"value": msgspec.json.decode(body)}},
                }
            },
        },
        "responses": ANSWERS,
    }


def _body(notice: Any) -> bytes:
    kind = str(notice.__struct_config__.tag)
    return body_of(kind, SECONDS * 1_000_000, msgspec.json.encode(notice))


def _headers(body: bytes) -> Iterator[Schema]:
    signature = sign(KEY, ID, SECONDS, body.decode())
    values = {"webhook-id": ID, "webhook-timestamp": str(SECONDS), "webhook-signature": signature}
    for name, value in values.items():
        yield {
            "name": name,
            "in": "header",
            "required": True,
            "description": HEADERS[name],
            "schema": {"type": "string"},
            "example": value,
        }


def _schema(kind: str, told: type[msgspec.Struct]) -> Schema:
    return {
        "title": _name(kind),
        "description": f"A message to a webhook. {told.__doc__}",
        "type": "object",
        "properties": {
            "type": {"type": "string", "const": kind, "description": f"Always `{kind}`."},
            "timestamp": {**msgspec.json.schema(Time), "description": "When it happened."},
            "data": {**ref(told.__name__), "description": "The notice, as in the player's stream."},
        },
        "required": ["type", "timestamp", "data"],
    }


def _name(kind: str) -> str:
    return "Posted" + "".join(word.capitalize() for word in kind.split("_"))
