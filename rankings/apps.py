"""Ratings and matchmaking. They follow the games' feed; no module of `games` imports from here."""

from __future__ import annotations

from django.apps import AppConfig


class RankingsApp(AppConfig):
    name = "rankings"

    def ready(self) -> None:
        from accounts import banning, erasure, profiles
        from config.observability import labels
        from games.store import feed, grants
        from rankings.matchmaking import conduct, farewell, words
        from rankings.matchmaking.documents import ConductDocument
        from rankings.ratings import follow, personal

        labels.add("beat", ["match", "rate"])
        feed.follows(follow.CONSUMER, follow.KINDS)
        feed.follows(conduct.CONSUMER, conduct.KINDS)
        grants.append_only("rankings_adjustment")
        erasure.register("ratings", export=personal.export, erase=personal.erase)
        erasure.register("matchmaking", export=farewell.export, erase=farewell.erase)
        banning.register("matchmaking", farewell.stop_searching, place=1)  # before seats: a match may just be made
        profiles.register("conduct", ConductDocument, conduct.shown)
        words.add()
