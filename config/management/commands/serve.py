"""`manage.py serve`: what `make run` runs, in an environment that is there already."""

import os
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser


class Command(BaseCommand):
    """Becomes the supervisor; its options are passed on."""

    help = "Run everything in the foreground: servers, migrations, web, worker and beat (as `make run`)."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--web-ports", help="one ASGI process on each of these ports, as 8001,8002")

    def handle(self, *_args: Any, web_ports: str | None = None, **_options: Any) -> None:
        os.environ.pop("REPLI_PROCESS", None)
        extra = ("--web-ports", web_ports) if web_ports else ()
        os.execv(sys.executable, (sys.executable, "-m", "config.supervisor", *extra))  # noqa: S606
