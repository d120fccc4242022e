"""Every log line at its most talkative, as the product's own formatter writes it, less the time it was written at."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

CONNECTIONS = ("redis.", "push_response", "psycopg", "asyncio")
_WRITTEN_AT = re.compile(r"^\S*Z ")


class Lines(logging.Handler):
    """Lines by the phase that they were written in."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.by_phase: dict[str, list[str]] = {}
        self.phase = ""
        formatters = [handler.formatter for handler in logging.getLogger().handlers if handler.formatter]
        self.setFormatter(next(f for f in formatters if type(f).__module__.startswith("structlog")))

    def filter(self, record: logging.LogRecord) -> bool:
        """What drivers whisper about their connections comes when they like, in any thread."""
        return record.levelno > logging.DEBUG or not record.name.startswith(CONNECTIONS)

    def emit(self, record: logging.LogRecord) -> None:
        self.by_phase.setdefault(self.phase, []).append(_WRITTEN_AT.sub("", self.format(record)))


@contextmanager
def noted() -> Iterator[Lines]:
    """Everything that is logged meanwhile; nothing is held back by a level."""
    named = [each for each in logging.root.manager.loggerDict.values() if isinstance(each, logging.Logger)]
    loggers = [logging.getLogger(), *(each for each in named if each.level)]
    lines, console = Lines(), [(handler, handler.level) for handler in loggers[0].handlers]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    for handler, _ in console:
        handler.setLevel(logging.ERROR)  # nobody reads it there
    loggers[0].addHandler(lines)
    try:
        yield lines
    finally:
        loggers[0].removeHandler(lines)
        for handler, level in console:
            handler.setLevel(level)
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
