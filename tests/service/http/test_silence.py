"""Connections on which nothing was ever sent."""

import socket

import pytest

from service.http.silence import close_silent
from service.http.tcp import OPEN_FILES

pytestmark = pytest.mark.skipif(not OPEN_FILES.exists(), reason="there is no /proc here")


def accepted(listener: socket.socket) -> tuple[socket.socket, socket.socket]:
    """Return both ends of a new connection, the caller's first."""
    caller = socket.create_connection(listener.getsockname())
    return caller, listener.accept()[0]


def test_only_those_are_closed_on_which_nothing_was_sent():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        silent, slow = accepted(listener), accepted(listener)
        slow[0].sendall(b"G")
        assert slow[1].recv(1) == b"G"
        assert close_silent(port, silent_s=60.0) == 0, "it may still begin to speak"
        assert close_silent(port, silent_s=0.0) == 1
        assert silent[0].recv(1) == b"", "the caller sees the end"
        slow[1].sendall(b"H")
        assert slow[0].recv(1) == b"H"
        for end in (*silent, *slow):
            end.close()
