"""Makes tasks known to Celery, and our types to the OpenAPI document, in every process that runs Django."""

from __future__ import annotations

from django.apps import AppConfig


class ConfigApp(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import celery  # noqa: F401  (makes it the current application)
        from config.observability import sources
        from config.wire import openapi  # noqa: F401  (registers its extensions)

        sources.register()
