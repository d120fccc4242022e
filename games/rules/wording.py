"""A game in words, in English and French: cards, lists of seats, and the events that several rulesets share.

Must live here: phrases alone. What a ruleset's own events say stands in its folder; nothing here is hidden from
anybody, since only what may be seen is put into words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from games.rules import lifecycle as life
from games.rules.bidding import BidMade
from games.rules.cards import JOKER, Card
from games.rules.lifecycle import Event
from games.rules.ruleset import Language
from games.rules.seats import Seat
from games.rules.tricks import CardPlayed, TrickTaken

Value = TypeVar("Value")
Phrases = Mapping[Language, Mapping[str, str]]

_RANKS: Mapping[Language, Mapping[str, str]] = {"en": {"T": "10"}, "fr": {"T": "10", "J": "V", "Q": "D", "K": "R"}}
_SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_AND = {"en": " and ", "fr": " et "}
_COLON = {"en": ": ", "fr": " : "}
_SEMICOLON = {"en": "; ", "fr": " ; "}


def card(name: Card, language: Language) -> str:
    """`Q♥`, in French `D♥`; the joker by its name."""
    if name == JOKER:
        return "joker"
    return _RANKS[language].get(name[0], name[0]) + _SUITS.get(name[1:], name[1:])


def cards(names: Iterable[Card], language: Language) -> str:
    return " ".join(card(name, language) for name in names)


def by_seat(values: Mapping[Seat, Value], names: Sequence[str], show: Callable[[Value], object]) -> str:
    """`Ada 2, Bo 0`, in the order of seats."""
    return ", ".join(f"{names[seat]} {show(value)}" for seat, value in sorted(values.items()))


def hands(dealt: Mapping[Seat, Sequence[Card]], names: Sequence[str], language: Language) -> str:
    """`Ada: Q♥ 2♣; Bo: 7♦ A♠`."""
    return scores({seat: cards(hand, language) for seat, hand in dealt.items()}, names, language)


def scores(values: Mapping[Seat, str], names: Sequence[str], language: Language) -> str:
    """`Ada: 2 of 2; Bo: 0 of 1`, in the order of seats."""
    each = (f"{names[seat]}{_COLON[language]}{value}" for seat, value in sorted(values.items()))
    return _SEMICOLON[language].join(each)


def listed(seats: Iterable[Seat], names: Sequence[str], language: Language) -> str:
    """`Ada, Bo and Cy`."""
    *first, last = [names[seat] for seat in seats]
    return _AND[language].join([", ".join(first), last]) if first else last


def signed(number: int) -> str:
    """`+3`, `−2`, `0`."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


def phrase(phrases: Phrases, language: Language, key: str, **facts: Any) -> str:
    return phrases[language][key].format(**facts)


# --- events of several rulesets -----------------------------------------------------------------------------------

_TRICKS: Phrases = {
    "en": {
        "bid": "{who} bids {tricks}.",
        "card": "{who} plays {card}.",
        "joker": "{who} plays the joker as {card}.",
        "trick": "{who} takes the trick.",
        "nobody": "Nobody takes the trick.",
    },
    "fr": {
        "bid": "{who} annonce {tricks}.",
        "card": "{who} joue {card}.",
        "joker": "{who} joue le joker comme {card}.",
        "trick": "{who} fait le pli.",
        "nobody": "Personne ne fait le pli.",
    },
}


def of_tricks(event: Event, names: Sequence[str], language: Language) -> str:
    """Bids, cards and tricks; empty for any other event."""
    match event:
        case BidMade(seat=seat, tricks=tricks):
            return phrase(_TRICKS, language, "bid", who=names[seat], tricks=tricks)
        case CardPlayed(seat=seat, card=name, named=None):
            return phrase(_TRICKS, language, "card", who=names[seat], card=card(name, language))
        case CardPlayed(seat=seat, named=str(named)):
            return phrase(_TRICKS, language, "joker", who=names[seat], card=card(named, language))
        case TrickTaken(seat=None):
            return phrase(_TRICKS, language, "nobody")
        case TrickTaken(seat=int(seat)):
            return phrase(_TRICKS, language, "trick", who=names[seat])
        case _:
            return ""


# --- events of all games ------------------------------------------------------------------------------------------

_LIFECYCLE: Phrases = {
    "en": {
        "created": "A table for {seats}.",
        "branched": "A table for {seats}, branched off game {source} after event {at}.",
        "taken": "{who} sits down.",
        "bot": "A bot ({level}) sits down as {who}.",
        "left": "{who} leaves.",
        "options": "The options are changed.",
        "seed": "{who} adds to the random seed.",
        "started": "The game begins.",
        "timeout": "{who} has run out of time; a bot plays on.",
        "disconnected": "{who} is gone; a bot plays on.",
        "gone": "{who} leaves the game; a bot plays on.",
        "returned": "{who} is back.",
        "finished": "The game is over: {places}.",
        "aborted": "The game is broken off.",
        "place": "{place}. {who} ({score})",
    },
    "fr": {
        "created": "Une table à {seats} places.",
        "branched": "Une table à {seats} places, reprise de la partie {source} après l’événement {at}.",
        "taken": "{who} s’assied.",
        "bot": "Un robot ({level}) s’assied : {who}.",
        "left": "{who} s’en va.",
        "options": "Les options changent.",
        "seed": "{who} ajoute à la graine du hasard.",
        "started": "La partie commence.",
        "timeout": "{who} a laissé passer son temps ; un robot prend le relais.",
        "disconnected": "{who} n’est plus là ; un robot prend le relais.",
        "gone": "{who} quitte la partie ; un robot prend le relais.",
        "returned": "{who} est de retour.",
        "finished": "La partie est finie : {places}.",
        "aborted": "La partie est interrompue.",
        "place": "{place}. {who} ({score})",
    },
}
_CONTROL = {"timeout": "timeout", "disconnected": "disconnected", "left": "gone", "returned": "returned"}
_LEVELS: Phrases = {
    "en": {"easy": "easy", "normal": "normal", "hard": "hard"},
    "fr": {"easy": "facile", "normal": "normal", "hard": "difficile"},
}


def of_lifecycle(event: Event, names: Sequence[str], language: Language) -> str:
    """What happens around play; empty for a ruleset's own events."""
    key, facts = _lifecycle(event, names, language)
    return phrase(_LIFECYCLE, language, key, **facts) if key else ""


def _lifecycle(event: Event, names: Sequence[str], language: Language) -> tuple[str, dict[str, Any]]:
    match event:
        case life.GameCreated(seats=seats, branched_from=None):
            return "created", {"seats": seats}
        case life.GameCreated(seats=seats, branched_from=life.BranchSource(game_id=source, at=at)):
            return "branched", {"seats": seats, "source": source, "at": at}
        case life.SeatTaken(seat=seat, bot=None):
            return "taken", {"who": names[seat]}
        case life.SeatTaken(seat=seat, bot=str(level)):
            return "bot", {"who": names[seat], "level": _LEVELS[language][level]}
        case life.SeatLeft(seat=seat):
            return "left", {"who": names[seat]}
        case life.OptionsChanged():
            return "options", {}
        case life.ClientSeedGiven(seat=seat):
            return "seed", {"who": names[seat]}
        case life.GameStarted():
            return "started", {}
        case life.SeatControlled(seat=seat, reason=reason):
            return _CONTROL[reason], {"who": names[seat]}
        case life.GameFinished(standing=standing):
            return "finished", {"places": ", ".join(_place(each, names, language) for each in _best_first(standing))}
        case life.GameAborted():
            return "aborted", {}
        case _:
            return "", {}


def _best_first(standing: Iterable[life.Place]) -> list[life.Place]:
    return sorted(standing, key=lambda place: (place.place, place.seat))


def _place(place: life.Place, names: Sequence[str], language: Language) -> str:
    facts = {"place": place.place, "who": names[place.seat], "score": str(place.score).replace("-", "−")}
    return phrase(_LIFECYCLE, language, "place", **facts)
