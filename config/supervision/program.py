"""What there is to run: the description of one program, with no life of its own."""

import signal
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from config.embedded.privileges import ServiceUser


async def always() -> bool:
    """The probe of a program that needs none: it is ready as soon as it runs."""
    return True


async def surely(_seconds: float) -> bool:
    """The sign of life of a program that is only watched for its end."""
    return True


def nothing() -> None:
    """The preparation of a program that needs none."""


@dataclass(frozen=True, kw_only=True)
class Program:
    """One program of the stack.

    `answers` tells whether it is ready for work; where nobody can be asked, its output `says` so, or a few seconds
    pass (a log level may hide that line). `lives` is asked now and then, with the seconds since it was ready: no
    means that it runs without working, and starts anew, as it does when a program of `restart_after` came back.
    `before` runs before each start, when no earlier run of it (nor a child of one) is alive any more. `stop` asks it
    to end; after `grace` seconds `force` is sent. `orphan` is what the kernel sends it when the supervisor itself is
    gone. Output lines with a word of `noise` are not shown.
    """

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    user: ServiceUser | None = None
    needs: tuple[str, ...] = ()
    answers: Callable[[], Awaitable[bool]] = always
    says: str = ""
    lives: Callable[[float], Awaitable[bool]] = surely
    noise: tuple[str, ...] = ()
    before: Callable[[], None] = nothing
    start_limit: float = 60.0
    stop: signal.Signals = signal.SIGTERM
    grace: float = 10.0
    force: signal.Signals = signal.SIGKILL
    orphan: signal.Signals = signal.SIGKILL
    restart_after: frozenset[str] = field(default_factory=frozenset)
