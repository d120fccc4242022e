#!/usr/bin/env python3
"""Django's command line. Migrations run as the database's owner, everything else as the application."""

import os
import sys

AS_OWNER = {"migrate", "sqlmigrate", "showmigrations"}


def main() -> None:
    """Run one management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("REPLI_PROCESS", "command")
    if len(sys.argv) > 1 and sys.argv[1] in AS_OWNER:
        os.environ.setdefault("REPLI_AS_OWNER", "1")
    from django.core.management import execute_from_command_line
    from pydantic import ValidationError

    from config.environment import faults

    try:
        execute_from_command_line(sys.argv)
    except ValidationError as error:
        if error.title != "Environment":
            raise
        sys.exit("\n".join(f"setting {fault}" for fault in faults(error)))


if __name__ == "__main__":
    main()
