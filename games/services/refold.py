"""Stored games under the rules of today: would each come out the same, and where first would it not?

Every move of a game is decided once more with the action that its events tell of, the stored seed and its place in
the random stream, running games included. What is found says nothing about the store, which `verify_events` audits,
but about the code. Invariant: reading only; memory is bounded by one game per process.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from uuid import UUID

import msgspec

from games.rules import lifecycle as life
from games.rules.proof.course import walk
from games.rules.proof.difference import Difference, Differs, differs
from games.rules.proof.past import Source
from games.rules.proof.reading import retold
from games.rules.proof.verifying import game_id as id_of
from games.rules.proof.verifying import verify
from games.rules.table import Table, appends
from games.services import corpus
from games.store.connection import read
from games.store.load import history, load

PAGE = 500


class Refolded(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was decided once more: `difference` is the first event that would now be another one, or illegal.

    `stored_under`: the rules' version of its beginning, `rules_version` today's.
    """

    game_id: str
    rules: str
    events: int
    stored_under: int | None = None
    rules_version: int | None = None
    difference: Difference | None = None


def since(date: datetime, rules: str | None = None) -> Iterator[str]:
    """The ids of all games created at or after that moment, oldest first."""
    after = str(UUID(int=0))
    while True:
        found = read(
            "SELECT id::text FROM games_game WHERE created_at >= %s AND id > %s AND (%s::text IS NULL OR rules = %s)"
            " ORDER BY id LIMIT %s",
            [date, after, rules, rules, PAGE],
        )
        yield from (game_id for (game_id,) in found)
        if len(found) < PAGE:
            return
        after = found[-1][0]


def count(date: datetime, rules: str | None = None) -> int:
    """How many games that is."""
    found = read(
        "SELECT count(*) FROM games_game WHERE created_at >= %s AND (%s::text IS NULL OR rules = %s)",
        [date, rules, rules],
    )
    return int(found[0][0])


def refold(game_id: str) -> Refolded:
    """One stored game."""
    (rules, stored_under, seed) = read("SELECT rules, rules_version, seed FROM games_game WHERE id = %s", [game_id])[0]
    table = Table(id=game_id)
    difference = None
    try:
        records = history(game_id)
        for step in walk(game_id, retold(records), bytes(seed), _source):
            table = step.table
    except Differs as found:
        difference = found.difference
    except (LookupError, msgspec.ValidationError) as fault:  # stored in a shape that nothing reads any more
        difference = differs("unreadable", table.version + 1, found=str(fault)).difference
    return Refolded(
        game_id=game_id,
        rules=rules,
        events=table.version,
        stored_under=stored_under,
        rules_version=table.ruleset.rules_version if table.rules else None,
        difference=difference,
    )


def _source(origin: life.BranchSource) -> Source | None:
    """What a branch's past is compared with: the stored source, which is refolded in its own turn."""
    loaded = load(origin.game_id)
    if loaded is None:
        return None
    table, records = loaded.table, history(origin.game_id)
    ends = frozenset(group[-1].version for group in appends(records))
    return Source(table.id, table.rules, table.options, table.seats, retold(records), ends)


def of_corpus(path: str) -> list[Refolded]:
    """Every game of a file of replays, the chain included."""
    found = []
    for replay in corpus.replays(Path(path)):
        proof = verify(replay)
        found.append(
            Refolded(
                game_id=id_of(replay),
                rules=proof.rules,
                events=proof.events,
                difference=proof.difference,
            )
        )
    return found
