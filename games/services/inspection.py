"""A game for those who run the service: what a spectator may see while it is not over, everything afterwards.

Must not: any road to events or state but the spectator's, until the game is over. Private games are shown as a
spectator with their code would see them; the code itself is not.
"""

from __future__ import annotations

from typing import Any

from games.rules.moments import rfc3339
from games.rules.play import plain
from games.rules.table import Table, advance
from games.services import eyes, watch
from games.services.documents import EventDocument, FairnessDocument, GameDocument
from games.store.cache import Loaded
from games.store.load import history, load


def find(game_id: str) -> Loaded | None:
    """The game, or None where there is none."""
    return load(game_id)


def document(loaded: Loaded) -> GameDocument:
    return watch.document(loaded, None)


def state(loaded: Loaded) -> dict[str, Any]:
    """The spectator's view; with all hands open once the game is over."""
    table = loaded.table
    return eyes.open_state(table) if table.status in watch.OVER and table.state else watch.state(table, None)


def fairness(loaded: Loaded) -> FairnessDocument:
    """With the seed only once the game is over."""
    return watch.fairness_of(loaded)


def events(loaded: Loaded, after: int, limit: int) -> list[EventDocument]:
    """Up to `limit` events after that version."""
    game_id, table = loaded.table.id, loaded.table
    records = history(game_id, until=min(after + limit, table.version))
    if table.status not in watch.OVER:
        return watch.event_documents(advance(Table(id=game_id), records[:after]), records[after:], None)
    return [
        EventDocument(seq=record.version, type=record.event.type, at=rfc3339(record.at), data=plain(record.event))
        for record in records[after:]
    ]
