"""What the clients saw: every command with its outcome, every answer and closed socket, every broken promise."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

Outcome = Literal["open", "acknowledged", "refused", "unknown"]
RETRY_CODES = {1001, 1005, 1006, 1012, 1013, 4409}  # closes after which a client comes back with `after`


@dataclass(kw_only=True)
class Command:
    """One move of one client. `unknown`: an attempt ended without a word on whether it stands, and none followed."""

    id: str
    game_id: str
    player_id: str
    body: dict[str, Any]  # as REST takes it: action and expected_version
    begun: float = field(default_factory=time.monotonic)
    attempts: int = 0
    outcome: Outcome = "open"
    in_flight: bool = False
    version: int = 0
    receipt: str = ""
    code: str = ""
    answered: float = 0.0


class Journal:
    """Shared by all clients of a drill."""

    def __init__(self) -> None:
        self.commands: dict[str, Command] = {}
        self.in_flight: set[str] = set()
        self.acknowledged = 0
        self.answers: Counter[str] = Counter()  # REST: status and code; sockets: error codes
        self.closes: Counter[str] = Counter()
        self.reopened = 0  # sockets that were opened after an earlier one of the same client had been closed
        self.broken: list[str] = []  # promises that were not kept, in words
        self.last_acknowledged = 0.0
        self.newest_acknowledged = 0.0  # when the youngest acknowledged command was begun

    def begin(self, command: Command) -> None:
        self.commands[command.id] = command

    def sent(self, command: Command) -> None:
        command.attempts += 1
        command.outcome = "open"
        self.in_flight.add(command.id)

    def acknowledge(self, command: Command, version: int, receipt: str) -> None:
        command.outcome, command.version, command.receipt = "acknowledged", version, receipt
        command.answered = self.last_acknowledged = time.monotonic()
        self.newest_acknowledged = max(self.newest_acknowledged, command.begun)
        self.acknowledged += 1
        self.in_flight.discard(command.id)

    def refuse(self, command: Command, code: str) -> None:
        command.outcome, command.code = "refused", code
        self.in_flight.discard(command.id)

    def lose(self, command: Command) -> None:
        """No answer, or one that says nothing about whether the move stands."""
        command.outcome = "unknown"
        self.in_flight.discard(command.id)

    def answer(self, kind: str, status: int, code: str, *, retry_after: bool = True) -> None:
        self.answers[f"{kind} {status or ''} {code}".replace("  ", " ")] += 1
        if status >= 500 and status != 503:
            self.promise(f"{kind} answered {status} {code}")
        if status == 503 and (code != "unavailable" or not retry_after):
            self.promise(f"{kind} answered 503 with code {code!r}, Retry-After: {retry_after}")

    def handshake(self, status: int, retry_after: bool) -> None:
        """A socket was refused; only a process that leaves, or whose database is away, may do that."""
        self.answers[f"socket refused {status}"] += 1
        if status != 503 or not retry_after:
            self.promise(f"a handshake was answered {status}, Retry-After: {retry_after}")

    def closed(self, code: int) -> None:
        self.closes[str(code)] += 1
        if code not in RETRY_CODES:
            self.promise(f"a socket was closed with {code}, after which a client does not come back")

    def promise(self, words: str) -> None:
        """Note a broken promise."""
        self.broken.append(words)
