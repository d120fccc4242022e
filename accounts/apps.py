"""The accounts app: who somebody is. It knows neither games nor ratings."""

from __future__ import annotations

from django.apps import AppConfig


class AccountsApp(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts import words

        words.add()
