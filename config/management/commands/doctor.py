"""`manage.py doctor`: is everything in place, and if not, what to do."""

import json
import sys
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.checkup import everything
from config.environment import Environment

MARKS = {"ok": "ok     ", "warning": "WARNING", "error": "ERROR  "}


class Command(BaseCommand):
    """Prints one line per finding; exit code 1 when one is an error."""

    help = "Check the set-up and say in plain words what is wrong."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the findings as JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        findings = list(everything(Environment()))
        if options["json"]:
            self.stdout.write(json.dumps({"findings": [asdict(finding) for finding in findings]}, indent=2))
        else:
            for finding in findings:
                self.stdout.write(f"{MARKS[finding.level]} {finding.check}: {finding.text}")
        if any(finding.level == "error" for finding in findings):
            sys.exit(1)
