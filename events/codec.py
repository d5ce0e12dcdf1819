"""Encode and decode records.

A record is encoded once. The same bytes are stored, hashed, exported and audited.
"""

from functools import cache
from typing import Any, Union

import msgspec

from events.record import AnyRecord, Record, Record1
from events.upcast import upcast
from games.game import AnyGame
from games.match.commands import MatchCommand, OpeningCommand
from games.match.events import MatchCreated, MatchEvent
from games.match.seating import FORMAT

RECORD_BYTES_MAX = 256 * 1024
"""Maximum size of a record (bytes). No legal command comes near it."""

MALFORMED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""Everything that decoding may raise for malformed or deeply nested input."""

ENCODER = msgspec.json.Encoder()
SHAPES: dict[int, Any] = {1: Record1, 2: Record}
"""The Struct of a record, by record format."""

Header = Record[OpeningCommand, MatchCreated] | Record1[OpeningCommand, MatchCreated]
HEADERS: dict[int, msgspec.json.Decoder[Header]] = {
    record_format: msgspec.json.Decoder(shape[OpeningCommand, MatchCreated])
    for record_format, shape in SHAPES.items()
}


class Unreadable(Exception):
    """The bytes are not a record of this game, in any shape that its records have had."""


class Newer(Unreadable):
    """The header has a format that only a later release can read."""


class Format(msgspec.Struct, frozen=True):
    """The part of a header that has the same shape in every format."""

    format: int


class FormatRecord(msgspec.Struct, frozen=True):
    """Record 1, decoded only for the format of its header."""

    events: tuple[Format]


FORMAT_RECORD = msgspec.json.Decoder(FormatRecord)


def seal(record: AnyRecord) -> bytes:
    """Encode a record as the bytes to store."""
    data = ENCODER.encode(record)
    assert len(data) <= RECORD_BYTES_MAX, "a record beyond any legal command"
    return data


@cache
def decoder(game: AnyGame, record_format: int = FORMAT) -> msgspec.json.Decoder[AnyRecord]:
    """Return the decoder of a game's records, which is strict about types and fields."""
    commands: Any = Union[MatchCommand, game.Command]  # noqa: UP007 - a value
    events: Any = Union[MatchEvent, game.Event]  # noqa: UP007
    return msgspec.json.Decoder(SHAPES[record_format][commands, events])


def unseal_header(data: bytes) -> Header:
    """Decode record 1. Raises `Unreadable`, `Newer`."""
    found = _format(data)
    if found > FORMAT:
        supported = f"(this release reads formats up to {FORMAT})"
        raise Newer(f"unsupported record format {found} {supported}")
    try:
        return HEADERS[found].decode(data)
    except (*MALFORMED, KeyError) as error:
        raise Unreadable(f"not a valid header: {error}") from error


def _format(data: bytes) -> int:
    try:
        return FORMAT_RECORD.decode(data).events[0].format
    except MALFORMED as error:
        raise Unreadable(f"not a valid header: {error}") from error


def unseal(game: AnyGame, header: MatchCreated, data: bytes) -> AnyRecord:
    """Decode a record of a match, upcasting it if an earlier rules version wrote it.

    Raises `Unreadable`. No field is ever dropped.
    """
    decode = decoder(game, header.format)
    try:
        if header.rules == game.version:
            return decode.decode(data)
        plain = upcast(game.slug, header.rules, msgspec.json.decode(data))
        return msgspec.convert(plain, decode.type)
    except MALFORMED as error:
        raise Unreadable(str(error)) from error
