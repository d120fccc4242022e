"""Writes the committed OpenAPI and AsyncAPI documents, or says that they no longer fit the code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.environment import ROOT
from games.api.documents import openapi
from games.ws import asyncapi

FOLDER = ROOT / "config" / "schemas"


def documents() -> dict[Path, bytes]:
    """The documents as the code makes them, by file."""
    made = {"openapi.json": openapi(), "asyncapi.json": asyncapi.document()}
    return {FOLDER / name: _text(document) for name, document in made.items()}


def _text(document: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


class Command(BaseCommand):
    help = "Write config/schemas/{openapi,asyncapi}.json; with --check only compare, and fail where they differ."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="write nothing, fail if a document is out of date")

    def handle(self, *, check: bool, **_options: Any) -> None:
        stale = [path for path, made in documents().items() if not path.exists() or path.read_bytes() != made]
        if check and stale:
            names = ", ".join(path.name for path in stale)
            raise CommandError(f"out of date: {names}. Run `manage.py schema` and commit the result.")
        for path in stale:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(documents()[path])
            self.stdout.write(f"{path.relative_to(ROOT)} written")
        if not stale:
            self.stdout.write("up to date")
