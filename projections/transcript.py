"""What one viewer was shown: all records from the first, as they were sent."""

from typing import ClassVar

import msgspec

from games.match.packing import PackedList

DECODER = msgspec.json.Decoder(list[msgspec.Raw])


class Transcript(PackedList[bytes]):
    """The records as a viewer was shown them, each in JSON."""

    BLOCK: ClassVar[int] = 16
    LOOSE: ClassVar[int] = 16

    @staticmethod
    def encoded(items: list[bytes]) -> bytes:
        """Return records as one JSON array."""
        return b"[" + b",".join(items) + b"]"

    def decoded(self, data: bytes) -> list[bytes]:
        """Return the records of a JSON array."""
        return [bytes(record) for record in DECODER.decode(data)]
