"""Decodes the JSON that clients send, strictly: the text `"2"` is not a number."""

from math import isfinite
from typing import Any, TypeVar

import msgspec

from service.base.input_errors import InputError, input_error
from service.base.problems import invalid

T = TypeVar("T")
UNDECODABLE = (msgspec.DecodeError, RecursionError, UnicodeDecodeError)
"""What msgspec raises for a body that is not JSON, is nested too deeply, or is not UTF-8."""


def _number(text: str) -> int | float:
    """Read `2.0` as an integer, as JSON Schema does (2020-12 Validation, section 6.1.1)."""
    value = float(text)
    if not isfinite(value):
        raise msgspec.DecodeError("Number out of range")
    return int(value) if value.is_integer() else value


PLAIN = msgspec.json.Decoder(float_hook=_number)


def plain(body: bytes | msgspec.Raw, within: str = "") -> Any:
    """Decode JSON of any type; raises `Problem` 400. `within` points to the value in the body."""
    if not body:
        raise invalid(InputError("Expected a body in JSON, got none", pointer=within))
    try:
        return PLAIN.decode(body)
    except UNDECODABLE as error:
        raise invalid(InputError(str(error), pointer=within)) from None


def decode(decoder: msgspec.json.Decoder[T], body: bytes | msgspec.Raw, within: str = "") -> T:
    """Decode JSON of the decoder's type; raises `Problem` 400 with the place of the error.

    msgspec takes `2.0` for no integer. So what it refuses is decoded again with `2` in its place.
    """
    try:
        return decoder.decode(body)
    except UNDECODABLE:
        value = plain(body, within)
    try:
        return decoder.decode(msgspec.json.encode(value))
    except UNDECODABLE as error:
        raise invalid(input_error(str(error), decoder.type, value, within)) from None
