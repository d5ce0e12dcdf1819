"""The TCP connections of this process, as Linux counts their bytes.

The server keeps its connections to itself, but they are open files of the process.
"""

import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

OPEN_FILES = Path("/proc/self/fd")
LAST_RECEIVED_AT, RECEIVED_AT = 52, 128
"""Places of `tcpi_last_data_recv` and `tcpi_bytes_received` in the kernel's `struct tcp_info`."""
INFO_BYTES = 136
"""The size of `struct tcp_info` up to the end of the latter."""


def connections() -> Iterator[socket.socket]:
    """Yield a duplicate of each open socket, the newest first, which the caller closes.

    There are none where there is no /proc, as on macOS.
    """
    if not OPEN_FILES.is_dir():
        return
    for file in sorted((int(path.name) for path in OPEN_FILES.iterdir()), reverse=True):
        if (duplicate := _duplicate(file)) is not None:
            yield duplicate


def received(connection: socket.socket) -> tuple[int, int]:
    """Return how many bytes a connection has received, and milliseconds since it last did.

    Before the first byte, that is the time since the connection was made. Raises `OSError`.
    """
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, INFO_BYTES)
    (count,) = struct.unpack_from("=Q", info, RECEIVED_AT)
    (since_ms,) = struct.unpack_from("=I", info, LAST_RECEIVED_AT)
    return count, since_ms


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
