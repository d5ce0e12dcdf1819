"""Records to bytes and back. A record is encoded once: these bytes are stored, hashed, exported and audited."""

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
"""No legal command comes near; beyond it something is wrong."""

MALFORMED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding raises for bytes that are not what was expected, however broken or nested."""

ENCODER = msgspec.json.Encoder()
HEADER = msgspec.json.Decoder(Record[OpeningCommand, MatchCreated])


class Unreadable(Exception):
    """Bytes that are no record of this game in any shape it ever had."""


class Newer(Unreadable):
    """A header in a format that a later release writes."""


class Format(msgspec.Struct, frozen=True):
    """What every format's header says of itself."""

    format: int


class Opening(msgspec.Struct, frozen=True):
    """Record 1, as far as its format."""

    events: tuple[Format]


OPENING = msgspec.json.Decoder(Opening)


def seal(record: AnyRecord) -> bytes:
    """Encode a record."""
    data = ENCODER.encode(record)
    assert len(data) <= RECORD_BYTES_MAX, "a record beyond any legal command"
    return data


def digest(data: bytes) -> str:
    """Give the hash of a record's bytes: the next record's `prev`, and a receipt."""
    return sha256(data).hexdigest()


@cache
def decoder(game: AnyGame) -> msgspec.json.Decoder[AnyRecord]:
    """Give the decoder of a game's records, strict about types and fields."""
    commands: Any = Union[MatchCommand, game.Command]  # noqa: UP007 - a value, not an annotation
    events: Any = Union[MatchEvent, game.Event]  # noqa: UP007
    return msgspec.json.Decoder(Record[commands, events])


def unseal_header(data: bytes) -> Record[OpeningCommand, MatchCreated]:
    """Decode record 1; raises `Unreadable`, `Newer`."""
    try:
        return HEADER.decode(data)
    except MALFORMED as error:
        if (found := _format(data)) > FORMAT:
            raise Newer(f"format {found}; {FORMAT} is here") from error
        raise Unreadable(f"no header: {error}") from error


def _format(data: bytes) -> int:
    try:
        return OPENING.decode(data).events[0].format
    except MALFORMED:
        return 0


def unseal(game: AnyGame, rules: int, data: bytes) -> AnyRecord:
    """Decode a record written under a rules version, upcasting shapes that have changed since.

    Raises `Unreadable`, never drops a field.
    """
    try:
        if rules == game.version:
            return decoder(game).decode(data)
        return msgspec.convert(
            upcast(game.slug, rules, msgspec.json.decode(data)), decoder(game).type
        )
    except MALFORMED as error:
        raise Unreadable(str(error)) from error
