"""`manage.py verify_game GAME|FILE`: prove finished games from their replays alone; exit 1 and name the place."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from games.rules.proof import sentences
from games.rules.proof.verifying import Proof, game_id, verify
from games.services import corpus, replays
from games.services.watch import OVER
from games.store.load import load

Replays = Mapping[str, Any]


class Command(BaseCommand):
    help = "Verify deals, draws, rules and the hash chain of finished games from their replays alone."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", metavar="GAME|FILE", help="a game's id, or a file of replays (JSON, or one a line)")
        parser.add_argument("--receipts", type=Path, metavar="FILE", help="receipts that a player kept")
        parser.add_argument("--source", type=Path, action="append", default=[], metavar="FILE", help="of a branch")
        parser.add_argument("--language", choices=("en", "fr"), default="en")
        parser.add_argument("--json", action="store_true", help="one JSON object for each game instead of sentences")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            failed = self.verify(options)
        except (corpus.Unreadable, OSError) as error:
            raise CommandError(str(error)) from error
        if failed:
            sys.exit(1)

    def verify(self, options: Mapping[str, Any]) -> int:
        """The number of games that were found wanting."""
        kept = corpus.receipts(options["receipts"]) if options["receipts"] else []
        named = {game_id(each): each for path in options["source"] for each in corpus.replays(path)}
        count = failed = 0
        for replay, sources in _games(options["game"], named):
            wanted = {None, game_id(replay)}
            proof = verify(replay, [receipt for owner, receipt in kept if owner in wanted], sources)
            count, failed = count + 1, failed + (not proof.holds)
            self.report(proof, options)
        if count > 1 and not options["json"]:
            self.stdout.write(f"{count} games, {failed} found wanting")
        return failed

    def report(self, proof: Proof, options: Mapping[str, Any]) -> None:
        language = options["language"]
        if options["json"]:
            told = msgspec.to_builtins(proof) | {"holds": proof.holds}
            if proof.difference is not None:
                told["problem"] = sentences.found(proof.difference, language)
            self.stdout.write(msgspec.json.encode(told).decode())
        elif proof.difference is not None:
            self.stdout.write(f"{proof.game_id or '?'}: {sentences.found(proof.difference, language)}")
        else:
            self.stdout.write(f"{proof.game_id}:")
            for sentence in sentences.checked(proof, language):
                self.stdout.write(f"  {sentence}")


def _games(named: str, sources: Replays) -> Iterator[tuple[Any, Replays]]:
    """Each replay with those that it may have been branched from."""
    path = Path(named)
    if path.exists():
        for replay in corpus.replays(path):
            yield replay, sources
        return
    try:
        wanted = str(UUID(named))
    except ValueError:
        raise CommandError(f"{named} is neither a file nor a game's id") from None
    try:
        loaded = load(wanted)
    except OperationalError as error:
        raise CommandError(f"the database does not answer: {error}") from error
    if loaded is None:
        raise CommandError(f"there is no game {wanted}")
    if loaded.table.status not in OVER:
        raise CommandError(f"game {wanted} is not over: its seed and its cards are still hidden")
    yield replays.as_json(replays.opened(loaded)), {**replays.ancestry(loaded), **sources}
