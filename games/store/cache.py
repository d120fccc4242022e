"""Folded games that this process has met lately. A shortcut and never an authority: whoever reads it asks the table
whether it is still true. Bounded (setting `cached_games`), safe between threads; an older state never replaces a newer.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

import msgspec
from django.conf import settings

from config.observability import labels
from config.observability.figures import cache_entries
from games.rules.table import Table


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """A game at a version, with what writing to it needs: its secret seed and the chain's link at that version."""

    table: Table
    seed: bytes
    head: bytes
    code: str

    @property
    def version(self) -> int:
        return self.table.version


_games: OrderedDict[str, Loaded] = OrderedDict()
_lock = Lock()


def get(game_id: str) -> Loaded | None:
    with _lock:
        if (found := _games.get(game_id)) is not None:
            _games.move_to_end(game_id)
        return found


def put(loaded: Loaded) -> None:
    """Keep it unless a newer version is kept already; the game used longest ago makes room."""
    with _lock:
        known = _games.get(loaded.table.id)
        if known is None or known.version < loaded.version:
            _games[loaded.table.id] = loaded
        _games.move_to_end(loaded.table.id)
        while len(_games) > settings.REPLI.cached_games:
            _games.popitem(last=False)


def drop(game_id: str) -> None:
    with _lock:
        _games.pop(game_id, None)


def clear() -> None:
    with _lock:
        _games.clear()


def size() -> int:
    with _lock:
        return len(_games)


labels.add("cache", ["games"])
cache_entries("games").set_function(size)
