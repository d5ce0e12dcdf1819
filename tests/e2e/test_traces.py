"""Traces go to a collector if one is set, without secrets; otherwise nothing is loaded."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.e2e.service import Player, running
from tests.events.cluster import free_port

WHETHER_LOADED = """
import sys
import service.cli.serve
import service.cli.worker
import service.worker.rq_worker
kinds = ("sdk.trace", "instrumentation", "exporter")
traced = tuple(f"opentelemetry.{kind}" for kind in kinds)
assert not [name for name in sys.modules if name.startswith(traced)]
"""

OPEN_METRICS = {"Accept": "application/openmetrics-text; version=1.0.0"}


class Collector(ThreadingHTTPServer):
    """Takes what is exported."""

    def __init__(self):
        self.bodies: list[bytes] = []
        super().__init__(("127.0.0.1", 0), Receiver)

    def spans(self) -> list:
        found = []
        for body in self.bodies:
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                for scope in resource.scope_spans:
                    found += scope.spans
        return found


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        import gzip

        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.bodies.append(body)
        self.send_response(200)
        self.end_headers()

    def log_message(self, format, *args):  # noqa: A002 - as the base class calls it
        """Log nothing."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_call_its_append_and_its_redis_commands_are_one_trace(tmp_path, collector):
    url = f"http://127.0.0.1:{collector.server_port}"
    port = free_port()
    with (
        running(tmp_path, "serve", traces_url=url, metrics_port=str(port)) as service,
        Player(service.url) as player,
    ):
        wish = {"game": "tranquility", "seats": 1, "private": True}
        opened = player.http.post("/matches", json=wish).json()
        match, code = opened["match"], opened["join_code"]
        sent = player.send(match, {"type": "take_seat", "entropy": "c0ffee"}, key="sit-down")
        player.get(f"/matches/{match}?join_code={code}")
        token = player.token
        figures = httpx.get(f"http://127.0.0.1:{port}/metrics", headers=OPEN_METRICS).text
        assert service.stop() == 0
    spans = collector.spans()
    requests = {
        attribute.value.string_value: span
        for span in spans
        for attribute in span.attributes
        if attribute.key == "shiplog.request"
    }
    call = requests[sent.headers["X-Request-Id"]]
    assert call.name == "POST /matches"
    exemplar = f'# {{trace_id="{call.trace_id.hex()}"}}'
    for figure in ("shiplog_command_seconds_bucket", "shiplog_append_seconds_bucket"):
        lines = [line for line in figures.splitlines() if line.startswith(figure)]
        assert any(exemplar in line for line in lines), lines
    appends = [span for span in spans if span.name == "append"]
    assert call.span_id in [span.parent_span_id for span in appends]
    assert {"XREAD", "INFO"} & {span.name for span in spans}
    everything = b"".join(collector.bodies)
    for secret in (token, token.split(".")[2], code, "c0ffee", "sit-down"):
        assert secret.encode() not in everything


def test_without_the_setting_nothing_of_it_is_loaded():
    subprocess.run([sys.executable, "-c", WHETHER_LOADED], check=True, timeout=60)
