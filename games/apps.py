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
        from config.observability import labels
        from games.rules.registry import RULESETS, register
        from games.services import farewell
        from games.statistics import following, telling
        from games.store import feed, personal, watching
        from games.store.grants import after_migrate, append_only

        for place in settings.REPLI.extra_rulesets:
            module, _, name = place.partition(":")
            ruleset = getattr(import_module(module), name)
            register(ruleset)
            labels.add("rules", [ruleset.key])
        labels.add("rules", (ruleset.key for ruleset in RULESETS))
        labels.add("beat", ["sweep", "count"])
        feed.follows(following.CONSUMER, following.KINDS)
        watching.register()
        erasure.register("games", export=personal.export, erase=farewell.erase)
        erasure.register("statistics", export=telling.export, erase=lambda _: None)  # sums by id, as events know it
        banning.register("games", farewell.give_up_seats, place=2)
        append_only(audit.TABLE)
        post_migrate.connect(after_migrate, sender=self, dispatch_uid="games.grants")
