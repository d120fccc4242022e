"""Loads further rulesets that the settings name, adds the games' part to what is held about a player, and keeps the
application role's privileges right after migrations.
"""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_migrate


class GamesApp(AppConfig):
    name = "games"

    def ready(self) -> None:
        from accounts import audit, banning, erasure
        from games.rules.registry import register
        from games.services import farewell
        from games.statistics import telling
        from games.store import personal
        from games.store.grants import after_migrate, append_only

        for place in settings.REPLI.extra_rulesets:
            module, _, name = place.partition(":")
            register(getattr(import_module(module), name))
        erasure.register("games", export=personal.export, erase=farewell.erase)
        erasure.register("statistics", export=telling.export, erase=lambda _: None)  # sums by id, as events know it
        banning.register("games", farewell.give_up_seats, place=2)
        append_only(audit.TABLE)
        post_migrate.connect(after_migrate, sender=self, dispatch_uid="games.grants")
