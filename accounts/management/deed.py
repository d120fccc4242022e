"""The common form of an operator's commands: `--author` and `--reason`, kept for ever with what was done."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.audit import NAME_LENGTH, REASON_LENGTH, Operator, Refused
from config.wire import problems
from config.wire.problems import Problem


class Deed(BaseCommand):
    """Subclasses do it in `act`, and return what is told."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--author", required=True, help=f"who decides, at most {NAME_LENGTH} letters")
        parser.add_argument("--reason", required=True, help=f"why, at most {REASON_LENGTH} letters")

    def handle(self, *_args: Any, author: str, reason: str, **options: Any) -> None:
        try:
            self.stdout.write(self.act(Operator(name=author), reason, **options))
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        except Problem as problem:
            raise CommandError(f"not finished, give it again: {problems.body(problem, 'en')['detail']}") from problem

    def act(self, operator: Operator, reason: str, **options: Any) -> str:
        raise NotImplementedError
