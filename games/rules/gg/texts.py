"""What people read about GG, in both languages."""

from __future__ import annotations

from games.rules.ruleset import Language, Text
from games.rules.wire import page

TEXTS: dict[Language, Text] = {
    "en": Text(
        title="GG",
        summary="Bet on how many tricks you will take. Miss, and you lose a life; the last one alive wins.",
        options={
            "lives": "Lives that everyone starts with, 1 to 7.",
            "manilha": "Manilha: the sevens rank second, just below the aces.",
            "joker": "A joker is in the pack; whoever plays it says which card it is. Not in deals of one card.",
            "cut": "Cut: equal cards in a trick cancel each other, and the highest card left takes it.",
            "quick": "Quick: deals go up to 3 cards only, not to 5.",
            "sudden_death": "Sudden death: everyone starts with a single life.",
            "move_seconds": "Seconds for each bid and each card, 5 to 120.",
        },
        rules=page(__package__, "en"),
    ),
    "fr": Text(
        title="GG",
        summary="Pariez sur le nombre de plis que vous ferez. Un pari raté coûte une vie ; le dernier en vie gagne.",
        options={
            "lives": "Nombre de vies au départ, de 1 à 7.",
            "manilha": "Manilha : les 7 passent au deuxième rang, juste sous les as.",
            "joker": "Un joker de plus ; qui le joue dit quelle carte il est. Pas dans les manches à 1 carte.",
            "cut": "Annulation : les cartes égales d’un pli s’annulent, la plus forte des autres l’emporte.",
            "quick": "Mode rapide : les manches ne dépassent pas 3 cartes, au lieu de 5.",
            "sudden_death": "Mort subite : chacun commence avec une seule vie.",
            "move_seconds": "Secondes par pari et par carte, de 5 à 120.",
        },
        rules=page(__package__, "fr"),
    ),
}
