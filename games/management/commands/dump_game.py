"""`manage.py dump_game GAME`: the stored rows of a game, one JSON object a line, the game itself first.

While a game is not over, its seed and what its rules have dealt stay hidden, also from whoever may run commands.
`--break-glass` shows them and says so loudly in the log.
"""

from __future__ import annotations

import getpass
import logging
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import msgspec
from django.core.management.base import BaseCommand, CommandError

from games.models import Event, Game
from games.rules.lifecycle import LIFECYCLE
from games.rules.moments import rfc3339

log = logging.getLogger(__name__)
OVER = ("finished", "aborted")


class Command(BaseCommand):
    help = "Print a game's stored events."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", type=UUID)
        parser.add_argument(
            "--break-glass", action="store_true", help="show hidden cards and the seed of a running game"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        game = Game.objects.filter(id=options["game"]).first()
        if game is None:
            raise CommandError(f"there is no game {options['game']}")
        is_open = game.status in OVER
        if options["break_glass"] and not is_open:
            log.critical("GLASS BROKEN: %s reads the hidden cards of running game %s", getpass.getuser(), game.id)
            is_open = True
        for line in _lines(game, is_open=is_open):
            self.stdout.write(msgspec.json.encode(line).decode())


def _lines(game: Game, *, is_open: bool) -> Iterator[dict[str, Any]]:
    yield _game(game, is_open=is_open)
    events = Event.objects.filter(game_id=game.id).order_by("version")
    for event in events.iterator(chunk_size=1000):
        yield _event(event, is_open=is_open)


def _game(game: Game, *, is_open: bool) -> dict[str, Any]:
    line: dict[str, Any] = {
        "game_id": str(game.id),
        "rules": game.rules,
        "rules_version": game.rules_version,
        "options": msgspec.Raw(game.options.encode()),
        "mode": game.mode,
        "visibility": game.visibility,
        "status": game.status,
        "seats": game.seats,
        "version": game.version,
        "to_act": game.to_act,
        "due_at": game.due_at,
        "head": bytes(game.head).hex(),
        "created_at": rfc3339(game.created_at),
    }
    return line | {"seed": bytes(game.seed).hex()} if is_open else line


def _event(event: Event, *, is_open: bool) -> dict[str, Any]:
    line: dict[str, Any] = {
        "seq": event.version,
        "type": event.type,
        "schema": event.schema,
        "at": rfc3339(event.recorded_at),
        "seat": event.seat,
        "hash": bytes(event.hash).hex(),
    }
    if is_open or event.type in LIFECYCLE:
        line["data"] = msgspec.Raw(event.data.encode())
    if is_open:
        line |= {"command_id": event.command_id, "meta": msgspec.Raw(event.meta.encode())}
    return line
