"""What people read about 27, in English and French: title, options, and the name and effect of every Atout."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from games.rules.ruleset import Language, Text
from games.rules.vingtsept.atouts import ATOUTS
from games.rules.wire import page


class AtoutText(msgspec.Struct, frozen=True, kw_only=True):
    """An Atout as players are told of it. `params` are the members that its action carries besides its key."""

    key: str
    title: str
    description: str
    params: dict[str, str]


TEXTS: Mapping[Language, Text] = {
    "en": Text(
        title="27",
        summary="Three cards, a threshold not to pass, and 17 Atouts that can turn a round over. Solo or in teams.",
        options={
            "mode": "Quick and ranked games have fixed settings; in a custom game the host chooses them.",
            "teams": "Two against two, partners facing each other; needs four seats.",
            "objective": "The total to come close to without passing it.",
            "atouts": "How many Atouts everyone picks at the start of a round.",
            "move_seconds": "Seconds for a turn, and for each pick.",
            "random_reveal": "Passing is free, and the Reveal comes by chance from the second time round the table.",
        },
        rules=page(__package__, "en"),
    ),
    "fr": Text(
        title="27",
        summary="Trois cartes, un seuil à ne pas franchir et 17 Atouts pour tout renverser. En solo ou en équipes.",
        options={
            "mode": "Rapide et classé ont des réglages fixes ; en partie personnalisée, l'hôte les choisit.",
            "teams": "Deux contre deux, partenaires face à face ; il faut quatre places.",
            "objective": "Le total à approcher sans le franchir.",
            "atouts": "Nombre d'Atouts que chacun choisit au début d'une manche.",
            "move_seconds": "Secondes pour un tour, et pour chaque choix d'Atout.",
            "random_reveal": "Passer ne coûte rien ; la Révélation tombe au hasard dès le deuxième tour de table.",
        },
        rules=page(__package__, "fr"),
    ),
}

_PARAMETERS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "slot": "which of your two visible cards: 0 or 1",
        "target": "the opponent's seat",
        "target_slot": "which of the opponent's two visible cards: 0 or 1",
        "delta": "−2, −1, 1 or 2",
    },
    "fr": {
        "slot": "laquelle de tes deux cartes visibles : 0 ou 1",
        "target": "la place de l'adversaire",
        "target_slot": "laquelle des deux cartes visibles de l'adversaire : 0 ou 1",
        "delta": "−2, −1, 1 ou 2",
    },
}

_WORDS: Mapping[Language, Mapping[str, tuple[str, str]]] = {
    "en": {
        "instable": ("Unstable", "Moves the threshold to 18 or 36 by chance, never to where it already is."),
        "sauvetage": ("Rescue", "If this round were to knock you out, you stay in with 1 HP."),
        "bouclier": ("Shield", "You lose only half of what this round costs you, rounded up."),
        "enchere": ("Raise", "Doubles what losing this round costs, up to 30 HP. Only one Raise per round."),
        "voyance": ("Clairvoyance", "You alone get to see an opponent's hidden card."),
        "projecteur": ("Spotlight", "An opponent's hidden card is turned towards the whole table."),
        "echange": ("Swap", "Trade one of your visible cards for one of an opponent's."),
        "larcin": ("Theft", "Steal an Atout at random from an opponent who has any."),
        "brouillage": ("Jam", "On their next turn, an opponent cannot play an Atout."),
        "gel": ("Freeze", "An opponent misses their next turn."),
        "mue": ("Moult", "Throw your hidden card away, face up, and take the top of the pile as a new hidden one."),
        "permutation": ("Flip", "Your hidden card and one of your visible cards trade places."),
        "ajustement": ("Adjust", "Shift your total by one or two points, up or down, for everyone to see."),
        "double_pioche": ("Double draw", "Turn up two cards, keep one in place of another, throw the second away."),
        "miroir": ("Mirror", "One of your visible cards is now worth as much as one of an opponent's."),
        "parade": ("Parry", "The next Atout aimed at you this round fizzles out."),
        "recyclage": ("Salvage", "Take back the top discard in place of one of your visible cards."),
    },
    "fr": {
        "instable": ("Instable", "Le seuil passe au hasard à 18 ou à 36, jamais là où il est déjà."),
        "sauvetage": ("Sauvetage", "Si cette manche devait t'éliminer, tu restes en jeu avec 1 PV."),
        "bouclier": ("Bouclier", "Tu ne perds que la moitié de ce que cette manche te coûte, arrondie au-dessus."),
        "enchere": ("Enchère", "Perdre cette manche coûte le double, sans dépasser 30 PV. Une seule par manche."),
        "voyance": ("Voyance", "Toi seul découvres la carte cachée d'un adversaire."),
        "projecteur": ("Projecteur", "La carte cachée d'un adversaire est montrée à toute la table."),
        "echange": ("Échange", "Troque une de tes cartes visibles contre une de celles d'un adversaire."),
        "larcin": ("Larcin", "Vole au hasard un Atout à un adversaire qui en possède."),
        "brouillage": ("Brouillage", "À son prochain tour, un adversaire ne peut pas jouer d'Atout."),
        "gel": ("Gel", "Un adversaire saute son prochain tour."),
        "mue": ("Mue", "Jette ta carte cachée, face visible, et prends-en une nouvelle en secret sur la pioche."),
        "permutation": ("Permutation", "Ta carte cachée et une de tes cartes visibles échangent leurs places."),
        "ajustement": ("Ajustement", "Décale ton total d'un ou deux points, vers le haut ou le bas, aux yeux de tous."),
        "double_pioche": ("Double pioche", "Retourne deux cartes, places-en une et jette l'autre."),
        "miroir": ("Miroir", "Une de tes cartes visibles vaut désormais autant qu'une de celles d'un adversaire."),
        "parade": ("Parade", "Le prochain Atout qui te vise pendant cette manche reste sans effet."),
        "recyclage": ("Recyclage", "Reprends le dessus de la défausse à la place d'une de tes cartes visibles."),
    },
}


def _told(language: Language) -> tuple[AtoutText, ...]:
    words, parameters = _WORDS[language], _PARAMETERS[language]
    return tuple(
        AtoutText(
            key=key,
            title=words[key][0],
            description=words[key][1],
            params={name: parameters[name] for name in unit.parameters},
        )
        for key, unit in ATOUTS.items()
    )


ATOUTS_TOLD: Mapping[Language, tuple[AtoutText, ...]] = {"en": _told("en"), "fr": _told("fr")}
