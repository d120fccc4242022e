"""The closed sets that labels of metrics and attributes of spans are taken from.

Must live here: the sets, and the way into them. Apps add their own words when they are loaded, all of them words of our
code; whatever else arrives is told as `other`. So the number of series has a bound, whoever sends whatever.
"""

from __future__ import annotations

from collections.abc import Iterable

from config.wire.problems import STATUS

OTHER = "other"
NONE = "none"

CLOSED: dict[str, set[str]] = {
    "rules": {NONE},  # none: refused before the game was looked at, or answered from the receipt
    "result": {"accepted", "repeated", *STATUS},
    "by": {"player", "bot", "clock", "service"},
    "stands": {"yes", "no"},  # no: another append was faster, or the key was used before
    "kind": {"game", "me", "lobby"},
    "message": {"move", "resume", "ping", "sync"},
    "code": {"1000", "1005", "1006"},
    "way": {"local", "bus"},
    "cache": set(),
    "found": {"hit", "behind", "miss"},
    "lost": {"wake", "hint", "beat"},
    "route": {"static", "unmatched"},
    "method": {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"},
    "status": {NONE, "1xx", "2xx", "3xx", "4xx", "5xx"},
    "task": set(),
    "outcome": {"done", "failed", "put_off"},
    "source": set(),
    "beat": set(),
    "consumer": set(),
    "queue": set(),
}


def add(label: str, words: Iterable[str]) -> None:
    """Make these words possible values of a label; they must be words of our code."""
    CLOSED[label].update(words)


def closed(label: str, value: str) -> str:
    """The value if it is one of the label's words, else `other`."""
    return value if value in CLOSED[label] else OTHER
