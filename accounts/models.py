"""Players, the tokens of their devices, and the record of what operators did.

Must live here: what is stored, and the constraints that hold whichever process writes. Must not: requests, passwords'
rules, mail. A player's id outlives the account, since events refer to it; all else is erased on deletion.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models.functions import Upper
from django.utils import timezone

from accounts.names import DELETED, fold
from config.wire.ids import new_id
from config.wire.problems import Language


class Players(BaseUserManager["Player"]):
    """Finds players by name in any capitalisation."""

    def get_by_natural_key(self, username: str | None) -> Player:
        return self.get(username_key=fold(username or ""))

    def create_superuser(self, username: str, password: str, **fields: Any) -> Player:
        player = Player(
            username=username, display_name=username, is_guest=False, is_staff=True, is_superuser=True, **fields
        )
        player.set_password(password)
        player.save(using=self._db)
        return player


class Player(AbstractBaseUser, PermissionsMixin):
    """A guest or a full account. `username_key` is the username as names are compared, unique among all players."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    username = models.CharField(max_length=30, null=True, blank=True, unique=True)
    username_key = models.CharField(max_length=120, null=True, blank=True, editable=False)
    display_name = models.CharField(max_length=32)
    email = models.EmailField(null=True, blank=True)
    is_guest = models.BooleanField(default=False)
    is_staff = models.BooleanField(default=False)
    language = models.CharField(max_length=2, default="en", choices={"en": "English", "fr": "Français"})
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    banned_at = models.DateTimeField(null=True, blank=True, editable=False)

    last_login = None  # a token's last use says more
    objects: ClassVar[Players] = Players()

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["username_key"], name="player_username_unique"),
            models.CheckConstraint(
                condition=models.Q(username__isnull=True, username_key__isnull=True)
                | models.Q(username__isnull=False, username_key__isnull=False),
                name="player_username_has_key",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(Upper("email"), name="player_email")]
        permissions = (("ban_player", "Can ban players, and let them back in"),)

    def __str__(self) -> str:
        return self.username or self.display_name

    @property
    def is_active(self) -> bool:  # type: ignore[override]  # Django has a class attribute here
        return self.deleted_at is None and self.banned_at is None

    @property
    def speaks(self) -> Language:
        return "fr" if self.language == "fr" else "en"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.username_key = fold(self.username) if self.username else None
        if kwargs.get("update_fields") is not None and "username" in kwargs["update_fields"]:
            kwargs["update_fields"] = {*kwargs["update_fields"], "username_key"}
        super().save(*args, **kwargs)

    def anonymise(self) -> None:
        """Forget who this was (not saved yet)."""
        self.username = self.email = None
        self.display_name = DELETED
        self.is_staff = self.is_superuser = False
        self.deleted_at = timezone.now()
        self.set_unusable_password()


class Token(models.Model):
    """One device's way in. Only the digest of the token is kept, so a stolen table opens nothing."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    digest = models.BinaryField(max_length=32, unique=True, editable=False)
    device = models.CharField(max_length=100, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(db_index=True)


class AuditEntry(models.Model):
    """What an operator did, for ever: rows are added, never changed or removed (0002_operators)."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    at = models.DateTimeField(default=timezone.now, editable=False)
    operator = models.CharField(max_length=100)  # as whoever acted was called then
    operator_id = models.UUIDField(null=True)  # of the staff account; none on the command line
    action = models.CharField(max_length=40)  # abort_game, ban_player, …
    kind = models.CharField(max_length=10, choices={"game": "game", "player": "player"})
    target_id = models.UUIDField()
    reason = models.CharField(max_length=500)
    facts = models.JSONField(default=dict)  # what else was said: a seat, permissions

    class Meta:
        db_table = "accounts_audit"
        indexes = (models.Index(fields=["kind", "target_id", "-id"], name="accounts_audit_target"),)
