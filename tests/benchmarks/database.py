"""A database for benchmarks: durable as in production, made for this run and gone with it.

`connect` comes before anything of `games.store` is imported: Django learns the addresses there. Where DATABASE_URL
is set, that database is taken as it is, migrated already; SUPERUSER_DATABASE_URL then names a role that may make
tables for baselines.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import django

from tests.servers import CHECKOUT, running_stack

VARIABLES = ("database_url", "migrate_database_url", "superuser_database_url", "redis_url")


@cache
def connect() -> None:
    """Set Django up on a database that stands until this process ends. Later calls do nothing."""
    if not os.environ.get("DATABASE_URL"):
        _start()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()


def superuser_url() -> str:
    """The address for a role that may make tables."""
    return os.environ.get("SUPERUSER_DATABASE_URL") or os.environ["DATABASE_URL"]


def _start() -> None:
    folder = Path(tempfile.mkdtemp(prefix="repli-benchmarks-"))
    folder.chmod(0o711)  # the servers' user can enter it
    held = ExitStack()
    atexit.register(held.close)
    held.callback(shutil.rmtree, folder, ignore_errors=True)
    stack = held.enter_context(running_stack(folder / "data", servers_only=True))
    os.environ |= {name.upper(): stack.servers[name] for name in VARIABLES}
    os.environ["REPLI_DATA_DIR"] = str(stack.data_dir)
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=CHECKOUT, check=True)
