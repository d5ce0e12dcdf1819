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


class Inbound:
    """What a client sends over a TCP connection of the server, as the kernel counts it."""

    def __init__(self, connection: socket.socket) -> None:
        """Count from the beginning of the connection."""
        self._connection = connection
        self._start = 0

    @property
    def pending(self) -> int:
        """Number of bytes that the server has read since the last message."""
        return self._read() - self._start

    def message_ended(self) -> None:
        """Count anew."""
        self._start = self._read()

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
