"""The HTTP server of `shiplog witness`: the cosigned checkpoint, and C2SP's add-checkpoint."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from events.checkpoints.witness import Witness
from events.folder import Swapped
from events.store import Unavailable
from service.cli.answers import ANSWER_S
from service.cli.output import MISUSED, stop

BODY_BYTES_MAX = 200_000


class WitnessHandler(BaseHTTPRequestHandler):
    """Answers the calls to a witness."""

    timeout = ANSWER_S

    def __init__(self, eye: Witness, *given: Any) -> None:
        """Answer for a witness. The base class answers the calls while it is made."""
        self._eye = eye
        super().__init__(*given)

    def do_GET(self) -> None:
        """Answer with the cosigned checkpoint, which C2SP's tlog-witness names by its log."""
        named = f"/{sha256(self._eye.log.name.encode()).hexdigest()}/checkpoint"
        data = self._eye.cosigned() if self.path in ("/checkpoint", named) else None
        self._answer(404 if data is None else 200, data or b"", "text/plain; charset=utf-8")

    def do_POST(self) -> None:
        """Take a checkpoint that somebody else has seen."""
        length = self.headers.get("Content-Length", "")
        if self.path != "/add-checkpoint":
            self._answer(404, b"", "text/plain")
        elif not length.isdigit() or int(length) > BODY_BYTES_MAX:
            self._answer(413, b"", "text/plain")
        else:
            self._add(self.rfile.read(int(length)))

    def _add(self, body: bytes) -> None:
        try:
            told = self._eye.add_checkpoint(body, int(time.time()))
        except (Swapped, Unavailable):
            self._answer(503, b"", "text/plain")
        else:
            self._answer(told.status, told.body.encode(), told.media_type)

    def _answer(self, status: int, body: bytes, media_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Write no line for each call."""


@contextmanager
def serving(eye: Witness, place: str) -> Iterator[str]:
    """Serve a witness in a thread, and yield the address. Exits if it cannot listen there."""
    host, _, port = place.rpartition(":")
    if not port.isdecimal():
        stop(MISUSED, f"Cannot listen on {place}: expected HOST:PORT.")
    try:
        server = ThreadingHTTPServer((host or "127.0.0.1", int(port)), partial(WitnessHandler, eye))
    except (OSError, OverflowError) as error:
        stop(MISUSED, f"Cannot listen on {place}: {error}.")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://{server.server_address[0]}:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
