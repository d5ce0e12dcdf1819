"""OpenTelemetry traces: a span for every call and for every Redis command.

The libraries come with the extra `traces`. Tracer, exporter and instrumentation are imported
only if SHIPLOG_TRACES_URL is set. Spans contain routes and the names of Redis commands, but no
query (which may contain a join code), header, body or key.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from litestar.plugins import InitPlugin
from litestar.types import Scope

from events.chain import Head
from events.redis_store import RedisStore
from service.base.settings import Settings
from service.base.tallies import recorded_trace

SPOKEN_OF = ("http.url", "http.target", "url.full", "url.path")
"""Attributes of the instrumentation with an address, under their old and new names."""
SILENT = ("url.query", "net.peer.ip", "net.peer.port", "client.address", "client.port")
"""Attributes of the instrumentation about the caller."""


@contextmanager
def traced(settings: Settings) -> Iterator[None]:
    """Send traces to the collector, if there is one."""
    if not settings.traces_url:
        yield
        return
    from opentelemetry import trace  # noqa: PLC0415 - not loaded unless traces are sent
    from opentelemetry.exporter.otlp.proto.http import trace_exporter  # noqa: PLC0415
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
    provider.add_span_processor(BatchSpanProcessor(trace_exporter.OTLPSpanExporter(endpoint=url)))
    trace.set_tracer_provider(provider)
    instrumentor = RedisInstrumentor()
    instrumentor.instrument(tracer_provider=provider, request_hook=_without_arguments)
    try:
        yield
    finally:
        instrumentor.uninstrument()
        provider.shutdown()


class TracedStore(RedisStore):
    """A log store whose appends are spans around the commands of the client."""

    async def append(
        self,
        match: str,
        version: int,
        data: bytes,
        before: bytes = b"",
        head: Head | None = None,
    ) -> None:
        """Append a record."""
        from opentelemetry import trace  # noqa: PLC0415

        with trace.get_tracer("shiplog").start_as_current_span("append"):
            await super().append(match, version, data, before, head)


def store_kind(settings: Settings) -> type[RedisStore]:
    """Return the class of the log store: without traces the plain one."""
    return TracedStore if settings.traces_url else RedisStore


def tracing() -> InitPlugin:
    """Return the framework's plugin that creates a span for every call."""
    from litestar.plugins import opentelemetry  # noqa: PLC0415

    return opentelemetry.OpenTelemetryPlugin(
        opentelemetry.OpenTelemetryConfig(
            scope_span_details_extractor=_named,
            server_request_hook_handler=_begun,
            exclude_spans=["receive", "send"],
        )
    )


def _named(scope: Scope) -> tuple[str, dict[str, Any]]:
    """Name a span by method and first path segment. Ids would give every match its own name."""
    first = scope["path"].split("/")[1]
    return f"{scope.get('method', '')} /{first}", {}


def _begun(span: Any, scope: dict[str, Any]) -> None:
    """Join a call's span to its log lines and to the figures that are taken of it."""
    _without_query(span, scope)
    span.set_attribute("shiplog.request", scope["state"].get("request_id", ""))
    context = span.get_span_context()
    if context.trace_flags.sampled:
        recorded_trace.set(f"{context.trace_id:032x}")


def _without_query(span: Any, scope: dict[str, Any]) -> None:
    """Reduce addresses to the path."""
    written: Any = getattr(span, "attributes", None) or {}
    for name in SPOKEN_OF:
        if name in written:
            span.set_attribute(name, scope["path"])
    for name in SILENT:
        if name in written:
            span.set_attribute(name, "")


def _without_arguments(span: Any, _instance: Any, args: Any, _more: Any) -> None:
    """Reduce a Redis command to its name: keys and values reveal players and matches."""
    command = args[0] if args and isinstance(args[0], str | bytes) else "pipeline"
    span.set_attribute(
        "db.statement", command.decode() if isinstance(command, bytes) else str(command)
    )
