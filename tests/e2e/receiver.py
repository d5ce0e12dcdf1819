"""A receiver of webhooks that a test runs: it keeps what arrives, and answers as it is told."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Arrived(NamedTuple):
    """A message as it has arrived."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def message(self) -> Any:
        return json.loads(self.body)


Answer = Callable[[Arrived], int]


class Receiver:
    """What has arrived, and how to answer."""

    def __init__(self) -> None:
        self.url = ""
        self.arrived: list[Arrived] = []
        self.answer: Answer = lambda _: 204

    def of(self, kind: str) -> list[Arrived]:
        return [one for one in self.arrived if one.message["type"] == kind]


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Run a receiver for as long as a test takes."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            arrived = Arrived(self.path, headers, body)
            receiver.arrived.append(arrived)
            status = receiver.answer(arrived)
            self.send_response(status)
            if status in (301, 302, 307, 308):
                self.send_header("Location", f"{receiver.url}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        receiver.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join()
