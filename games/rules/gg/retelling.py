"""A game of GG that has been played: which action an event came from, its words, and what it counts for a seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.rules.bidding import Bid, BidMade
from games.rules.gg.actions import Action, Play
from games.rules.gg.events import CardsRevealed, DealScored, HandsDealt, StarterDrawn
from games.rules.lifecycle import Event
from games.rules.ruleset import Language
from games.rules.seats import Seat
from games.rules.tricks import CardPlayed
from games.rules.wording import Phrases, by_seat, card, hands, listed, of_tricks, phrase
from games.rules.wording import scores as in_words

_PHRASES: Phrases = {
    "en": {
        "drawn": "Drawn for the start: {draws}.",
        "starter": "{who} starts.",
        "dealt": "Deal {deal}, cards each: {cards}. {who} starts. {hands}.",
        "revealed": "The cards are turned up: {cards}.",
        "scored": "Deal scored: {scores}.",
        "score": "{tricks} of {bid} (lives {lives})",
        "out": "Out: {who}.",
    },
    "fr": {
        "drawn": "Tirage pour commencer : {draws}.",
        "starter": "{who} commence.",
        "dealt": "Manche {deal}, cartes par joueur : {cards}. {who} commence. {hands}.",
        "revealed": "Les cartes sont retournées : {cards}.",
        "scored": "Compte de la manche : {scores}.",
        "score": "{tricks} sur {bid} (vies {lives})",
        "out": "Élimination : {who}.",
    },
}


def action_in(event: Event) -> tuple[Seat, Action] | None:
    """Every action has an event of its own, and that one comes first."""
    match event:
        case BidMade(seat=seat, tricks=tricks):
            return seat, Bid(tricks=tricks)
        case CardPlayed(seat=seat, card=name, named=named):
            return seat, Play(card=name, named=named)
        case _:
            return None


def told(event: Event, names: Sequence[str], language: Language) -> str:
    match event:
        case StarterDrawn(draws=draws, starter=starter):
            shown = [by_seat(each, names, lambda name: card(name, language)) for each in draws]
            drawn = [phrase(_PHRASES, language, "drawn", draws=each) for each in shown]
            return " ".join([*drawn, phrase(_PHRASES, language, "starter", who=names[starter])])
        case HandsDealt(deal=deal, cards=cards, starter=starter, hands=dealt):
            shown_hands = hands(dealt, names, language)
            return phrase(_PHRASES, language, "dealt", deal=deal, cards=cards, who=names[starter], hands=shown_hands)
        case CardsRevealed(cards=revealed):
            return phrase(
                _PHRASES, language, "revealed", cards=by_seat(revealed, names, lambda name: card(name, language))
            )
        case DealScored():
            return _scored(event, names, language)
        case _:
            return of_tricks(event, names, language)


def _scored(event: DealScored, names: Sequence[str], language: Language) -> str:
    each = {
        seat: phrase(
            _PHRASES, language, "score", tricks=event.tricks[seat], bid=event.bids[seat], lives=event.lives[seat]
        )
        for seat in event.bids
    }
    sentences = [phrase(_PHRASES, language, "scored", scores=in_words(each, names, language))]
    if event.out:
        sentences.append(phrase(_PHRASES, language, "out", who=listed(event.out, names, language)))
    return " ".join(sentences)


def deeds(event: Event) -> Mapping[Seat, Mapping[str, int]]:
    """Bids made and bids met."""
    if not isinstance(event, DealScored):
        return {}
    return {
        seat: {"bids.made": 1, "bids.met": int(event.tricks[seat] == bid)} for seat, bid in sorted(event.bids.items())
    }
