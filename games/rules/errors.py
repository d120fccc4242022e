"""The three ways in which rules say no. Each carries a stable code and facts, never a sentence.

Sentences for people live with the transports, in the reader's language.
"""

from __future__ import annotations

from typing import Any


class Refusal(Exception):
    """Something that the rules do not accept; `facts` are safe to show to whoever asked."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class RuleViolation(Refusal):
    """The action is well formed but against the rules; `code` names the broken rule (details.md, Shapes)."""


class NotYourTurn(Refusal):
    """The seat has nothing to do now."""

    def __init__(self, **facts: Any) -> None:
        super().__init__("not-your-turn", **facts)


class Invalid(Refusal):
    """A malformed action or option: `field` is the member at fault, `code` a stable word for what is wrong with it.

    Codes: `unknown`, `type`, `required`, `range`, `choice`, `unexpected`, `conflict`.
    """

    def __init__(self, field: str, code: str, **facts: Any) -> None:
        super().__init__(code, **facts)
        self.field = field
