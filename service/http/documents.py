"""The documents of the API, made without a running service."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from litestar import Litestar

from service.http.calls import CALLS
from service.http.openapi import asyncapi, pages
from service.http.openapi.document import complete
from service.http.parts import CALLER_PARTS, PARTS, PUBLIC_PARTS, dependencies, provided


def document() -> dict[str, Any]:
    """Return the OpenAPI document, without a running service."""
    parts = dependencies(
        dict.fromkeys(PUBLIC_PARTS),
        dict.fromkeys(CALLER_PARTS),
        dict.fromkeys((*PARTS, "registry")),
    )
    described = Litestar(
        route_handlers=provided(CALLS, parts),
        openapi_config=pages.openapi_config(),
        logging_config=None,
    )
    return complete(described.openapi_schema.to_schema(), CALLS)


def encoded_document() -> bytes:
    """Return the OpenAPI document in JSON."""
    return msgspec.json.encode(document())


def _encoded_asyncapi() -> bytes:
    return msgspec.json.encode(asyncapi.document(CALLS))


DOCUMENTS: Mapping[str, Callable[[], bytes]] = {
    pages.OPENAPI: encoded_document,
    pages.ASYNCAPI: _encoded_asyncapi,
}
"""What makes the documents of the API, by address."""
