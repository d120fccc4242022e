"""Log lines: structlog for ours and the standard library's alike; never a token, a seed or a hidden card.

Lines carry ids, versions, seats and codes. Events, actions, bodies and headers are never logged.
"""

from __future__ import annotations

import logging
from typing import Any

import structlog

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def _without_sockets(record: logging.LogRecord) -> bool:
    """Drop uvicorn's lines for each socket: they hold its whole address, a private game's code included."""
    said = str(record.msg)
    return '"WebSocket %s"' not in said and not said.startswith("connection ")


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
    final: list[Any] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
        if style == "json"
        else [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"sockets": {"()": lambda: _without_sockets}},
        "formatters": {
            "repli": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *final],
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
            "uvicorn.error": {"level": level, "filters": ["sockets"]},
        },
    }
