"""A game of Barbu that has been played: which action an event came from, its words, and what it counts for a seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.rules.barbu.actions import Action, Cut, Deal, Declare, Pass, Shuffle
from games.rules.barbu.events import (
    ContractDeclared,
    DealScored,
    DeclarerDrawn,
    HandsDealt,
    PackCut,
    PackShuffled,
    SeatOut,
    TurnPassed,
)
from games.rules.barbu.state import State
from games.rules.lifecycle import Event
from games.rules.ruleset import Language
from games.rules.seats import Seat
from games.rules.tricks import CardPlayed, Play
from games.rules.wording import Phrases, hands, of_tricks, phrase, signed
from games.rules.wording import scores as in_words

_PHRASES: Phrases = {
    "en": {
        "drawn": "{who} declares first.",
        "shuffled": "{who} shuffles.",
        "left": "{who} leaves the pack as it lies.",
        "cut": "{who} cuts at {at}.",
        "dealt": "Deal {deal}. {who} declares. {hands}.",
        "declared": "{who} declares {contract}.",
        "passed": "{who} passes.",
        "out": "{who} is out as number {rank}.",
        "scored": "Deal scored ({contract}): {scores}.",
        "score": "{points} (total {total})",
        "slam": "{who} took every trick.",
        "king_of_hearts": "king of hearts",
        "queens": "queens",
        "hearts": "hearts",
        "tricks": "tricks",
        "patience": "patience",
        "salad": "salad",
        "last_tricks": "last tricks",
    },
    "fr": {
        "drawn": "{who} déclare en premier.",
        "shuffled": "{who} mélange.",
        "left": "{who} laisse le paquet tel quel.",
        "cut": "{who} coupe à {at}.",
        "dealt": "Manche {deal}. {who} déclare. {hands}.",
        "declared": "{who} déclare : {contract}.",
        "passed": "{who} passe.",
        "out": "{who} n’a plus de cartes, rang {rank}.",
        "scored": "Compte de la manche ({contract}) : {scores}.",
        "score": "{points} (total {total})",
        "slam": "{who} a fait tous les plis.",
        "king_of_hearts": "roi de cœur",
        "queens": "dames",
        "hearts": "cœurs",
        "tricks": "plis",
        "patience": "réussite",
        "salad": "salade",
        "last_tricks": "derniers plis",
    },
}


def action_in(event: Event, state: State) -> tuple[Seat, Action] | None:
    """Every action has an event of its own, and that one comes first; who deals is the seat whose turn it is."""
    match event:
        case PackShuffled(seat=seat, shuffled=shuffled):
            return seat, Shuffle(shuffle=shuffled)
        case PackCut(seat=seat, at=at):
            return seat, Cut(at=at)
        case HandsDealt(by=by):
            return None if state.turn is None else (state.turn, Deal(by=by))
        case ContractDeclared(seat=seat, contract=contract):
            return seat, Declare(contract=contract)
        case CardPlayed(seat=seat, card=name, named=None):
            return seat, Play(card=name)
        case TurnPassed(seat=seat):
            return seat, Pass()
        case _:
            return None


def told(event: Event, names: Sequence[str], language: Language) -> str:
    match event:
        case DeclarerDrawn(declarer=declarer):
            return phrase(_PHRASES, language, "drawn", who=names[declarer])
        case PackShuffled(seat=seat, shuffled=shuffled):
            return phrase(_PHRASES, language, "shuffled" if shuffled else "left", who=names[seat])
        case PackCut(seat=seat, at=at):
            return phrase(_PHRASES, language, "cut", who=names[seat], at=at)
        case HandsDealt(deal=deal, declarer=declarer, hands=dealt):
            shown = hands(dealt, names, language)
            return phrase(_PHRASES, language, "dealt", deal=deal, who=names[declarer], hands=shown)
        case ContractDeclared(seat=seat, contract=contract):
            title = _PHRASES[language][contract]
            return phrase(_PHRASES, language, "declared", who=names[seat], contract=title)
        case TurnPassed(seat=seat):
            return phrase(_PHRASES, language, "passed", who=names[seat])
        case SeatOut(seat=seat, rank=rank):
            return phrase(_PHRASES, language, "out", who=names[seat], rank=rank)
        case DealScored():
            return _scored(event, names, language)
        case _:
            return of_tricks(event, names, language)


def _scored(event: DealScored, names: Sequence[str], language: Language) -> str:
    each = {
        seat: phrase(
            _PHRASES,
            language,
            "score",
            points=signed(points),
            total=str(event.totals[seat]).replace("-", "−"),
        )
        for seat, points in event.points.items()
    }
    title, shown = _PHRASES[language][event.contract], in_words(each, names, language)
    sentences = [phrase(_PHRASES, language, "scored", contract=title, scores=shown)]
    if event.slam is not None:
        sentences.append(phrase(_PHRASES, language, "slam", who=names[event.slam]))
    return " ".join(sentences)


def deeds(event: Event, state: State) -> Mapping[Seat, Mapping[str, int]]:
    """By contract: deals played under it and their points, and the same for those that the seat declared itself."""
    if not isinstance(event, DealScored):
        return {}
    counted: dict[Seat, dict[str, int]] = {}
    for seat, points in sorted(event.points.items()):
        counted[seat] = {f"contracts.{event.contract}.deals": 1, f"contracts.{event.contract}.points": points}
        if seat == state.declarer:
            counted[seat] |= {
                f"contracts.{event.contract}.declared": 1,
                f"contracts.{event.contract}.points_as_declarer": points,
            }
    return counted
