"""What a proof has checked and what it has found, in plain words, in English and French."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from games.rules.proof.difference import Difference
from games.rules.proof.verifying import Proof
from games.rules.ruleset import Language
from games.rules.wording import Phrases, phrase

LONGEST = 160  # characters of a value that are quoted

_CHECKED: Phrases = {
    "en": {
        "seed": "The seed is the one that was committed to before the first card was dealt (SHA-256).",
        "order": "{events} events follow each other without a hole, and time never goes back.",
        "moves": "Moves decided once more under the rules of {rules}, with the same events: {moves}.",
        "deals": "All cards dealt and drawn come from the seed. Deals: {deals}; words of the random stream: {words}.",
        "papers": "Places, scores, seats and the final state are what the events say.",
        "chain": "The hash chain fits, link by link.",
        "receipts": "Receipts that were kept and fit: {receipts}.",
        "unproved": "Versions {first} to {last} were copied from game {source}; its own replay proves them.",
        "source": "The past that was copied from game {source} is proved by its replay.",
    },
    "fr": {
        "seed": "La graine est celle qui a été engagée avant la première carte (SHA-256).",
        "order": "{events} événements se suivent sans trou, et le temps ne recule jamais.",
        "moves": "Coups rejoués selon les règles de {rules}, avec les mêmes événements : {moves}.",
        "deals": "Toutes les cartes viennent de la graine. Donnes : {deals} ; mots du hasard : {words}.",
        "papers": "Places, scores, sièges et état final sont ce que disent les événements.",
        "chain": "La chaîne d’empreintes est juste, maillon par maillon.",
        "receipts": "Reçus gardés et conformes : {receipts}.",
        "unproved": "Les versions {first} à {last} viennent de la partie {source} ; sa propre relecture les prouve.",
        "source": "Le passé repris de la partie {source} est prouvé par sa relecture.",
    },
}

_FOUND: Phrases = {
    "en": {
        "unreadable": "{place} is not of the shape that it must have",
        "order": "{place} does not stand at its place in the stream",
        "time": "{place} has a time that cannot be",
        "seed": "{place} does not fit the seed and its commitment",
        "differs": "{place} is not what the rules, the seed and the events before it give",
        "missing": "{place} is missing",
        "surplus": "{place} comes after the end of the game",
        "illegal": "{place} is against the rules",
        "chain": "{place} is not what the hash chain was made over",
        "receipt": "{place}: the receipt that was kept for this version does not fit",
        "source": "{place} does not fit the game that this one was branched from",
        "event": "Event {seq}",
        "member": "Event {seq}, {member},",
        "stretch": "Events {since} to {seq}",
        "expected": "expected {expected}, found {found}",
    },
    "fr": {
        "unreadable": "{place} n’a pas la forme voulue",
        "order": "{place} n’est pas à sa place dans la suite",
        "time": "{place} a une heure impossible",
        "seed": "{place} ne correspond pas à la graine et à son engagement",
        "differs": "{place} n’est pas ce que donnent les règles, la graine et les événements précédents",
        "missing": "{place} manque",
        "surplus": "{place} vient après la fin de la partie",
        "illegal": "{place} est contraire aux règles",
        "chain": "{place} n’est pas ce sur quoi la chaîne d’empreintes a été faite",
        "receipt": "{place} : le reçu gardé pour cette version n’est pas conforme",
        "source": "{place} ne correspond pas à la partie d’origine",
        "event": "L’événement {seq}",
        "member": "L’événement {seq}, {member},",
        "stretch": "Les événements {since} à {seq}",
        "expected": "attendu {expected}, trouvé {found}",
    },
}


def checked(proof: Proof, language: Language) -> Iterator[str]:
    """One sentence for each thing that was checked and holds. For a proof without a difference."""
    facts: Mapping[str, Any] = msgspec.structs.asdict(proof)
    keys = ["seed", "order", "moves", "deals", "papers"]
    if proof.chained:
        keys.append("chain")
    if proof.receipts:
        keys.append("receipts")
    for key in keys:
        yield phrase(_CHECKED, language, key, **facts)
    if proof.unproved:
        first, last = proof.unproved
        yield phrase(_CHECKED, language, "unproved", first=first, last=last, source=proof.source)
    elif proof.source:
        yield phrase(_CHECKED, language, "source", source=proof.source)


def found(difference: Difference, language: Language) -> str:
    """The difference as a sentence that names its place."""
    sentence = phrase(_FOUND, language, difference.problem, place=_place(difference, language))
    if difference.expected is None and difference.found is None:
        return f"{sentence}."
    shown = {name: _quoted(getattr(difference, name)) for name in ("expected", "found")}
    colon = ": " if language == "en" else " : "
    return f"{sentence}{colon}{phrase(_FOUND, language, 'expected', **shown)}."


def _place(difference: Difference, language: Language) -> str:
    if difference.seq is None or difference.path.startswith("source"):
        return difference.path
    if difference.since is not None and difference.since < difference.seq:
        return phrase(_FOUND, language, "stretch", since=difference.since, seq=difference.seq)
    _, _, member = difference.path.partition("].")
    if not member:
        return phrase(_FOUND, language, "event", seq=difference.seq)
    return phrase(_FOUND, language, "member", seq=difference.seq, member=member)


def _quoted(value: Any) -> str:
    text = msgspec.json.encode(value).decode(errors="replace")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
