"""What matchmaking says, in each language."""

from __future__ import annotations

from config.wire.faults import describe_faults
from config.wire.problems import Language, describe

DETAILS: dict[str, dict[Language, str]] = {
    "no-such-ticket": {"en": "There is no such ticket.", "fr": "Ce ticket n'existe pas."},
    "no-such-player": {"en": "There is no such player.", "fr": "Ce joueur n'existe pas."},
    "one-ticket": {
        "en": "You are looking for a table already; cancel that first.",
        "fr": "Vous cherchez déjà une table ; annulez d'abord cette recherche.",
    },
    "one-ranked-game": {
        "en": "You have a ranked game that is not over yet.",
        "fr": "Vous avez une partie classée qui n'est pas terminée.",
    },
    "ticket-over": {"en": "This ticket has ended already.", "fr": "Ce ticket n'est plus actif."},
    "cool-down": {
        "en": "After leaving ranked games or letting the time run out you have to wait {retry_after} seconds.",
        "fr": "Après des parties classées quittées ou jouées hors délai, il faut attendre {retry_after} secondes.",
    },
    "guest-ranked": {
        "en": "Ranked games need a full account; upgrading takes one step and keeps everything.",
        "fr": "Les parties classées demandent un compte complet ; la conversion se fait en une étape et garde tout.",
    },
    "party-blocked": {
        "en": "This party cannot play together.",
        "fr": "Ces joueurs ne peuvent pas jouer ensemble.",
    },
    "block-oneself": {"en": "You cannot block yourself.", "fr": "Vous ne pouvez pas vous bloquer vous-même."},
}

FAULTS: dict[str, dict[Language, str]] = {
    "party-oneself": {"en": "You belong to the party anyway", "fr": "Vous faites partie du groupe de toute façon"},
    "party-twice": {"en": "Somebody is named twice", "fr": "Quelqu'un est nommé deux fois"},
    "party-unknown": {"en": "There is no such player", "fr": "Ce joueur n'existe pas"},
    "party-size": {
        "en": "Too many for such a table, with somebody to play against",
        "fr": "Trop nombreux pour une telle table, adversaires compris",
    },
    "party-pairs": {
        "en": "A party plays this two against two, at a table of four",
        "fr": "En groupe, ce jeu se joue deux contre deux, à une table de quatre",
    },
}


def add() -> None:
    """Make the words known to the wire."""
    describe_faults(FAULTS)
    describe(DETAILS)
