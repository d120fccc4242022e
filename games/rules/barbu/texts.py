"""What people read about Barbu, in both languages; the rules themselves stand in `rules.*.md`."""

from __future__ import annotations

from games.rules.ruleset import Language, Text
from games.rules.wire import page

TEXTS: dict[Language, Text] = {
    "en": Text(
        title="Barbu",
        summary="Dodge the king, the queens, the hearts or the tricks: each deal has its contract. Fewest points win.",
        options={
            "contracts": "The contracts that every player has to declare once each. "
            "The salad needs another trick contract beside it.",
            "direction": "Which way round the table the turn goes.",
            "dealing": "`auto`: shuffled and dealt for you. `manual`: the players shuffle or not, cut and deal.",
            "last_tricks": "How many final tricks the contract of the last tricks punishes.",
            "values": "What each thing costs whoever takes it, 0 to 200. What you leave out keeps its usual price.",
            "always": "Cards that cost at least their own price under every trick contract.",
            "move_seconds": "Seconds for each move; when they run out, a bot takes over.",
        },
        rules=page("games.rules.barbu", "en"),
    ),
    "fr": Text(
        title="Barbu",
        summary="Évitez roi, dames, cœurs ou plis : à chaque manche son contrat. Le moins de points gagne.",
        options={
            "contracts": "Les contrats que chaque joueur doit déclarer une fois chacun. "
            "La salade exige un autre contrat de plis à ses côtés.",
            "direction": "Dans quel sens tourne le jeu.",
            "dealing": "`auto` : les cartes sont mélangées et distribuées pour vous. "
            "`manual` : les joueurs mélangent ou non, coupent et distribuent.",
            "last_tricks": "Combien de derniers plis le contrat du même nom punit.",
            "values": "Ce que chaque chose coûte à qui la ramasse, de 0 à 200. Le reste garde son prix habituel.",
            "always": "Cartes qui coûtent au moins leur propre prix sous tous les contrats de plis.",
            "move_seconds": "Secondes pour chaque coup ; passé ce délai, un robot prend le relais.",
        },
        rules=page("games.rules.barbu", "fr"),
    ),
}
