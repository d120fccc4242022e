"""Spans by OpenTelemetry's own SDK: what there is one for, what hangs below what, and that they tell nothing unsafe."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from django.conf import settings

from config.observability import labels, tracing
from config.observability.http import measured
from games import tasks
from games.services.threads import in_thread
from tests.games import at_game, hub_stopped, moved, somebody, started, state_of, unique

sdk = pytest.importorskip("opentelemetry.sdk.trace.export", reason="OpenTelemetry is not installed")
memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")

SECRET = "QH-of-seat-2"


@pytest.fixture
def spans() -> Iterator[Any]:
    """The exporter that keeps all finished spans."""
    exporter = memory.InMemorySpanExporter()
    tracing.trace_by(sdk.SimpleSpanProcessor(exporter), 1.0, "web")
    yield exporter
    tracing.shut_down()


def of(exporter: Any, name: str) -> list[Any]:
    return [span for span in exporter.get_finished_spans() if span.name == name]


def test_a_batch_has_a_span_below_whoever_waits_for_it(spans: Any) -> None:
    ada, bob = somebody(), somebody()
    game_id = started([ada, bob])
    card = min(state_of(game_id).hands[0], key=str)
    spans.clear()
    with tracing.span("http request"):
        moved(ada, game_id, {"type": "pick", "card": str(card)})

    (request,), (append,) = of(spans, "http request"), of(spans, "append")
    assert append.parent.span_id == request.context.span_id


async def test_a_sockets_command_and_the_batch_that_it_is_written_in_have_spans(spans: Any) -> None:
    ada, bob = await in_thread(somebody), await in_thread(somebody)
    game_id = await in_thread(started, [ada, bob])
    try:
        async with at_game(ada, game_id) as (client, welcome):
            action = {"type": "pick", "card": welcome["game"]["state"]["hand"][0]}
            spans.clear()
            await client.send(type="move", command_id="c1", action=action)
            await client.of("events")
            await client.send(type=unique("made-up"))
            await client.of("error")
    finally:
        await hub_stopped()

    command, refused = of(spans, "socket command")
    (append,) = of(spans, "append")
    assert dict(command.attributes) == {"repli.socket": "game", "repli.message": "move", "repli.result": "accepted"}
    assert dict(refused.attributes) == {"repli.socket": "game", "repli.message": "other", "repli.result": "validation"}
    assert dict(append.attributes) == {"repli.batch_size": 1, "repli.stood": 1}
    assert append.parent is None, "a batch may hold the moves of many"


async def test_a_request_tells_route_method_and_status(spans: Any) -> None:
    async def answers(scope: Any, _: Any, send: Any) -> None:
        scope["repli.route"] = "healthz"
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def nothing(_: Any = None) -> None:
        return None

    await measured(answers)({"type": "http", "method": "BREW", "path": f"/{SECRET}"}, nothing, nothing)

    (span,) = of(spans, "http request")
    assert dict(span.attributes) == {
        "http.route": "healthz",
        "http.request.method": "other",
        "http.response.status_code": 200,
    }


def test_a_task_has_a_span(spans: Any) -> None:
    tasks.count.apply()

    (span,) = of(spans, "task")
    assert dict(span.attributes) == {"repli.task": "games.tasks.count"}


def test_a_failure_is_told_by_its_kind_alone(spans: Any) -> None:
    def fails() -> None:
        with tracing.span("task") as told:
            told.note("repli.task", SECRET)
            told.note(SECRET, 1)
            told.note("repli.batch_size", SECRET)
            raise ValueError(SECRET)

    with pytest.raises(ValueError, match=SECRET):
        fails()

    (span,) = of(spans, "task")
    assert span.status.is_ok is False
    assert dict(span.attributes) == {"repli.task": labels.OTHER, "repli.batch_size": 0, "error.type": "ValueError"}
    assert SECRET not in span.to_json()


def test_no_span_of_a_game_names_a_player_a_game_or_a_card(spans: Any) -> None:
    ada, bob = somebody(), somebody()
    game_id = started([ada, bob])
    tasks.look_after.apply(args=(game_id,))
    with pytest.raises(Exception):  # noqa: B017  (whatever it is)
        moved(ada, game_id, {"type": "pick", "card": SECRET})

    finished = spans.get_finished_spans()
    told = "".join(span.to_json() for span in finished)
    assert {span.name for span in finished} <= set(tracing.NAMES)
    assert {name for span in finished for name in span.attributes} <= {*tracing.ATTRIBUTES, "error.type"}
    assert not any(secret in told for secret in (ada.id, game_id, SECRET))


def test_switched_off_it_costs_no_import_and_tells_nobody() -> None:
    assert settings.REPLI.otlp_endpoint is None
    tracing.switch_on(settings.REPLI)

    with tracing.span("append") as told:
        told.note("repli.batch_size", 1)

    assert tracing.span("append") is tracing.span("task")


def test_spans_are_sent_to_the_endpoint() -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="the extra otel is not installed")
    asked: list[tuple[str, int]] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append((self.path, len(self.rfile.read(int(self.headers["Content-Length"])))))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}"
        try:
            tracing.switch_on(settings.REPLI.model_copy(update={"otlp_endpoint": f"{address}/"}))
            with tracing.span("append"):
                pass
            tracing.shut_down()
        finally:
            server.shutdown()
            thread.join()

    assert [path for path, _ in asked] == ["/v1/traces"]
    assert asked[0][1] > 0
    assert tracing.span("append") is tracing.span("task")
