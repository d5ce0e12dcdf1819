"""A dictionary whose entries expire. It is looked up several times in every call.

`cachetools.TTLCache` also keeps the order of use, which takes most of its time.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

V = TypeVar("V")


class Expiring(Generic[V]):
    """Values by key, each for a fixed time after it was put."""

    __slots__ = ("_clock", "_entries", "_most", "_seconds")

    def __init__(
        self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Keep at most so many entries, each for so many seconds."""
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._entries: OrderedDict[str, tuple[V, float]] = OrderedDict()
        """The values with the times when they expire, the earliest first."""

    def get(self, key: str) -> V | None:
        """Return the value of a key, unless it has expired."""
        entry = self._entries.get(key)
        return None if entry is None or entry[1] <= self._clock() else entry[0]

    def put(self, key: str, value: V) -> V:
        """Set the value of a key and return it. If there are too many, the oldest entry is dropped.

        An entry that is put again starts anew.
        """
        entries = self._entries
        entries[key] = value, self._clock() + self._seconds
        entries.move_to_end(key)
        self._drop_expired()
        if len(entries) > self._most:
            entries.popitem(last=False)
        return value

    def pop(self, key: str) -> None:
        """Drop the entry of a key, if there is one."""
        self._entries.pop(key, None)

    def clear(self) -> None:
        """Drop all entries."""
        self._entries.clear()

    def __len__(self) -> int:
        """Return the number of entries that have not expired."""
        self._drop_expired()
        return len(self._entries)

    def _drop_expired(self) -> None:
        entries, now = self._entries, self._clock()
        while entries:
            key = next(iter(entries))
            if entries[key][1] > now:
                return
            del entries[key]
