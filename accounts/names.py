"""Names that people choose: what a username and a display name may hold, and how usernames are compared.

Invariant: two usernames that look alike by capitals, width or ligatures are one; no name holds what cannot be seen or
changes the text around it.
"""

from __future__ import annotations

import random
import re
import unicodedata

from config.wire.problems import Language

USERNAME_LENGTH = (3, 30)
DISPLAY_NAME_LENGTH = 32
DELETED = "Deleted player"

_USERNAME = re.compile(r"[^\W_][\w.\-]*")
_CONFUSABLE = {"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE"}
_JOINERS = {"\u200c", "\u200d"}  # emoji families, Persian; never first or last
_MARKS = re.compile(r"(?:[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]){4,}")

_random = random.SystemRandom()
_ANIMALS: dict[Language, tuple[str, ...]] = {
    "en": ("Otter", "Heron", "Badger", "Lynx", "Magpie", "Hedgehog", "Falcon", "Hare", "Marmot", "Owl", "Seal", "Fox"),
    "fr": ("Loutre", "Héron", "Blaireau", "Lynx", "Pie", "Hérisson", "Faucon", "Lièvre", "Marmotte", "Chouette"),
}
_MANNERS: dict[Language, tuple[str, ...]] = {
    "en": ("Brave", "Calm", "Clever", "Eager", "Gentle", "Jolly", "Lucky", "Nimble", "Quiet", "Swift", "Witty"),
    "fr": ("agile", "aimable", "calme", "habile", "leste", "modeste", "rapide", "sage", "tranquille", "intrépide"),
}


def normal(name: str) -> str:
    """A username as it is kept."""
    return unicodedata.normalize("NFKC", name)


def fold(name: str) -> str:
    """A username as it is compared. Done here, since a database's lower() depends on its collation."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def username_fault(name: str) -> str | None:
    """What is wrong with a username in its normal form: a key of `accounts.words`, or None."""
    least, most = USERNAME_LENGTH
    if not least <= len(name) <= most:
        return "username-length"
    if not _USERNAME.fullmatch(name) or not unicodedata.is_normalized("NFKC", name):
        return "username-characters"
    if len(_CONFUSABLE & {unicodedata.name(letter, "?").split()[0] for letter in name}) > 1:
        return "username-scripts"
    return None


def tidy(name: str) -> str:
    """A display name as it is kept: composed, without spaces around it or doubled."""
    return " ".join(part for part in unicodedata.normalize("NFC", name).split(" ") if part)


def display_name_fault(name: str) -> str | None:
    """What is wrong with a tidied display name: a key of `accounts.words`, or None."""
    if not 1 <= len(name) <= DISPLAY_NAME_LENGTH:
        return "display-name-length"
    if any(not _visible(letter) and letter not in _JOINERS for letter in name):
        return "display-name-characters"
    if name[0] in _JOINERS or name[-1] in _JOINERS or _MARKS.search(name):
        return "display-name-characters"
    if not any(unicodedata.category(letter)[0] in "LNPS" for letter in name):
        return "display-name-characters"
    return None


def _visible(letter: str) -> bool:
    category = unicodedata.category(letter)
    return letter == " " or not (category.startswith(("C", "Z")) or letter in "\u115f\u1160\u3164\uffa0\u2800")


def guest_name(language: Language) -> str:
    """A friendly name for somebody of whom nothing is known."""
    animal, manner = _random.choice(_ANIMALS[language]), _random.choice(_MANNERS[language])
    number = _random.randrange(10, 100)
    return f"{animal} {manner} {number}" if language == "fr" else f"{manner} {animal} {number}"
