"""What the log says when a server that we depend on is away."""

from __future__ import annotations

import logging
from typing import Any

import psycopg
import pytest
import redis
from celery.beat import SchedulingError
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db.utils import OperationalError, ProgrammingError


def line(logger: str, error: BaseException, message: str = "It failed:\nstack") -> str:
    """The line that our formatter makes of an exception."""
    made: dict[str, Any] = settings.LOGGING["formatters"]["repli"]
    formatter: logging.Formatter = made["()"](
        processors=made["processors"], foreign_pre_chain=made["foreign_pre_chain"]
    )
    record = logging.LogRecord(logger, logging.ERROR, __file__, 1, message, (), None)
    record.exc_info = (type(error), error, error.__traceback__)
    return formatter.format(record)


def raised(error: Exception, during: Exception | None = None) -> Exception:
    """The error with the frames and the context that raising gives it."""

    def fail(what: Exception) -> None:
        raise what

    try:
        try:
            fail(during or error)
        finally:
            fail(error)
    except Exception as caught:  # noqa: BLE001
        return caught
    raise AssertionError("it fails")


@pytest.mark.parametrize(
    "error", [OperationalError("h"), psycopg.OperationalError("h"), redis.ConnectionError("h"), SchedulingError("h")]
)
def test_an_outage_is_one_line_with_its_kind(error: Exception) -> None:
    said = line("games.tasks", raised(error))

    assert type(error).__name__ in said
    assert said.count("\n") == 0
    assert "File" not in said


def test_every_other_error_keeps_its_frames_also_while_a_server_was_away() -> None:
    assert "File" in line("games.tasks", raised(ProgrammingError("h")))
    assert "File" in line("games.tasks", raised(AttributeError("h"), during=redis.ConnectionError("h")))


@pytest.mark.parametrize(
    "logger,error",
    [
        ("django.security.DisallowedHost", DisallowedHost("evil.example")),
        ("uvicorn.error", UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")),
    ],
)
def test_what_a_stranger_sent_wrong_is_one_line(logger: str, error: Exception) -> None:
    assert line(logger, raised(error)).count("\n") == 1  # the message has two lines itself


@pytest.mark.parametrize("error", [OperationalError("quoted"), ValueError("quoted")])
def test_a_task_that_failed_is_told_without_the_errors_message(error: Exception) -> None:
    said = line("celery.app.trace", raised(error), f"Task games.tasks.sweep[1] raised unexpected: {error!r}")

    assert "games.tasks.sweep[1] raised unexpected" in said
    assert type(error).__name__ in said
    assert "quoted" not in said


def test_celerys_stumbling_over_a_lost_broker_is_one_line_too() -> None:
    said = line("celery.worker", raised(AttributeError("h"), during=redis.ConnectionError("h")))

    assert "ConnectionError" in said
    assert "File" not in said
