"""Bodies and paths made to break the service: each is the caller's fault and fires no alert."""

import contextlib
import re
import socket
import time
from collections.abc import Iterator

import httpx
import pytest

from service.http.files import FOR_GOOD, files
from service.http.server import HEADER_BYTES_MAX
from tests.e2e.routes import SOME, routes
from tests.e2e.service import Player, Running, refusal, running, wait_until
from tests.events.cluster import free_port

DEEP = 30_000
SLOW_S = 1
IDLE = 300
DEEP_BODIES = {
    "lists": b"[" * DEEP + b"]" * DEEP,
    "never closed": b"[" * DEEP,
    "objects": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "an unknown field": b'{"x":' + b"[" * DEEP + b"]" * DEEP + b"}",
}
BODIES = DEEP_BODIES | {
    "not UTF-8": b'{"name":"\xff","type":"\xff","text":"\xff","game":"\xff"}',
    "a surrogate": b'{"name":"\xed\xa0\x80","text":"\xed\xa0\x80","game":"\xed\xa0\x80"}',
    "half a surrogate pair": b'{"name":"\\ud800","text":"\\ud800","game":"\\ud800"}',
}
PATHS = [
    b"/assets/%00",
    b"/assets/" + b"x" * 5_000,
    b"/schema/static/%00",
    b"/schema/static/a%00b.css",
    b"/schema/static/" + b"x" * 300,
    b"/schema/static/" + b"x/" * 4_000,
    b"/schema/static/swagger-ui.css/x",
    b"/schema/static/..%2f..%2f..%2fetc%2fpasswd",
    b"/schema/static/%ff",
    b"/schema/static/.",
    b"/matches/%00",
    b"/matches/%ff%fe",
    b"/matches/a%2fb",
    b"/matches/" + b"x" * 20_000,
    b"/players/%00",
    b"/players/%ED%A0%80",
    b"/games/%00",
    b"/jobs/%00",
    b"/standings/%00",
    b"/%00",
    b"/" + b"x" * 20_000,
]


@pytest.fixture(scope="module")
def counted(tmp_path_factory) -> Iterator[tuple[Running, str]]:
    """Run a service with a short time limit; yield it and the address of its metrics.

    At the end it must have seen no fault of its own.
    """
    port = free_port()
    folder = tmp_path_factory.mktemp("abused")
    with running(folder, "serve", body_s=str(SLOW_S), metrics_port=str(port)) as service:
        yield service, f"http://127.0.0.1:{port}/metrics"
        metrics = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        assert re.search(r'shiplog_http_responses_total\{status="400"\} [1-9]', metrics)
        assert not re.search(r'shiplog_http_responses_total\{status="5', metrics)
        assert '"event":"bug"' not in service.errors()


@pytest.fixture
def player(counted) -> Iterator[Player]:
    with Player(counted[0].url) as player:
        yield player


@contextlib.contextmanager
def sent(player: Player, method: str, path: bytes, *headers: str, body: bytes = b""):
    """Send a request to the byte, which no client library would; give the connection."""
    url = player.http.base_url
    lines = [f"Host: {url.host}", f"Authorization: Bearer {player.token}", *headers]
    head = method.encode() + b" " + path + b" HTTP/1.1\r\n" + "\r\n".join(lines).encode()
    with socket.create_connection((url.host, url.port), timeout=20) as connection:
        connection.sendall(head + b"\r\n\r\n" + body)
        yield connection


def status(connection: socket.socket) -> int:
    return int(connection.makefile("rb").readline().split()[1])


def test_headers_have_a_maximum_size(player):
    with sent(player, "GET", b"/players/me", f"X: {'x' * 60_000}") as connection:
        assert status(connection) == 200
    url, begun = player.http.base_url, b"GET /players/me HTTP/1.1\r\nX: "
    with socket.create_connection((url.host, url.port), timeout=20) as connection:
        connection.sendall(begun.ljust(HEADER_BYTES_MAX, b"x"))
        assert status(connection) == 431


def test_http_2_is_refused(player):
    """Its headers have no time limit, and each connection may begin 200 calls."""
    url, settings = player.http.base_url, bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
    with socket.create_connection((url.host, url.port), timeout=20) as connection:
        connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings)
        assert connection.recv(12) == b""


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_that_cannot_be_decoded_is_refused_by_every_route(player, body):
    match = player.open_match(seats=1)
    player.do(match, {"type": "take_seat"})
    document = player.get("/schema/openapi.json")["paths"]
    decoding = [
        (method, path)
        for method, path, _ in routes(player)
        if "requestBody" in document[path][method]
    ]
    assert len(decoding) >= 8
    for method, path in [*decoding, ("post", "/replays")]:
        answer = player.http.request(method, path.format(**SOME | {"match": match}), content=body)
        assert refusal(answer) == (400, "malformed"), (method, path)


@pytest.mark.parametrize("body", DEEP_BODIES.values(), ids=DEEP_BODIES)
def test_a_stranger_without_a_token_gets_no_further(counted, body):
    answer = httpx.post(f"{counted[0].url}/players", content=body)
    assert refusal(answer) == (400, "malformed")


def test_at_no_depth_is_it_the_services_fault(player):
    """The decoder gives up at some depth; what it lets through must break nothing behind it.

    On Python 3.14 that depth is some ten thousands.
    """
    match = player.open_match(seats=1)
    player.do(match, {"type": "take_seat"})
    player.do(match, {"type": "resign"})
    for depth in (10, 500, *range(900, 1_010, 3), 10_000):
        nested = b"[" * depth + b"]" * depth
        options = b'{"game":"tranquility","seats":2,"options":{"a":' + nested + b"}}"
        assert player.http.post("/matches", content=options).status_code in (400, 422)
        instead = b'{"version":2,"instead":{"type":"resign","a":' + nested + b"}}"
        answer = player.http.post(f"/matches/{match}/what-if", content=instead)
        assert answer.status_code in (400, 422)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path[:40].decode())
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_path_that_leads_nowhere_is_not_found(player, method, path):
    with sent(player, method, path) as connection:
        assert status(connection) == 404


@pytest.mark.parametrize("host", ["a:b", "a:99999", "a:-1", "[::1", "[zz]", "a@b:c"])
@pytest.mark.parametrize("path", ["/matches/x", "/players", "/sign-ins/passkey/options", "/"])
def test_a_host_that_no_address_can_contain_is_refused(counted, host, path):
    answer = httpx.request("POST", f"{counted[0].url}{path}", headers={"Host": host})
    assert refusal(answer) == (400, "malformed")
    assert answer.json()["errors"][0]["header"] == "Host"


async def test_a_file_of_the_page_is_found_and_an_impossible_one_is_not(tmp_path):
    """The page need not be built for this."""
    from litestar.testing import create_async_test_client

    (tmp_path / "index.js").write_text("1")
    async with create_async_test_client([files("/assets", tmp_path, FOR_GOOD)]) as client:
        answer = await client.get("/assets/index.js")
        assert answer.text == "1"
        assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
        for odd in ("%00", "x" * 300, "index.js/x", "x/" * 3_000, "gone.js"):
            assert (await client.get(f"/assets/{odd}")).status_code == 404


@pytest.mark.parametrize("path", [b"/players", b"/replays"])
def test_a_body_that_is_never_sent_is_given_up(player, path):
    begun = time.monotonic()
    with sent(player, "POST", path, "Content-Length: 100", body=b"{") as connection:
        text = connection.makefile("rb").read1().decode()
    assert " 408 " in text.splitlines()[0]
    assert '"code":"too-slow"' in text
    assert SLOW_S <= time.monotonic() - begun < SLOW_S + 15


def test_a_body_that_trickles_has_no_more_time(player):
    """The limit is on the whole body, not on the pause between two bytes."""
    with sent(player, "POST", b"/players", "Content-Length: 1000") as connection:
        connection.settimeout(SLOW_S / 10)
        for _ in range(200):
            with contextlib.suppress(TimeoutError):
                connection.sendall(b" ")
                assert connection.recv(12) == b"HTTP/1.1 408"
                break
        else:
            pytest.fail("it was never given up")


def test_a_huge_body_that_is_never_sent_is_refused_in_time(player):
    with sent(player, "POST", b"/players", "Content-Length: 30000000") as connection:
        assert status(connection) == 413


def test_a_stream_ends_if_its_body_is_never_sent(player):
    """The response has begun, and nothing can be refused any more: the caller counts as gone."""
    match = player.open_match()
    path = f"/matches/{match}/stream".encode()
    with sent(player, "GET", path, "Content-Length: 10") as connection:
        text = connection.makefile("rb").read().decode()
    assert " 200 " in text.splitlines()[0]
    assert "event: record" in text


def test_idle_connections_keep_nobody_out(counted):
    """They may say nothing, begin a request, or read a stream."""
    service = counted[0]
    with contextlib.ExitStack() as held, Player(service.url) as eve:
        match = eve.open_match()
        stream = f"/matches/{match}/stream".encode()
        for _ in range(IDLE):
            connection = socket.create_connection((eve.http.base_url.host, eve.http.base_url.port))
            held.enter_context(connection)
            connection.sendall(b"GET / HTTP/1.1\r\n")
        for _ in range(20):
            assert status(held.enter_context(sent(eve, "GET", stream))) == 200
        with Player(service.url) as ada:
            assert ada.get("/players/me")["name"] == "Ada"


@pytest.mark.parametrize("announced", ["Content-Length: 100", "Transfer-Encoding: chunked"])
@pytest.mark.parametrize("path", [b"/players", b"/matches", b"/replays"])
def test_who_hangs_up_in_the_midst_of_a_body_is_no_fault_of_ours(player, path, announced):
    with sent(player, "POST", path, announced, body=b"1\r\n{"):
        time.sleep(0.05)
    with sent(player, "POST", path, "Transfer-Encoding: chunked", body=b"zz\r\n") as connection:
        assert status(connection) == 400
    wait_until(lambda: player.get("/health/live")["live"])
