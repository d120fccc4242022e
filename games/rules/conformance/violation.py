"""How the conformance suite says that a ruleset broke its promise."""

from __future__ import annotations

from typing import Any


class Violation(AssertionError):
    """A promise of the protocol that did not hold; `facts` say where, for a person who has to find the fault."""

    def __init__(self, promise: str, **facts: Any) -> None:
        super().__init__(promise)
        self.promise = promise
        self.facts = facts

    def __str__(self) -> str:
        return "\n  ".join([self.promise, *(f"{name}: {fact!r}" for name, fact in self.facts.items())])


def demand(holds: object, promise: str, **facts: Any) -> None:
    """Raise Violation unless the promise holds."""
    if not holds:
        raise Violation(promise, **facts)
