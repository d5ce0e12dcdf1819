"""What is kept of each record of a folded log, packed: its head, its time and its sender."""

from array import array
from struct import Struct

from events.record import GENESIS

HEAD_BYTES = 32
SENDER = Struct("<q")
SENDER_BYTES = SENDER.size


class Trail:
    """The heads, times and senders of a log's records."""

    __slots__ = ("_heads", "_senders", "head_bytes", "times")

    def __init__(self) -> None:
        """Start before record 1."""
        self.head_bytes = bytes.fromhex(GENESIS)
        """The head after the last record."""
        self.times = array("q")
        """The time of each record (microseconds since 1970)."""
        self._heads = bytearray()
        self._senders = bytearray()
        """A hash of each record's actor and command id, keyed by the interpreter."""

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.times)

    def append(self, head: bytes, at: int, actor: str, command_id: str) -> None:
        """Add a record: the head after it, its time, and the actor and id of its command."""
        self.head_bytes = head
        self.times.append(at)
        self._heads += head
        self._senders += _packed(actor, command_id)

    @property
    def head(self) -> str:
        """The head after the last record, in hex. It stands for every byte of the log."""
        return self.head_bytes.hex()

    def head_at(self, version: int) -> str:
        """Return the head after a record; version 0 stands for the beginning."""
        if not version:
            return GENESIS
        return self._heads[(version - 1) * HEAD_BYTES : version * HEAD_BYTES].hex()

    @property
    def heads(self) -> list[str]:
        """The head after each record."""
        return [self.head_at(version) for version in range(1, len(self) + 1)]

    def version_of(self, actor: str, command_id: str) -> int | None:
        """Return the record with an actor's command of this id, or None."""
        wanted, place = _packed(actor, command_id), -1
        while (place := self._senders.find(wanted, place + 1)) >= 0:
            if place % SENDER_BYTES == 0:
                return place // SENDER_BYTES + 1
        return None

    def until(self, version: int) -> "Trail":
        """Return the trail of the log's records up to a version."""
        earlier = Trail()
        earlier.head_bytes = bytes.fromhex(self.head_at(version))
        earlier.times = self.times[:version]
        earlier._heads = self._heads[: version * HEAD_BYTES]
        earlier._senders = self._senders[: version * SENDER_BYTES]
        return earlier


def _packed(actor: str, command_id: str) -> bytes:
    return SENDER.pack(hash((actor, command_id)))
