"""A game of 27 that has been played: which action an event came from, its words, and what it counts for a seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.rules.lifecycle import Event
from games.rules.ruleset import Language
from games.rules.seats import Seat
from games.rules.vingtsept import events as said
from games.rules.vingtsept.actions import Action, Draw, Give, Pass, Pick, Place
from games.rules.vingtsept.play import AtoutKey, Play
from games.rules.vingtsept.state import State
from games.rules.vingtsept.texts import ATOUTS_TOLD
from games.rules.wording import Phrases, by_seat, card, cards, hands, listed, phrase

_PHRASES: Phrases = {
    "en": {
        "starter": "{who} starts.",
        "dealt": "Round {round}. {who} starts. {hands}.",
        "offered": "{who} is offered {atouts}.",
        "picked": "{who} keeps {atout}.",
        "drew": "{who} draws {cards}.",
        "placed": "{who} lays {card} in place of {old}.",
        "played": "{who} plays {atout}{target}.",
        "target": " against {whom}",
        "parried": "It is parried.",
        "threshold": "The threshold is now {threshold}.",
        "given": "{who} gives {atout} to {to}.",
        "passed": "{who} passes.",
        "passed_left": "{who} passes (passes left: {left}).",
        "skipped": "{who} misses a turn.",
        "reshuffled": "The discards become a new pile.",
        "chance": "The Reveal comes by chance.",
        "no_chance": "No Reveal by chance.",
        "revealed": "The hidden cards: {cards}.",
        "decision": "Decision: {cards}.",
        "triple": "Triple Nine: {who}.",
        "scored": "Round scored: {totals}. HP: {hp}.",
        "winners": "Best: {who}.",
        "out": "Out: {who}.",
    },
    "fr": {
        "starter": "{who} commence.",
        "dealt": "Manche {round}. {who} commence. {hands}.",
        "offered": "Offerts à {who} : {atouts}.",
        "picked": "{who} garde {atout}.",
        "drew": "{who} pioche {cards}.",
        "placed": "{who} pose {card} à la place de {old}.",
        "played": "{who} joue {atout}{target}.",
        "target": " contre {whom}",
        "parried": "C’est paré.",
        "threshold": "Le seuil est maintenant {threshold}.",
        "given": "{who} donne {atout} à {to}.",
        "passed": "{who} passe.",
        "passed_left": "{who} passe (passes restantes : {left}).",
        "skipped": "{who} saute un tour.",
        "reshuffled": "La défausse devient une nouvelle pioche.",
        "chance": "La Révélation tombe au hasard.",
        "no_chance": "Pas de Révélation au hasard.",
        "revealed": "Les cartes cachées : {cards}.",
        "decision": "Décision : {cards}.",
        "triple": "Triple Neuf : {who}.",
        "scored": "Compte de la manche : {totals}. PV : {hp}.",
        "winners": "Au mieux : {who}.",
        "out": "Élimination : {who}.",
    },
}


def action_in(events: Sequence[Event], state: State) -> tuple[Seat, Action] | None:
    """A pile made anew stands before the draw or the Atout that needed it; everything else tells of itself."""
    match events[0]:
        case said.PileReshuffled() if len(events) > 1 and not isinstance(events[1], said.PileReshuffled):
            return action_in(events[1:], state)
        case said.AtoutPicked(seat=seat, atout=atout):
            return seat, Pick(atout=atout)
        case said.CardDrawn(seat=seat):
            return seat, Draw()
        case said.CardPlaced(seat=seat, slot=slot, card=placed):
            return seat, Place(slot=slot, card=placed if state.phase == "double-placing" else None)
        case said.AtoutPlayed(seat=seat, atout=atout) as played:
            return seat, Play(
                atout=atout,
                slot=played.slot,
                target=played.target,
                target_slot=played.target_slot,
                delta=played.delta,
            )
        case said.TurnPassed(seat=seat):
            return seat, Pass()
        case said.AtoutGiven(seat=seat, to=to, atout=atout):
            return seat, Give(atout=atout, to=to)
        case _:
            return None


def told(event: Event, names: Sequence[str], language: Language) -> str:
    key, facts = _told(event, names, language)
    return phrase(_PHRASES, language, key, **facts) if key else _more(event, names, language)


def _told(event: Event, names: Sequence[str], language: Language) -> tuple[str, dict[str, object]]:
    match event:
        case said.StarterDrawn(starter=starter):
            return "starter", {"who": names[starter]}
        case said.RoundDealt(round=number, starter=starter, visible=visible, hidden=hidden):
            all_cards = {seat: (*shown, hidden[seat]) for seat, shown in visible.items()}
            return "dealt", {"round": number, "who": names[starter], "hands": hands(all_cards, names, language)}
        case said.AtoutsOffered(seat=seat, offers=offers):
            return "offered", {"who": names[seat], "atouts": ", ".join(_title(key, language) for key in offers)}
        case said.AtoutPicked(seat=seat, atout=atout):
            return "picked", {"who": names[seat], "atout": _title(atout, language)}
        case said.CardDrawn(seat=seat, cards=drawn):
            return "drew", {"who": names[seat], "cards": cards(drawn, language)}
        case said.CardPlaced(seat=seat, card=placed, discarded=discarded):
            return "placed", {
                "who": names[seat],
                "card": card(placed, language),
                "old": cards(discarded[:1], language),
            }
        case said.AtoutGiven(seat=seat, to=to, atout=atout):
            return "given", {"who": names[seat], "to": names[to], "atout": _title(atout, language)}
        case said.TurnPassed(seat=seat, passes_left=None):
            return "passed", {"who": names[seat]}
        case said.TurnPassed(seat=seat, passes_left=left):
            return "passed_left", {"who": names[seat], "left": left}
        case said.TurnSkipped(seat=seat):
            return "skipped", {"who": names[seat]}
        case said.PileReshuffled():
            return "reshuffled", {}
        case said.ChanceOfReveal(revealed=revealed):
            return "chance" if revealed else "no_chance", {}
        case said.HiddenRevealed(cards=hidden):
            return "revealed", {"cards": by_seat(hidden, names, lambda name: card(name, language))}
        case said.DecisionDrawn(cards=drawn):
            return "decision", {"cards": by_seat(drawn, names, lambda name: card(name, language))}
        case said.TripleNine(seats=seats):
            return "triple", {"who": listed(seats, names, language)}
        case _:
            return "", {}


def _more(event: Event, names: Sequence[str], language: Language) -> str:
    """What needs several sentences."""
    match event:
        case said.AtoutPlayed():
            return _atout(event, names, language)
        case said.RoundScored():
            return _scored(event, names, language)
        case _:
            return ""


def _atout(event: said.AtoutPlayed, names: Sequence[str], language: Language) -> str:
    target = "" if event.target is None else phrase(_PHRASES, language, "target", whom=names[event.target])
    title = _title(event.atout, language)
    sentences = [phrase(_PHRASES, language, "played", who=names[event.seat], atout=title, target=target)]
    if event.effect.parried:
        sentences.append(phrase(_PHRASES, language, "parried"))
    if event.effect.threshold is not None:
        sentences.append(phrase(_PHRASES, language, "threshold", threshold=event.effect.threshold))
    return " ".join(sentences)


def _scored(event: said.RoundScored, names: Sequence[str], language: Language) -> str:
    totals, hp = by_seat(event.totals, names, str), by_seat(event.hp, names, str)
    sentences = [phrase(_PHRASES, language, "scored", totals=totals, hp=hp)]
    for key, seats in (("winners", event.winners), ("out", event.out)):
        if seats:
            sentences.append(phrase(_PHRASES, language, key, who=listed(seats, names, language)))
    return " ".join(sentences)


def _title(key: AtoutKey, language: Language) -> str:
    return next((each.title for each in ATOUTS_TOLD[language] if each.key == key), key)


def deeds(event: Event) -> Mapping[Seat, Mapping[str, int]]:
    """Rounds played and won, and Atouts played."""
    match event:
        case said.RoundScored(totals=totals, winners=winners):
            return {seat: {"rounds.played": 1, "rounds.won": int(seat in winners)} for seat in sorted(totals)}
        case said.AtoutPlayed(seat=seat):
            return {seat: {"atouts.played": 1}}
        case _:
            return {}
