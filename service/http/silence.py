"""Close connections on which nothing was ever sent.

The server limits the time of a call from its first byte on. A stranger who sends none could hold
every connection that a process may have open.
"""

import asyncio
import socket
from contextlib import suppress

from service.http.tcp import connections, received

SILENT_S = 30.0
"""Time after which such a connection is closed (seconds)."""
LOOK_S = 5.0


async def closing_silent(port: int) -> None:
    """Close silent connections to a port until cancelled."""
    while True:
        await asyncio.sleep(LOOK_S)
        await asyncio.to_thread(close_silent, port, SILENT_S)


def close_silent(port: int, silent_s: float) -> int:
    """Close the connections of this process to a port that have been silent from their beginning.

    Return their number.
    """
    closed = 0
    for connection in connections():
        with connection, suppress(OSError):
            if _is_silent(connection, port, silent_s):
                connection.shutdown(socket.SHUT_RDWR)
                closed += 1
    return closed


def _is_silent(connection: socket.socket, port: int, silent_s: float) -> bool:
    if connection.family not in (socket.AF_INET, socket.AF_INET6):
        return False
    if connection.getsockname()[1] != port or not connection.getpeername():
        return False
    count, since_ms = received(connection)
    return count == 0 and since_ms >= silent_s * 1000
