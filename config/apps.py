"""Makes tasks known to Celery in every process that runs Django."""

from __future__ import annotations

from django.apps import AppConfig


class ConfigApp(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import celery  # noqa: F401  (makes it the current application)
