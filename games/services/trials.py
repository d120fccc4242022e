"""Trial games, made up at random, written to the real store append by append. For drills and tests, never for players.

Their players have no accounts, and nothing is due at them.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from games.rules.conformance.playthrough import Case, Playthrough, played
from games.rules.play import Move
from games.rules.registry import AnyRuleset
from games.rules.table import Recorded, appends
from games.store.append import append, blank, create, prepare
from games.store.cache import Loaded
from games.store.load import load

Watch = Callable[[Loaded, tuple[Recorded, ...], Loaded], None]


def made_up(rules: AnyRuleset, *, takeovers: bool = True) -> Playthrough:
    """A game like no other, played to its end in memory."""
    return played(Case(rules, secrets.randbits(62), takeovers=takeovers))


def write(game: Playthrough, *, most: int | None = None, watch: Watch = lambda *_: None) -> Loaded:
    """Store the game, or its first appends; `watch` is told the game before and after each."""
    before = blank(game.table.id, game.seed)
    for group, after in list(zip(appends(game.records), game.tables, strict=True))[:most]:
        prepared = prepare(before, Move(records=group, table=after), due_at=None)
        written = append([prepared]) if before.version else create(prepared, secrets.token_hex(4).upper())
        assert written, "nobody else writes to a trial game"
        now = load(game.table.id)
        assert now is not None, "it has just been written"
        watch(before, group, now)
        before = now
    return before
