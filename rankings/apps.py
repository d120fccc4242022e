"""Ratings and matchmaking. They follow the games' feed; no module of `games` imports from here."""

from __future__ import annotations

from django.apps import AppConfig


class RankingsApp(AppConfig):
    name = "rankings"

    def ready(self) -> None:
        from accounts import erasure
        from games.store import grants
        from rankings.ratings import personal

        grants.append_only("rankings_adjustment")
        erasure.register("ratings", export=personal.export, erase=personal.erase)
