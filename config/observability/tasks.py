"""Celery tasks, seen from outside: counted, timed, and their lines joined to the request that asked for them.

The worker runs its tasks in threads of one process, so one registry holds all; REPLI_WORKER_METRICS_PORT serves it.
"""

from __future__ import annotations

import time
from typing import Any

from celery import Task, signals
from celery.exceptions import Ignore, Retry
from celery.exceptions import Reject as Rejected

from config.observability import context, figures, labels
from config.observability.tracing import span

HEADER = "repli_request_id"  # of a task's message


class Observed(Task):  # type: ignore[type-arg]
    """The base of all our tasks."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if name := cls.__dict__.get("name"):  # Celery makes a class of each task's function
            labels.add("task", [name])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        begun, outcome = time.perf_counter(), "failed"
        asked = {"request_id": word} if (word := _asked_by(self)) else {}
        with context.joined(task=self.name, **asked), span("task") as told:
            told.note("repli.task", self.name)
            try:
                answer = self.run(*args, **kwargs)
                outcome = "done"
            except (Retry, Ignore, Rejected):
                outcome = "put_off"
                raise
            finally:
                figures.tasks(self.name, outcome).inc()
                figures.task_seconds(self.name).observe(time.perf_counter() - begun)
        return answer


def _asked_by(task: Observed) -> str | None:
    word = task.request.get(HEADER) or (task.request.headers or {}).get(HEADER)  # as a worker's, or run on the spot
    return word if isinstance(word, str) else None


@signals.before_task_publish.connect(weak=False)
def _sign(headers: dict[str, Any] | None = None, **_: Any) -> None:
    """Put the id of the request that is being answered into the message."""
    if headers is not None and (word := context.known("request_id")):
        headers.setdefault(HEADER, word)
