"""A game of Plie that has been played: which action an event came from, its words, and what it counts for a seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.rules.bidding import Bid, BidMade
from games.rules.lifecycle import Event
from games.rules.plie.actions import Action
from games.rules.plie.events import DealerDrawn, DealScored, HandsDealt
from games.rules.ruleset import Language
from games.rules.seats import Seat
from games.rules.tricks import CardPlayed, Play
from games.rules.wording import Phrases, card, hands, of_tricks, phrase, signed
from games.rules.wording import scores as in_words

_PHRASES: Phrases = {
    "en": {
        "dealer": "{who} deals first.",
        "dealt": "Deal {deal}, cards each: {cards}. {who} deals. {turned} is turned up. {hands}.",
        "scored": "Deal scored: {scores}.",
        "score": "{tricks} of {bid} ({points}, total {total})",
    },
    "fr": {
        "dealer": "{who} donne le premier.",
        "dealt": "Donne {deal}, cartes par joueur : {cards}. {who} donne. {turned} est retournée. {hands}.",
        "scored": "Compte de la donne : {scores}.",
        "score": "{tricks} sur {bid} ({points}, total {total})",
    },
}


def action_in(event: Event) -> tuple[Seat, Action] | None:
    """Every action has an event of its own, and that one comes first."""
    match event:
        case BidMade(seat=seat, tricks=tricks):
            return seat, Bid(tricks=tricks)
        case CardPlayed(seat=seat, card=name, named=None):
            return seat, Play(card=name)
        case _:
            return None


def told(event: Event, names: Sequence[str], language: Language) -> str:
    match event:
        case DealerDrawn(dealer=dealer):
            return phrase(_PHRASES, language, "dealer", who=names[dealer])
        case HandsDealt(deal=deal, cards=cards, dealer=dealer, hands=dealt, turned=turned):
            facts = {"deal": deal, "cards": cards, "who": names[dealer], "turned": card(turned, language)}
            return phrase(_PHRASES, language, "dealt", **facts, hands=hands(dealt, names, language))
        case DealScored():
            each = {seat: _score(event, seat, language) for seat in event.bids}
            return phrase(_PHRASES, language, "scored", scores=in_words(each, names, language))
        case _:
            return of_tricks(event, names, language)


def _score(event: DealScored, seat: Seat, language: Language) -> str:
    facts = {"tricks": event.tricks[seat], "bid": event.bids[seat], "points": signed(event.points[seat])}
    return phrase(_PHRASES, language, "score", **facts, total=str(event.totals[seat]).replace("-", "−"))


def deeds(event: Event) -> Mapping[Seat, Mapping[str, int]]:
    """Bids made and bids met."""
    if not isinstance(event, DealScored):
        return {}
    return {
        seat: {"bids.made": 1, "bids.met": int(event.tricks[seat] == bid)} for seat, bid in sorted(event.bids.items())
    }
