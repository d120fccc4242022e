"""The Celery application; its settings are Django's, its tasks live in each app's `tasks` module."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("REPLI_PROCESS", "worker")

app = Celery("repli")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["rankings.matchmaking"])
