"""Counts the bytes of a WebSocket connection, to find a message that is too long before it ends.

The server passes a message on only when all of it has arrived, and has a limit of 64 MiB that can
not be set: Granian configures its WebSocket library in no way. Linux counts the bytes of every
connection.
"""

import fcntl
import os
import socket
import struct
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

OPEN_FILES = Path("/proc/self/fd")
INFO_BYTES = 136
RECEIVED_AT = 128
"""Place of `tcpi_bytes_received` in the kernel's `struct tcp_info`, and the size up to its end."""


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
        info = self._connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, INFO_BYTES)
        (arrived,) = struct.unpack_from("=Q", info, RECEIVED_AT)
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
    if client is None or not OPEN_FILES.is_dir():
        return None
    newest_first = sorted((int(path.name) for path in OPEN_FILES.iterdir()), reverse=True)
    for file in newest_first:
        if (connection := _duplicate(file)) is None:
            continue
        with suppress(OSError):
            if connection.getpeername()[:2] == (client[0], int(client[1])):  # Granian's is text
                return connection
        connection.close()
    return None


def _duplicate(file: int) -> socket.socket | None:
    """Return a duplicate of an open socket; None if the file is none, or closed by now."""
    try:
        duplicate = os.dup(file)
    except OSError:
        return None
    try:
        return socket.socket(fileno=duplicate)
    except OSError:
        os.close(duplicate)
        return None
