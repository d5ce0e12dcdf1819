"""OpenTelemetry traces: a span for every call, and for what it asks of Redis.

The libraries come with the extra `traces`; tracer, exporter and instrumentation are imported only where
SHIPLOG_TRACES_URL is set, so that without it none of them runs. Spans carry routes and Redis commands' names: no query (it may open a private match), header,
body or key.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from litestar.plugins import InitPlugin
from litestar.types import Scope

from events.redis_store import RedisStore
from service.base.settings import Settings

SPOKEN_OF = ("http.url", "http.target", "url.full", "url.path")
"""What the instrumentation writes of an address, under its old and new names."""
SILENT = ("url.query", "net.peer.ip", "net.peer.port", "client.address", "client.port")
"""What it would write of the caller."""


@contextmanager
def traced(settings: Settings) -> Iterator[None]:
    """Send traces meanwhile, where there is a collector."""
    if not settings.traces_url:
        yield
        return
    from opentelemetry import trace  # noqa: PLC0415 - costs nothing where it is off
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
    from opentelemetry.instrumentation.redis import RedisInstrumentor  # noqa: PLC0415
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased  # noqa: PLC0415

    provider = TracerProvider(
        resource=Resource.create({"service.name": "shiplog"}),
        sampler=ParentBased(TraceIdRatioBased(settings.traces_share)),
    )
    url = f"{settings.traces_url.rstrip('/')}/v1/traces"
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=url)))
    trace.set_tracer_provider(provider)
    instrumentor = RedisInstrumentor()
    instrumentor.instrument(tracer_provider=provider, request_hook=_without_arguments)
    try:
        yield
    finally:
        instrumentor.uninstrument()
        provider.shutdown()


class TracedStore(RedisStore):
    """A log whose appends are spans: they go round the client's own commands."""

    async def append(self, match: str, version: int, data: bytes) -> None:
        """Put a record on disk."""
        from opentelemetry import trace  # noqa: PLC0415

        with trace.get_tracer("shiplog").start_as_current_span("append"):
            await super().append(match, version, data)


def store_kind(settings: Settings) -> type[RedisStore]:
    """Give the class of the log's store: the plain one where nothing is traced."""
    return TracedStore if settings.traces_url else RedisStore


def tracing() -> InitPlugin:
    """Give the framework's plugin that makes a span of every call."""
    from litestar.plugins.opentelemetry import OpenTelemetryConfig, OpenTelemetryPlugin  # noqa: PLC0415

    return OpenTelemetryPlugin(
        OpenTelemetryConfig(
            scope_span_details_extractor=_named,
            server_request_hook_handler=_without_query,
            exclude_spans=["receive", "send"],
        )
    )


def _named(scope: Scope) -> tuple[str, dict[str, Any]]:
    """Name a span by method and the first part of the path: ids would make a name of every match."""
    first = scope["path"].split("/")[1]
    return f"{scope.get('method', '')} /{first}", {}


def _without_query(span: Any, scope: dict[str, Any]) -> None:
    """Leave of the address the path alone, and join the span to the log lines."""
    written: Any = getattr(span, "attributes", None) or {}
    for name in SPOKEN_OF:
        if name in written:
            span.set_attribute(name, scope["path"])
    for name in SILENT:
        if name in written:
            span.set_attribute(name, "")
    span.set_attribute("shiplog.request", scope["state"].get("request_id", ""))


def _without_arguments(span: Any, _instance: Any, args: Any, _more: Any) -> None:
    """Leave of a Redis command its name: keys and values tell of players and matches."""
    command = args[0] if args and isinstance(args[0], str | bytes) else "pipeline"
    span.set_attribute(
        "db.statement", command.decode() if isinstance(command, bytes) else str(command)
    )
