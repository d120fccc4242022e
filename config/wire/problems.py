"""Problem details (RFC 9457): the one form in which any transport says no.

Must live here: codes, statuses, and titles and details in each language. Must not: anything that knows a game.
Codes never change; facts are members that are safe to show to whoever asked (api.md, General).
"""

from __future__ import annotations

from typing import Any, Literal

Language = Literal["en", "fr"]

STATUS: dict[str, int] = {
    "validation": 400,
    "unauthenticated": 401,
    "forbidden": 403,
    "not-found": 404,
    "method-not-allowed": 405,
    "stale-version": 409,
    "not-your-turn": 409,
    "game-state": 409,
    "idempotency-mismatch": 409,
    "too-large": 413,
    "unsupported-media-type": 415,
    "illegal-move": 422,
    "throttled": 429,
    "internal": 500,
    "unavailable": 503,
}

TITLES: dict[str, dict[Language, str]] = {
    "validation": {"en": "The request is not valid", "fr": "La requête n'est pas valide"},
    "unauthenticated": {"en": "Sign in first", "fr": "Il faut d'abord s'identifier"},
    "forbidden": {"en": "Not allowed", "fr": "Action non autorisée"},
    "not-found": {"en": "Not found", "fr": "Introuvable"},
    "method-not-allowed": {"en": "Method not allowed", "fr": "Méthode non autorisée"},
    "stale-version": {"en": "The game has moved on", "fr": "La partie a déjà avancé"},
    "not-your-turn": {"en": "It is not your turn", "fr": "Ce n'est pas votre tour"},
    "game-state": {"en": "Not possible now", "fr": "Impossible à ce stade de la partie"},
    "idempotency-mismatch": {"en": "This key was used otherwise", "fr": "Cette clé a déjà servi autrement"},
    "too-large": {"en": "Too large", "fr": "Requête trop volumineuse"},
    "unsupported-media-type": {"en": "JSON is expected", "fr": "Du JSON est attendu"},
    "illegal-move": {"en": "Against the rules", "fr": "Coup contraire aux règles"},
    "throttled": {"en": "Too many requests", "fr": "Trop de requêtes"},
    "internal": {"en": "Something went wrong on our side", "fr": "Une erreur est survenue de notre côté"},
    "unavailable": {"en": "Not available for a moment", "fr": "Momentanément indisponible"},
}


class Problem(Exception):
    """A refusal on its way to a client. `facts` become members; `detail` a key of DETAILS or None."""

    def __init__(self, code: str, detail: str | None = None, /, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.facts = facts

    @property
    def status(self) -> int:
        return STATUS[self.code]


# Sentences that say more than the title, by key; facts may be filled in.
DETAILS: dict[str, dict[Language, str]] = {}


def describe(details: dict[str, dict[Language, str]]) -> None:
    """Add an app's own sentences."""
    DETAILS.update(details)


def body(problem: Problem, language: Language) -> dict[str, Any]:
    """The members shared by HTTP and sockets: title, detail, code and facts."""
    title = TITLES[problem.code][language]
    sentence = DETAILS.get(problem.detail or "", {}).get(language, title)
    facts = problem.facts
    if errors := facts.get("errors"):
        facts = {**facts, "errors": {name: [_text(fault, language) for fault in of] for name, of in errors.items()}}
    return {"title": title, "detail": sentence.format_map(facts), "code": problem.code, **facts}


def _text(fault: Any, language: Language) -> str:
    """A fault of `config.wire.faults` in that language, or a sentence that stands already."""
    return str(fault.text(language) if hasattr(fault, "text") else fault)


def http_body(problem: Problem, language: Language, request_id: str | None) -> dict[str, Any]:
    """The whole problem+json document."""
    document = {"type": f"about:blank#{problem.code}", "status": problem.status, **body(problem, language)}
    if request_id:
        document["request_id"] = request_id
    return document
