"""Spans by OpenTelemetry, for whoever sets `REPLI_OTLP_ENDPOINT` and has installed the extra `otel`.

Must live here: all that touches OpenTelemetry, imported only when it is switched on. Invariant: an attribute's name is
one of `ATTRIBUTES` and its value a number or a word of the same closed sets as the metrics' labels; an exception is
told by its kind alone, since its message might quote a card.
"""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Protocol

from config.environment import Environment
from config.observability.labels import closed

# name of the attribute: the label whose closed set its words are of; None: a number
ATTRIBUTES: dict[str, str | None] = {
    "http.request.method": "method",
    "http.route": "route",
    "http.response.status_code": None,
    "repli.message": "message",
    "repli.socket": "kind",
    "repli.result": "result",
    "repli.rules": "rules",
    "repli.batch_size": None,
    "repli.stood": None,
    "repli.task": "task",
}
NAMES = ("http request", "socket command", "append", "task")


class Span(Protocol):
    """What a caller may do to a span."""

    def note(self, name: str, value: str | float) -> None:
        """Add an attribute; what is not safe is left out."""


class _Off:
    def note(self, name: str, value: str | float) -> None:
        """Nobody listens."""


class _On:
    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def note(self, name: str, value: str | float) -> None:
        if name in ATTRIBUTES:
            self._inner.set_attribute(name, safe(name, value))


_off: AbstractContextManager[Span] = nullcontext(_Off())
_tracer: Any = None
_provider: Any = None


def span(name: str) -> AbstractContextManager[Span]:
    """A span around a block, inside the one that surrounds it; nearly free while tracing is off."""
    return _off if _tracer is None else _spanned(name)


@contextmanager
def _spanned(name: str) -> Iterator[Span]:
    from opentelemetry.trace import Status, StatusCode

    with _tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False) as inner:
        try:
            yield _On(inner)
        except BaseException as error:
            inner.set_attribute("error.type", type(error).__qualname__)
            inner.set_status(Status(StatusCode.ERROR))
            raise


def safe(name: str, value: str | float) -> str | float:
    """The value as it may be told."""
    label = ATTRIBUTES[name]
    if label is None:
        return value if isinstance(value, int | float) else 0
    return closed(label, str(value))


def switch_on(environment: Environment) -> None:
    """Send spans to the endpoint of the settings, if it is set. Raises RuntimeError without the extra."""
    if environment.otlp_endpoint is None or _tracer is not None:
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise RuntimeError(
            "REPLI_OTLP_ENDPOINT is set, but OpenTelemetry is not installed: uv sync --extra otel"
        ) from None
    endpoint = f"{environment.otlp_endpoint.rstrip('/')}/v1/traces"
    trace_by(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)), environment.otlp_share, environment.process)


def trace_by(processor: Any, share: float, process: str) -> None:
    """Give finished spans to this processor, a share of the traces, until `shut_down`."""
    global _tracer, _provider
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

    provider = TracerProvider(
        resource=Resource({"service.name": "repli", "service.instance.id": process}),
        sampler=ParentBased(TraceIdRatioBased(share)),
        shutdown_on_exit=False,
    )
    provider.add_span_processor(processor)
    _tracer, _provider = provider.get_tracer("repli"), provider
    atexit.register(shut_down)


def shut_down() -> None:
    """Send what has not been sent yet; spans go nowhere from now on. Later calls do nothing."""
    global _tracer, _provider
    provider, _tracer, _provider = _provider, None, None
    if provider is not None:
        provider.shutdown()
