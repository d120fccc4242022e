"""How players come to be and change: guests, full accounts, logins, profiles.

Must live here: what makes a value acceptable, and writing it. Must not: HTTP. All faults of a request are told at once.
"""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from msgspec import UNSET

from accounts import names, tokens
from accounts.messages import Guest, Login, ProfileChange, Registration
from accounts.models import Player
from config.wire.faults import Fault, invalid
from config.wire.problems import Language, Problem

Faults = dict[str, list[Fault | str]]


def guest(given: Guest, language: Language) -> Player:
    """A player to play at once."""
    language = given.language or language
    player = Player(is_guest=True, language=language, display_name=names.guest_name(language))
    if given.display_name is not None:
        player.display_name = names.tidy(given.display_name)
        _refuse(_display_name_faults(player.display_name))
    player.set_unusable_password()
    player.save(force_insert=True)
    return player


def register(given: Registration, language: Language) -> Player:
    """A new full account."""
    player = Player(language=language, display_name="")
    _fill(player, given)
    _save(player)
    return player


def upgrade(player_id: UUID, given: Registration) -> Player:
    """A guest becomes a full account and keeps its id, and so its games and ratings. Raises `forbidden`."""
    player = living(player_id)
    if not player.is_guest:
        raise Problem("forbidden", "not-a-guest")
    _fill(player, given)  # hashes, so not while the row is locked
    with transaction.atomic():
        if not living(player_id, lock=True).is_guest:
            raise Problem("forbidden", "not-a-guest")
        _save(player)
        tokens.forget_player(player_id)
    return player


def login(given: Login) -> Player:
    """Whose name and password these are; takes as long for a name that nobody has. `forbidden` for who is banned."""
    player = Player.objects.filter(username_key=names.fold(given.username), deleted_at__isnull=True).first()
    if player is None:
        make_password(given.password)
    elif player.check_password(given.password):
        if player.banned_at is not None:
            raise Problem("forbidden", "banned")
        return player
    raise Problem("unauthenticated", "credentials")


@transaction.atomic
def change(player_id: UUID, given: ProfileChange) -> Player:
    """Change what is given of a profile; an erasure at the same moment comes before it or after it."""
    player = living(player_id, lock=True)
    faults: Faults = {}
    changed: list[str] = []
    if given.display_name is not UNSET:
        player.display_name = names.tidy(given.display_name)
        faults |= _display_name_faults(player.display_name)
        changed.append("display_name")
    if given.language is not UNSET:
        player.language = given.language
        changed.append("language")
    if given.email is not UNSET:
        faults |= _email_change_faults(player, given)
        player.email = _tidy_email(given.email)
        changed.append("email")
    _refuse(faults)
    if changed:
        player.save(update_fields=changed)
        tokens.forget_player(player_id)
    return player


def living(player_id: UUID, *, lock: bool = False) -> Player:
    """The player who asks. Raises `unauthenticated` if the account was deleted or banned a moment ago."""
    players = Player.objects.select_for_update() if lock else Player.objects.all()
    player = players.filter(id=player_id, deleted_at__isnull=True, banned_at__isnull=True).first()
    if player is None:
        raise Problem("unauthenticated", "token")
    return player


def password_faults(password: str, player: Player, member: str) -> Faults:
    """What Django's validators say, in the language that is active."""
    try:
        validate_password(password, player)
    except ValidationError as error:
        return {member: list(error.messages)}
    return {}


def _fill(player: Player, given: Registration) -> None:
    """Everything of a full account into `player`, hashed; refuses with all faults. Not saved."""
    player.username = names.normal(given.username)
    player.email = _tidy_email(given.email)
    player.language = given.language or player.language
    player.is_guest = False
    if given.display_name is not None:
        player.display_name = names.tidy(given.display_name)
    player.display_name = player.display_name or player.username
    faults = _username_faults(player.username) | _email_faults(player.email)
    faults |= password_faults(given.password, player, "password")
    if given.display_name is not None:
        faults |= _display_name_faults(names.tidy(given.display_name))
    _refuse(faults)
    player.set_password(given.password)


def _save(player: Player) -> None:
    """Save; of two who want one name at once, the second is told that it is taken."""
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError:
        if Player.objects.filter(username_key=names.fold(player.username or "")).exclude(id=player.id).exists():
            raise invalid(username="username-taken") from None
        raise


def _username_faults(username: str) -> Faults:
    key = names.username_fault(username)
    if key is None and Player.objects.filter(username_key=names.fold(username)).exists():
        key = "username-taken"
    return _one("username", key)


def _display_name_faults(name: str) -> Faults:
    return _one("display_name", names.display_name_fault(name))


def _email_change_faults(player: Player, given: ProfileChange) -> Faults:
    if player.is_guest:
        return _one("email", "email-guest")
    if given.current_password is UNSET:
        return _one("current_password", "required")
    if given.email is not UNSET and (faults := _email_faults(_tidy_email(given.email))):
        return faults
    return {} if player.check_password(given.current_password) else _one("current_password", "wrong-password")


def _email_faults(email: str | None) -> Faults:
    try:
        if email is not None:
            validate_email(email)
    except ValidationError:
        return _one("email", "email")
    return {}


def _tidy_email(email: str | None) -> str | None:
    return None if email is None else Player.objects.normalize_email(email.strip())


def _one(member: str, key: str | None) -> Faults:
    return {member: [Fault(key=key)]} if key else {}


def _refuse(faults: Faults) -> None:
    if faults:
        raise Problem("validation", errors=faults)
