"""Counts the bytes of a WebSocket connection, to find a message that is too long before it ends.

The server passes a message on only when all of it has arrived, and has a limit of 64 MiB that can
not be set: Granian configures its WebSocket library in no way. Linux counts the bytes of every
connection.
"""

import fcntl
import socket
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from service.http.tcp import connections, received

FRAME_BYTES = 6
"""Bytes of a client's frame besides its content, at least (RFC 6455, section 5.2)."""


class Inbound:
    """What a client sends over a TCP connection of the server, as the kernel counts it."""

    def __init__(self, connection: socket.socket) -> None:
        """Count from the beginning of the connection."""
        self._connection = connection
        self._arrived = 0
        self._pending = 0
        self._ended = 0

    def message_ended(self, size: int) -> None:
        """Take the bytes of a message off what is pending, from the next look on."""
        self._ended += size + FRAME_BYTES

    def look(self) -> int:
        """Return how many bytes the server has read of a message that has not ended, at most.

        If a message has ended since the last look, no more is pending than what arrived since then.
        """
        before, self._arrived = self._arrived, self._read()
        new = self._arrived - before
        pending = self._pending + new - self._ended
        self._pending = max(0, min(pending, new) if self._ended else pending)
        self._ended = 0
        return self._pending

    def _read(self) -> int:
        """Return how many bytes have arrived, without those that wait in the kernel."""
        arrived, _ = received(self._connection)
        waiting = fcntl.ioctl(self._connection, termios.FIONREAD, bytes(4))
        return arrived - int.from_bytes(waiting, sys.byteorder)


@contextmanager
def inbound(client: tuple[str, int] | None) -> Iterator[Inbound | None]:
    """Find the connection from an address; None where the kernel does not count."""
    connection = _connection(client)
    if connection is None:
        yield None
        return
    with connection:
        yield Inbound(connection)


def _connection(client: tuple[str, int] | None) -> socket.socket | None:
    """Return a duplicate of the socket that is connected to an address."""
    if client is None:
        return None
    for connection in connections():
        with suppress(OSError):
            if connection.getpeername()[:2] == (client[0], int(client[1])):  # Granian's is text
                return connection
        connection.close()
    return None
