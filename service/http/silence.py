"""Close connections on which nothing was ever sent.

The server limits the time of a call from its first byte on. A stranger who sends none could hold
every connection that a process may have open.
"""

import asyncio
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

SILENT_S = 30.0
"""Time after which such a connection is closed (seconds)."""
LOOK_S = 5.0
OPEN_FILES = Path("/proc/self/fd")
LAST_RECEIVED_AT, RECEIVED_AT = 52, 128
"""Places in Linux's `tcp_info`: milliseconds since data came last, and bytes received."""
INFO_BYTES = 136


async def closing_silent(port: int) -> None:
    """Close silent connections to a port until cancelled; none where there is no /proc."""
    while True:
        await asyncio.sleep(LOOK_S)
        await asyncio.to_thread(close_silent, port, SILENT_S)


def close_silent(port: int, silent_s: float) -> int:
    """Close the connections of this process to a port that have been silent from their beginning.

    Return their number.
    """
    closed = 0
    for number in _sockets():
        with suppress(OSError), socket.socket(fileno=os.dup(number)) as connection:
            if _is_silent(connection, port, silent_s):
                connection.shutdown(socket.SHUT_RDWR)
                closed += 1
    return closed


def _sockets() -> Iterator[int]:
    for entry in OPEN_FILES.glob("*"):
        with suppress(OSError):
            if str(entry.readlink()).startswith("socket:"):
                yield int(entry.name)


def _is_silent(connection: socket.socket, port: int, silent_s: float) -> bool:
    if connection.family not in (socket.AF_INET, socket.AF_INET6):
        return False
    if connection.getsockname()[1] != port or not connection.getpeername():
        return False
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, INFO_BYTES)
    waited_ms = struct.unpack_from("=I", info, LAST_RECEIVED_AT)[0]
    received = struct.unpack_from("=Q", info, RECEIVED_AT)[0]
    return received == 0 and waited_ms >= silent_s * 1000
