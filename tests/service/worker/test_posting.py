"""Requests to addresses that players name: checked, pinned, and limited."""

import asyncio
import socket
import ssl
import threading
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from service.base.addresses import parse_networks
from service.play.deliveries import TOGETHER
from service.worker.posting import posting

HERE = parse_networks("127.0.0.1/32")
NO_CONTENT = b"HTTP/1.1 204 No Content\r\n\r\n"


@asynccontextmanager
async def server(answer=NO_CONTENT, tls=None):
    """Answer each connection with bytes; yield the port, and the requests so far."""
    requests = []

    async def serve(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        requests.append((head, await reader.readexactly(length)))
        try:
            await (answer(writer) if callable(answer) else send(writer, answer))
        except ConnectionError:
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls) as listening:
        yield listening.sockets[0].getsockname()[1], requests


async def send(writer, data):
    writer.write(data)
    await writer.drain()


def lookup(*answers):
    """Return the addresses of each look-up in turn."""
    left = iter(answers)

    async def look_up(host, port):
        return next(left)

    return look_up


async def post(url, networks=HERE, limit_s=10.0, **more):
    async with posting(networks, **more) as poster:
        return await poster.post(url, b'{"a":1}', {"webhook-id": "msg_1"}, limit_s)


async def test_a_body_is_posted_to_the_named_host():
    async with server() as (port, requests):
        tried = await post(f"http://bot.example:{port}/a?b=c", lookup=lookup(["127.0.0.1"]))
    assert (tried.status, tried.error, tried.succeeded) == (204, None, True)
    [(head, body)] = requests
    assert head.startswith(b"POST /a?b=c HTTP/1.1\r\n")
    assert f"host: bot.example:{port}".encode() in head.lower()
    assert b"webhook-id: msg_1" in head
    assert body == b'{"a":1}'


async def test_a_name_is_looked_up_once_and_the_checked_address_is_used():
    """Else a second look-up could lead inside (DNS rebinding)."""
    async with server() as (port, _):
        found = lookup(["127.0.0.1"], ["10.0.0.1"])
        assert (await post(f"http://bot.example:{port}/", lookup=found)).status == 204


@pytest.mark.parametrize(
    "addresses",
    [[], ["10.0.0.1"], ["1.1.1.1", "127.0.0.1"], ["::ffff:127.0.0.1"], ["169.254.169.254"]],
)
async def test_one_address_inside_is_enough_to_refuse(addresses):
    """It looks the same as a name without an address, so that nobody can try out names."""
    async with server() as (port, requests):
        tried = await post(f"http://bot.example:{port}/", (), lookup=lookup(addresses))
    assert (tried.status, tried.error, requests) == (None, "no-public-address", [])


async def test_the_next_address_is_tried_if_one_does_not_answer():
    async with server() as (port, _):
        allowed = parse_networks("127.0.0.0/8")
        found = lookup(["127.0.0.2", "127.0.0.1"])
        assert (await post(f"http://bot.example:{port}/", allowed, lookup=found)).status == 204


async def test_nobody_listening_and_a_broken_answer_are_told_apart():
    async with server() as (port, _):
        pass
    assert (await post(f"http://127.0.0.1:{port}/")).error == "connection-failed"
    async with server(b"220 mail.example\r\n\r\n") as (port, _):
        assert (await post(f"http://127.0.0.1:{port}/")).error == "answer-broken"


async def test_an_answer_that_does_not_come_or_does_not_end_is_given_up():
    async def never(writer):
        while True:
            await send(writer, b"HTTP/1.1 100 Continue\r\n\r\n")
            await asyncio.sleep(0.01)

    async def trickle(writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while True:
            await send(writer, b".")
            await asyncio.sleep(0.01)

    for answer in (never, trickle):
        async with server(answer) as (port, _):
            assert (await post(f"http://127.0.0.1:{port}/", limit_s=0.3)).error == "timed-out"


async def test_names_that_are_never_found_delay_no_other_receiver(monkeypatch):
    found, look = threading.Event(), socket.getaddrinfo

    def look_up(host, *given, **more):
        if str(host).startswith("silent"):
            found.wait(60)
            raise OSError("not found")
        return look(host, *given, **more)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    async with server() as (port, _), posting(HERE) as poster:
        urls = [f"http://silent-{n}.example/" for n in range(TOGETHER - 1)]
        silent = [asyncio.create_task(poster.post(url, b"{}", {}, 60)) for url in urls]
        try:
            tried = await poster.post(f"http://127.0.0.1:{port}/", b"{}", {}, 60)
            assert tried.status == 204
            assert not any(task.done() for task in silent)
        finally:
            found.set()
            await asyncio.gather(*silent)


async def test_a_long_answer_is_not_read_to_its_end():
    async def flood(writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")
        while True:
            await send(writer, bytes(65_536))

    async with server(flood) as (port, _):
        assert (await post(f"http://127.0.0.1:{port}/")).status == 200


async def test_a_redirect_and_a_proxy_are_not_followed(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    moved = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n"
    async with server(moved) as (port, requests):
        assert (await post(f"http://127.0.0.1:{port}/")).status == 302
        assert len(requests) == 1


async def test_tls_is_checked_against_the_name_and_not_the_address(tmp_path):
    own, trust = certificate(tmp_path, "bot.example")
    async with server(tls=own) as (port, _):
        found = {"lookup": lookup(["127.0.0.1"]), "trust": trust}
        assert (await post(f"https://bot.example:{port}/", **found)).status == 204
        found = {"lookup": lookup(["127.0.0.1"]), "trust": trust}
        assert (await post(f"https://other.example:{port}/", **found)).error == "tls-failed"
        assert (await post(f"https://127.0.0.1:{port}/")).error == "tls-failed"


def certificate(folder, name):
    """Make a certificate for a name; return the contexts of its server and of who trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
        .public_bytes(serialization.Encoding.PEM)
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path = folder / "server.pem"
    path.write_bytes(private + made)
    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    own.load_cert_chain(path)
    return own, ssl.create_default_context(cadata=made.decode())
