"""What every log line of a request, a socket's command or a task carries: ids, and nothing that a card could be.

Lines are joined by `request_id`; `game`, `version`, `seat`, `player` (an id) and `command_id` stand where
known. They are kept in one context variable and looked at only when a line is written: on the way of a move, learning
costs next to nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

ACCEPTABLE = re.compile(r"[A-Za-z0-9_.\-]{1,64}")

_known: ContextVar[Mapping[str, str | int]] = ContextVar("repli_known", default={})  # noqa: B039  (never changed)


def learnt(**ids: str | int) -> None:
    """The ids are known from now on, in this request, socket or task."""
    _known.set({**_known.get(), **ids})


class joined:  # noqa: N801  (used as a function; a generator would cost three times as much)
    """Lines inside the block carry these ids; what is learnt inside is forgotten behind it."""

    __slots__ = ("_before", "_ids")

    def __init__(self, **ids: str | int) -> None:
        self._ids = ids

    def __enter__(self) -> None:
        self._before = _known.set({**_known.get(), **self._ids})

    def __exit__(self, *_: object) -> None:
        _known.reset(self._before)


def known(name: str) -> str | int | None:
    return _known.get().get(name)


def merge(_logger: Any, _method: str, line: dict[str, Any]) -> dict[str, Any]:
    """A step of structlog: put what is known into a line, which says itself what it says."""
    for name, value in _known.get().items():
        line.setdefault(name, value)
    return line


def request_id(given: str | None, made: str) -> str:
    """The id that a client or a proxy gave, if it looks like one; else the one made for it."""
    return given if given and ACCEPTABLE.fullmatch(given) else made


def told(given: str) -> str:
    """A client's own id as the log shows it: as it is where it looks like an id, else its digest."""
    if ACCEPTABLE.fullmatch(given):
        return given
    return f"sha256:{hashlib.sha256(given.encode('utf-8', 'replace')).hexdigest()[:16]}"
