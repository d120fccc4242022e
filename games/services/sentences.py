"""What people read when a game refuses something, in each language, by detail key.

`reason.X` belongs to the refusal X of a ruleset; a reason without a sentence is shown by its title alone.
"""

from __future__ import annotations

from config.wire.faults import Fault, describe_faults, invalid
from config.wire.problems import Language, Problem, describe
from games.rules.errors import Invalid

DETAILS: dict[str, dict[Language, str]] = {
    "no-such-game": {"en": "There is no such game.", "fr": "Cette partie n'existe pas."},
    "no-such-code": {"en": "No open table has this code.", "fr": "Aucune table ouverte n'a ce code."},
    "no-such-seat": {"en": "The table has no such seat.", "fr": "La table n'a pas cette place."},
    "not-seated": {"en": "You do not sit at this table.", "fr": "Vous n'êtes pas assis à cette table."},
    "not-host": {"en": "Only the host may do this.", "fr": "Seul l'hôte peut faire cela."},
    "already-seated": {"en": "You sit at this table already.", "fr": "Vous êtes déjà assis à cette table."},
    "already-started": {"en": "The game has started already.", "fr": "La partie a déjà commencé."},
    "already-left": {"en": "You have left already.", "fr": "Vous avez déjà quitté la partie."},
    "starts-soon": {
        "en": "The match is made and starts in a moment; leave it then.",
        "fr": "La partie est formée et commence dans un instant ; quittez-la ensuite.",
    },
    "not-playing": {"en": "The game is not running.", "fr": "La partie n'est pas en cours."},
    "not-over": {"en": "The game is not over.", "fr": "La partie n'est pas terminée."},
    "bot-in-control": {
        "en": "A bot plays your seat: come back to the game first.",
        "fr": "Un robot joue à votre place : revenez d'abord dans la partie.",
    },
    "seat-taken": {"en": "This seat is taken.", "fr": "Cette place est prise."},
    "seat-free": {"en": "Nobody sits there.", "fr": "Personne n'est assis là."},
    "seats-free": {"en": "Some seats are still free.", "fr": "Il reste des places libres."},
    "full": {"en": "All seats are taken.", "fr": "Toutes les places sont prises."},
    "no-bot": {"en": "No bot sits there.", "fr": "Aucun robot n'est assis là."},
    "host-leaves-otherwise": {
        "en": "The host leaves by getting up.",
        "fr": "L'hôte quitte la table en se levant.",
    },
    "idempotency-mismatch": {
        "en": "This key was used for another request.",
        "fr": "Cette clé a servi pour une autre requête.",
    },
    "too-busy": {"en": "The game is very busy, try again.", "fr": "La partie est très sollicitée, réessayez."},
    "reason.not-in-hand": {"en": "This card is not in your hand.", "fr": "Cette carte n'est pas dans votre main."},
    "reason.must-follow-suit": {"en": "You must follow suit.", "fr": "Vous devez fournir la couleur demandée."},
    "reason.bid-range": {"en": "This bid is out of range.", "fr": "Cette annonce est hors limites."},
    "reason.bid-forbidden": {
        "en": "The bids may not add up to the number of cards.",
        "fr": "La somme des annonces ne doit pas égaler le nombre de cartes.",
    },
    "reason.joker-needs-card": {
        "en": "Say which card the joker stands for.",
        "fr": "Dites quelle carte le joker remplace.",
    },
    "reason.joker-card-forbidden": {
        "en": "The joker may not stand for this card.",
        "fr": "Le joker ne peut pas remplacer cette carte.",
    },
    "reason.contract-used": {
        "en": "You have played this contract already.",
        "fr": "Vous avez déjà joué ce contrat.",
    },
    "reason.does-not-fit": {"en": "This card fits nowhere yet.", "fr": "Cette carte ne se pose nulle part."},
    "reason.can-lay": {"en": "You can lay a card, so you must.", "fr": "Vous pouvez poser, donc vous devez."},
    "reason.cut-range": {"en": "The cut is out of range.", "fr": "La coupe est hors limites."},
    "reason.by-range": {
        "en": "Deal one or two cards at a time.",
        "fr": "Distribuez une ou deux cartes à la fois.",
    },
    "reason.no-pass": {"en": "You cannot pass now.", "fr": "Vous ne pouvez pas passer."},
    "reason.not-offered": {"en": "This Atout was not offered.", "fr": "Cet Atout ne vous est pas proposé."},
    "reason.not-held": {"en": "You do not hold this Atout.", "fr": "Vous n'avez pas cet Atout."},
    "reason.not-drawn": {"en": "You have not drawn this card.", "fr": "Vous n'avez pas pioché cette carte."},
    "reason.target": {"en": "This seat cannot be the target.", "fr": "Cette place ne peut pas être visée."},
    "reason.target-empty": {"en": "There is nothing to take there.", "fr": "Il n'y a rien à prendre là."},
    "reason.no-discard": {"en": "Nothing has been discarded yet.", "fr": "Rien n'a encore été défaussé."},
    "reason.jammed": {"en": "You are jammed this turn.", "fr": "Vous êtes brouillé ce tour-ci."},
    "reason.already-raised": {
        "en": "The price was raised this round already.",
        "fr": "Le prix a déjà été relevé dans cette manche.",
    },
    "reason.slot": {"en": "This slot does not exist or may not be used.", "fr": "Cet emplacement est impossible."},
    "reason.delta": {"en": "This adjustment is out of range.", "fr": "Cet ajustement est hors limites."},
    "reason.hand-full": {"en": "Nine Atouts are the limit.", "fr": "Neuf Atouts au plus."},
    "reason.not-team-mate": {"en": "This is not your team-mate.", "fr": "Ce n'est pas votre partenaire."},
    "reason.wrong-phase": {"en": "This is not the moment for that.", "fr": "Ce n'est pas le moment."},
}

FAULTS: dict[str, dict[Language, str]] = {
    "range": {"en": "Out of range", "fr": "Hors limites"},
    "idempotency-key": {
        "en": "A key has 1 to 64 characters and no control characters",
        "fr": "Une clé compte de 1 à 64 caractères, sans caractère de contrôle",
    },
    "conflict": {"en": "Does not go together with the rest", "fr": "Incompatible avec le reste"},
    "unknown": {"en": "Not known", "fr": "Inconnu"},
    "move-end": {
        "en": "Not the last version of a move after which the game went on",
        "fr": "Pas la dernière version d'un coup après lequel la partie a continué",
    },
}

describe(DETAILS)
describe_faults(FAULTS)


def invalid_member(member: str, refusal: Invalid) -> Problem:
    """What a ruleset found malformed below that member of the request."""
    key = "value" if refusal.code == "type" else refusal.code
    return invalid(**{member: Fault(key=key, at=refusal.field)})
