"""What a client has sent of a message that is not complete, as the kernel counts it."""

import socket

import pytest

from service.http.inbound import inbound
from service.http.tcp import OPEN_FILES

pytestmark = pytest.mark.skipif(not OPEN_FILES.is_dir(), reason="only Linux counts the bytes")


@pytest.fixture
def ends():
    """Connect a client to a server, and return both ends and the client's address."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.getsockname())
        accepted, address = server.accept()
        with client, accepted:
            yield client, accepted, address


def test_only_what_the_server_has_read_counts(ends):
    client, accepted, (host, port) = ends
    with inbound((host, str(port))) as sent:
        client.sendall(b"x" * 1_000)
        accepted.recv(600, socket.MSG_WAITALL)
        assert sent.look() == 600
        accepted.recv(400, socket.MSG_WAITALL)
        assert sent.look() == 1_000


def test_messages_that_ended_are_not_pending(ends):
    client, accepted, address = ends
    with inbound(address) as sent:
        client.sendall(b"x" * 1_000)
        accepted.recv(700, socket.MSG_WAITALL)
        sent.message_ended(594)
        assert sent.look() == 100
        accepted.recv(300, socket.MSG_WAITALL)
        assert sent.look() == 400


def test_no_more_is_pending_than_came_since_the_look_before_a_message_ended(ends):
    """Pings and the like have bytes that nobody takes off."""
    client, accepted, address = ends
    with inbound(address) as sent:
        client.sendall(b"x" * 1_000)
        accepted.recv(900, socket.MSG_WAITALL)
        assert sent.look() == 900
        accepted.recv(100, socket.MSG_WAITALL)
        sent.message_ended(60)
        assert sent.look() == 100


def test_the_servers_own_use_of_the_connection_goes_on(ends):
    client, accepted, address = ends
    with inbound(address):
        pass
    client.sendall(b"x")
    assert accepted.recv(1) == b"x"


def test_no_file_stays_open(ends):
    _, _, address = ends
    before = len([*OPEN_FILES.iterdir()])
    for client in (address, ("192.0.2.1", 1)):
        with inbound(client):
            pass
    assert len([*OPEN_FILES.iterdir()]) == before


@pytest.mark.parametrize("client", [None, ("192.0.2.1", 1)])
def test_an_unknown_connection_is_not_counted(client):
    with inbound(client) as sent:
        assert sent is None
