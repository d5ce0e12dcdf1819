"""What the OpenAPI document says of an answer."""

import json
import re
from functools import cache
from typing import Any

import httpx

from service.http.documents import document

RULES = "rules"
"""Stands for every code: the document leaves those of the rules open."""


def codes_of(made: dict[str, Any], answer: dict[str, Any]) -> set[str]:
    """Give the codes that a documented answer may have."""
    schemas = made["components"]["schemas"]
    schema = answer["content"]["application/problem+json"]["schema"]
    names = [part["$ref"].rpartition("/")[2] for part in schema.get("oneOf", [schema])]
    if names == ["Problem"]:
        return {RULES}
    return {schemas[name]["properties"]["code"]["const"] for name in names}


@cache
def _made() -> dict[str, Any]:
    return json.loads(json.dumps(document()))


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    paths = sorted(_made()["paths"], key=lambda path: "{" in path)
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path) for path in paths]


def check_refusal(response: httpx.Response) -> None:
    """Fail if a call refused with a status or a code that the document does not name for it."""
    if response.headers.get("content-type") != "application/problem+json":
        return
    path = next((path for form, path in _patterns() if form.fullmatch(response.url.path)), None)
    item = {} if path is None else _made()["paths"][path]
    operation = item.get(response.request.method.lower())
    if operation is None:
        return
    response.read()
    body = response.json()
    answer = operation["responses"].get(str(response.status_code))
    assert answer is not None, (operation["operationId"], body)
    assert codes_of(_made(), answer) & {RULES, body["code"]}, (operation["operationId"], body)
