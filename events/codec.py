"""Encode and decode records.

A record is encoded once. The same bytes are stored, hashed, exported and audited.
"""

from functools import cache
from hashlib import sha256
from typing import Any, Union

import msgspec

from events.record import AnyRecord, Record
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
HEADER = msgspec.json.Decoder(Record[OpeningCommand, MatchCreated])


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


def digest(data: bytes) -> str:
    """Return the hash of a record's bytes: the `prev` of the next record, and a receipt."""
    return sha256(data).hexdigest()


@cache
def decoder(game: AnyGame) -> msgspec.json.Decoder[AnyRecord]:
    """Return the decoder of a game's records, which is strict about types and fields."""
    commands: Any = Union[MatchCommand, game.Command]  # noqa: UP007 - a value
    events: Any = Union[MatchEvent, game.Event]  # noqa: UP007
    return msgspec.json.Decoder(Record[commands, events])


def unseal_header(data: bytes) -> Record[OpeningCommand, MatchCreated]:
    """Decode record 1. Raises `Unreadable`, `Newer`."""
    try:
        return HEADER.decode(data)
    except MALFORMED as error:
        if (found := _format(data)) > FORMAT:
            supported = f"(this release reads format {FORMAT})"
            raise Newer(f"unsupported record format {found} {supported}") from error
        raise Unreadable(f"not a valid header: {error}") from error


def _format(data: bytes) -> int:
    try:
        return FORMAT_RECORD.decode(data).events[0].format
    except MALFORMED:
        return 0


def unseal(game: AnyGame, rules: int, data: bytes) -> AnyRecord:
    """Decode a record that was written under a rules version, upcasting it if necessary.

    Raises `Unreadable`. No field is ever dropped.
    """
    try:
        if rules == game.version:
            return decoder(game).decode(data)
        return msgspec.convert(
            upcast(game.slug, rules, msgspec.json.decode(data)), decoder(game).type
        )
    except MALFORMED as error:
        raise Unreadable(str(error)) from error
