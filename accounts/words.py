"""What the accounts say, in each language: faults of request members, details of problems, mail."""

from __future__ import annotations

from config.wire.faults import describe_faults
from config.wire.problems import Language, describe

FAULTS: dict[str, dict[Language, str]] = {
    "username-length": {"en": "3 to 30 characters are needed", "fr": "Il faut de 3 à 30 caractères"},
    "username-characters": {
        "en": "Only letters, digits, dots, hyphens and underscores, a letter or digit first",
        "fr": "Seulement lettres, chiffres, points, tirets et tirets bas, et d'abord une lettre ou un chiffre",
    },
    "username-scripts": {
        "en": "Letters of different alphabets may not be mixed",
        "fr": "Des lettres d'alphabets différents ne peuvent pas être mêlées",
    },
    "username-taken": {"en": "This name is taken", "fr": "Ce nom est déjà pris"},
    "display-name-length": {"en": "1 to 32 characters are needed", "fr": "Il faut de 1 à 32 caractères"},
    "display-name-characters": {
        "en": "Holds characters that cannot be shown",
        "fr": "Contient des caractères qui ne peuvent pas être affichés",
    },
    "email": {"en": "This is not an e-mail address", "fr": "Ce n'est pas une adresse électronique"},
    "email-guest": {"en": "A guest has no address: upgrade first", "fr": "Un invité n'a pas d'adresse"},
    "wrong-password": {"en": "This is not the password", "fr": "Ce n'est pas le mot de passe"},
    "reset-token": {
        "en": "This code is wrong, used or too old; ask for a new one",
        "fr": "Ce code est faux, déjà utilisé ou trop ancien ; demandez-en un autre",
    },
}

DETAILS: dict[str, dict[Language, str]] = {
    "token": {"en": "The token is wrong, expired or revoked", "fr": "Le jeton est faux, expiré ou révoqué"},
    "credentials": {
        "en": "Username or password is wrong",
        "fr": "Le nom d'utilisateur ou le mot de passe est faux",
    },
    "banned": {"en": "This account is banned", "fr": "Ce compte est banni"},
    "not-a-guest": {"en": "This is a full account already", "fr": "C'est déjà un compte complet"},
    "no-password": {"en": "A guest has no password: upgrade first", "fr": "Un invité n'a pas de mot de passe"},
}

RESET_SUBJECT: dict[Language, str] = {"en": "A new password for Repli", "fr": "Un nouveau mot de passe pour Repli"}
RESET_TEXT: dict[Language, str] = {
    "en": """Somebody, probably you, asked for a new password for "{username}".

Enter this code in the application to choose one; it can be used once, within {hours} hours:

{token}

If it was not you, nothing needs to be done: the password stays as it is.
""",
    "fr": """Quelqu'un, sans doute vous, a demandé un nouveau mot de passe pour « {username} ».

Saisissez ce code dans l'application pour en choisir un ; il sert une seule fois, pendant {hours} heures :

{token}

Si ce n'était pas vous, il n'y a rien à faire : le mot de passe reste inchangé.
""",
}


def add() -> None:
    """Make the words known to the wire."""
    describe_faults(FAULTS)
    describe(DETAILS)
