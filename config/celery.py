"""The Celery application; its settings are Django's, its tasks live in each app's `tasks` module."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import after_task_publish, heartbeat_sent, worker_init, worker_ready
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("REPLI_PROCESS", "worker")

app = Celery("repli", task_cls="config.observability.tasks:Observed")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["rankings.matchmaking"])


@worker_init.connect(weak=False)
def _observed(**_signal: Any) -> None:
    """The worker tells about itself as a web process does."""
    from config.observability import exposition, tracing

    tracing.switch_on(settings.REPLI)
    if settings.REPLI.worker_metrics_port:
        exposition.serve(settings.REPLI.host, settings.REPLI.worker_metrics_port)


def alive(**_signal: Any) -> None:
    """Leave a sign for a probe: the worker with its heartbeats, which go through the broker, beat with its tasks."""
    file = settings.REPLI.alive_file
    if file is not None and settings.REPLI.process in {"worker", "beat"}:
        file.touch()


for signal in (worker_ready, heartbeat_sent, after_task_publish):
    signal.connect(alive)
