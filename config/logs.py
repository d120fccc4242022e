"""Log lines: structlog for ours and the standard library's alike; never a token, a seed or a hidden card.

Lines carry ids, versions, seats and codes. Events, actions, bodies and headers are never logged, whatever the level.
Of an exception its kind and its place in the code are told, never its message, which might quote a card.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import Any

import structlog

from config.observability import context

_SHARED: list[Any] = [
    context.merge,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def _without_sockets(record: logging.LogRecord) -> bool:
    """Drop uvicorn's lines for each socket: they hold its whole address, a private game's code included."""
    said = str(record.msg)
    return '"WebSocket %s"' not in said and not said.startswith("connection ")


def _without_message(_logger: Any, _method: str, line: dict[str, Any]) -> dict[str, Any]:
    """Put kinds and frames in the place of an exception: a library's message may hold a stored row, ours an event."""
    given = line.pop("exc_info", None)
    if given is True:
        given = sys.exc_info()
    error = given[1] if isinstance(given, tuple) else given
    if isinstance(error, BaseException):
        if _of_a_stranger(line, error):
            return line
        if line.get("logger") == "celery.app.trace":  # it writes the error's message into its own
            line["event"], _, _ = str(line["event"]).partition(": ")
        return _briefly(line, error) or line | {"exception": "\n".join(_told(error))}
    return line


def _of_a_stranger(line: dict[str, Any], error: BaseException) -> bool:
    """Whether the fault lies in what somebody sent: our frames explain nothing and anybody could fill the log."""
    logger = str(line.get("logger"))
    return logger.startswith("django.security.") or (logger == "uvicorn.error" and isinstance(error, UnicodeError))


def _told(error: BaseException) -> Iterator[str]:
    """An exception and what led to it, the first one first; each once."""
    chain: list[BaseException] = []
    todo: list[BaseException | None] = [error]
    while todo:
        one = todo.pop()
        if one is None or one in chain:
            continue
        chain.append(one)
        todo += [one.__cause__, None if one.__suppress_context__ else one.__context__]
        todo += one.exceptions if isinstance(one, BaseExceptionGroup) else ()
    for one in reversed(chain):
        yield f"{_frames(one.__traceback__)}{type(one).__module__}.{type(one).__qualname__}"


def _frames(trace: TracebackType | None) -> str:
    return "".join(traceback.format_list(traceback.extract_tb(trace)))


def _briefly(line: dict[str, Any], error: BaseException) -> dict[str, Any] | None:
    """The line without frames where a server was away, whoever logged it: they would only lead to the network."""
    from config.outages import named, outage  # only now: it loads what must not be loaded before the settings

    # Celery stumbles over a lost broker in many ways; what it was about to handle tells that it was one.
    found = outage(error, behind=str(line.get("logger")).startswith("celery"))
    if found is None:
        return None
    event, _, _ = str(line["event"]).partition("\n")
    return line | {"event": event, "error": named(found)}


def logging_config(style: str, level: str) -> dict[str, Any]:
    """Configure structlog and return Django's LOGGING. `style` is "console" or "json"."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    final = structlog.processors.JSONRenderer() if style == "json" else structlog.dev.ConsoleRenderer(colors=False)
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"sockets": {"()": lambda: _without_sockets}},
        "formatters": {
            "repli": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    _without_message,
                    final,
                ],
                "foreign_pre_chain": _SHARED,
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "repli"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True, "level": level},
            "django.request": {"level": "ERROR"},  # refusals are an everyday outcome
            "celery": {"level": level},
            "celery.app.trace": {"level": "WARNING"},  # two lines a task would drown the rest
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
            "uvicorn": {"handlers": [], "propagate": True, "level": level},  # not in a form of its own
            # Addresses hold private games' codes; dictConfig would revive what --no-access-log has silenced.
            "uvicorn.access": {"handlers": [], "propagate": False, "level": "CRITICAL"},
            # Below this, uvicorn's sockets log every frame and the handshake's headers, tokens included.
            "uvicorn.error": {"level": "INFO" if level == "DEBUG" else level, "filters": ["sockets"]},
            "uvicorn.asgi": {"level": "INFO" if level == "DEBUG" else level},
            "websockets": {"level": "INFO" if level == "DEBUG" else level},
        },
    }
