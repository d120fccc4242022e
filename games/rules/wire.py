"""From JSON values to typed options and actions, and the pages that people read. Shared by every ruleset.

Invariant: whatever does not fit its type is refused as `Invalid` with the member at fault and a stable word for what
is wrong with it; nothing is guessed, converted or dropped.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import msgspec

from games.rules.cards import Card
from games.rules.errors import Invalid
from games.rules.ruleset import Language

_PATH = re.compile(r" - at `\$\.?(?P<path>.*)`$")
_CODES = (  # msgspec's sentences are stable; the member's name stands in them, or where they say it is
    (re.compile(r"Object contains unknown field `(?P<member>[^`]*)`"), "unexpected"),
    (re.compile(r"Object missing required field `(?P<member>[^`]*)`"), "required"),
    (re.compile(r"Invalid (enum )?value"), "choice"),
    (re.compile(r"Expected `\w+` (of length )?[<>]=? "), "range"),
)


def read(given: object, kind: Any) -> Any:
    """`given` as that type (a struct or a union of tagged ones). Raises Invalid."""
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise _invalid(str(error)) from None


def _invalid(sentence: str) -> Invalid:
    found = _PATH.search(sentence)
    path = found["path"] if found else ""
    for pattern, code in _CODES:
        if match := pattern.match(sentence):
            member = match.groupdict().get("member", "")
            return Invalid(".".join(part for part in (path, member) if part), code)
    return Invalid(path, "type")


def known_card(card: Card, pack: tuple[Card, ...], field: str = "card") -> None:
    """Refuse a card that the game's pack does not hold, as one refuses an unknown word."""
    if card not in pack:
        raise Invalid(field, "choice")


def page(package: str, language: Language) -> str:
    """The rules page of a ruleset's folder, Markdown."""
    return files(package).joinpath(f"rules.{language}.md").read_text("utf-8")
