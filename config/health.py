"""Whether the service lives and whether it can serve: what load balancers and supervisors ask.

Ready means database and migrations, nothing else: a dead worker must not take the web tier down. A process that was
asked to end is not ready.
"""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse

from config.drain import DRAIN
from config.wire.problems import Problem
from config.wire.rest import http_problem

_migrated: set[tuple[str, str]] = set()  # databases found to be up to date by this process; they never go back


async def healthz(_request: HttpRequest) -> HttpResponse:
    """The process is alive and serves."""
    return HttpResponse("ok\n", content_type="text/plain")


def readyz(request: HttpRequest) -> HttpResponse:
    """The database answers and holds every migration, and this process is to go on; else 503."""
    if DRAIN.begun:
        return http_problem(Problem("unavailable", retry_after=1), request)
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        database = (str(connection.settings_dict["HOST"]), str(connection.settings_dict["NAME"]))
        ready = database in _migrated or _is_migrated()
    except (DatabaseError, OSError) as error:
        return http_problem(error, request)
    if not ready:
        return http_problem(Problem("unavailable", "not-migrated", retry_after=5), request)
    _migrated.add(database)
    return JsonResponse({"status": "ready"})


def _is_migrated() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())
