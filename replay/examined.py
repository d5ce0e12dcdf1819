"""Let msgspec examine all types while there is one thread."""

from collections.abc import Iterator

import msgspec

from events.codec import SHAPES, decoder
from games import GAMES
from replay.raw_record import raw_decoder


def all_structs(of: type[msgspec.Struct] = msgspec.Struct) -> Iterator[type[msgspec.Struct]]:
    """Yield all types of structs that have been declared."""
    for struct in of.__subclasses__():
        yield struct
        yield from all_structs(struct)


def examine_types() -> None:
    """Examine all types that have been declared.

    msgspec (0.22) examines a type when it is decoded first, and crashes the process if another
    thread decodes the same type meanwhile. So every process with threads calls this before it
    starts them.
    """
    for struct in all_structs():
        msgspec.json.Decoder(struct)
    for game in GAMES.values():
        raw_decoder(game)
        for record_format in SHAPES:
            decoder(game, record_format)
