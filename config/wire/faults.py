"""What can be wrong with one member of a request, in words: the values of a problem's `errors`.

Must live here: the sentences that any request may need, and how msgspec's refusals become them. Must not: a sentence of
one app (apps add theirs with `describe_faults`). A fault is put into a language only when it is sent.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from config.wire.problems import Language, Problem

SENTENCES: dict[str, dict[Language, str]] = {
    "malformed": {"en": "This is not valid JSON", "fr": "Ce n'est pas du JSON valide"},
    "object": {"en": "An object is expected", "fr": "Un objet est attendu"},
    "depth": {"en": "Nested too deeply", "fr": "Imbrication trop profonde"},
    "text": {"en": "Holds a character that is not allowed", "fr": "Contient un caractère interdit"},
    "required": {"en": "This member is required", "fr": "Ce membre est obligatoire"},
    "unexpected": {"en": "This member is not known", "fr": "Ce membre est inconnu"},
    "repeated": {"en": "Given more than once", "fr": "Indiqué plusieurs fois"},
    "type": {"en": "Expected {expected}, got {got}", "fr": "{expected} attendu, {got} reçu"},
    "bound": {"en": "Must be {bound}", "fr": "Doit être {bound}"},
    "length": {"en": "Its length must be {bound}", "fr": "Sa longueur doit être {bound}"},
    "pattern": {"en": "Holds a character that is not allowed", "fr": "Contient un caractère interdit"},
    "choice": {"en": "Not one of the possible values", "fr": "Ne fait pas partie des valeurs possibles"},
    "id": {"en": "This is not an id", "fr": "Ce n'est pas un identifiant"},
    "value": {"en": "This value is not possible", "fr": "Cette valeur n'est pas possible"},
    "cursor": {"en": "This is not a cursor of this list", "fr": "Ce n'est pas un curseur de cette liste"},
}

_AT = re.compile(r"^(?P<sentence>.*) - at `\$(?P<path>.*)`$", re.DOTALL)
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_KNOWN = (
    (re.compile(r"Object missing required field `(?P<member>.*)`"), "required"),
    (re.compile(r"Object contains unknown field `(?P<member>.*)`"), "unexpected"),
    (re.compile(r"Expected `(?:str|array|object|bytes)` of length (?P<bound>.*)"), "length"),
    (re.compile(r"Expected `(?P<expected>.*)`, got `(?P<got>.*)`"), "type"),
    (re.compile(r"Expected `(?:int|float|decimal)` (?P<bound>[<>]=? .*)"), "bound"),
    (re.compile(r"Expected `str` matching"), "pattern"),
    (re.compile(r"Invalid UUID"), "id"),
    (re.compile(r"Invalid (?:enum )?value"), "choice"),
)


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One fault: a key of SENTENCES, the facts that it fills in, and where below the named member it lies."""

    key: str
    facts: dict[str, Any] = {}
    at: str = ""

    def text(self, language: Language) -> str:
        sentence = SENTENCES[self.key][language].format_map(self.facts)
        return f"{self.at}: {sentence}" if self.at else sentence


def describe_faults(sentences: dict[str, dict[Language, str]]) -> None:
    """Add an app's own sentences."""
    SENTENCES.update(sentences)


def invalid(**members: Fault | str) -> Problem:
    """A `validation` problem with one fault per member; text is taken as a key of SENTENCES."""
    return Problem(
        "validation",
        errors={name: [Fault(key=fault) if isinstance(fault, str) else fault] for name, fault in members.items()},
    )


def located(error: msgspec.ValidationError, member: str = "") -> tuple[str, Fault]:
    """The member of the request that msgspec refused ("body" for the whole), and its fault."""
    match = _AT.match(str(error))
    sentence = match["sentence"] if match else str(error)
    steps = [name or index for name, index in _STEP.findall(match["path"])] if match else []
    steps = [member, *steps] if member else steps
    for pattern, key in _KNOWN:
        if found := pattern.match(sentence):
            facts = found.groupdict()
            if name := facts.pop("member", None):
                steps.append(name)
            return _at(steps, key, facts)
    return _at(steps, "value", {})


def _at(steps: list[str], key: str, facts: dict[str, Any]) -> tuple[str, Fault]:
    if not steps:
        return "body", Fault(key=key, facts=facts)
    return steps[0][:64], Fault(key=key, facts=facts, at=".".join(steps[1:])[:200])
