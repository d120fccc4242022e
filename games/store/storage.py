"""How much room games take in the database: whole tables with their indexes, spread over the events that they hold.

A ruleset's bytes are those of its events' rows, as sampled from its latest finished games, and their share of what the
table keeps around rows: headers, indexes, free room. Nothing is shown of any game but sums.
"""

from __future__ import annotations

import msgspec

from games.store.connection import read

# The tables that grow with play, by what makes them grow. Partitions count with their table.
EVENTS = "games_event"
WITH_GAMES = ("games_game", "games_seat", "games_feed", "games_applied")
RECEIPTS = "games_receipt"  # forgotten after a while, so not counted with what stays
OTHERS = ("accounts_player", "accounts_token", "games_statistic", "rankings_rating", "rankings_rating_change")

_SIZES = """
SELECT x.name, (SELECT sum(pg_total_relation_size(t.relid)) FROM pg_partition_tree(x.name::regclass) t),
    pg_total_relation_size(x.name::regclass),
    (SELECT sum(greatest(c.reltuples, 0)) FROM pg_class c WHERE c.oid = x.name::regclass
     OR c.oid IN (SELECT t.relid FROM pg_partition_tree(x.name::regclass) t WHERE t.isleaf))
FROM unnest(%s::text[]) AS x(name) WHERE to_regclass(x.name) IS NOT NULL"""
_RULES = """
SELECT rules, count(*), sum(version) FROM games_game GROUP BY rules ORDER BY rules"""
_SAMPLE = """
SELECT count(DISTINCT e.game_id), count(*), sum(pg_column_size(e.*)), sum(octet_length(e.data::text))
FROM (SELECT id FROM games_game WHERE rules = %s AND status = 'finished' ORDER BY id DESC LIMIT %s) g
JOIN games_event e ON e.game_id = g.id"""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table with its indexes. `rows` is what the last ANALYZE estimated."""

    name: str
    bytes: int
    rows: int


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """A ruleset's games: all of them, and what one finished game of the sample takes. Bytes with indexes."""

    rules: str
    games: int
    events: int
    sampled: int
    events_per_game: float
    data_bytes_per_event: float
    bytes_per_event: float
    bytes_per_game: float  # what stays for ever: events, the game's row, seats, feed
    receipt_bytes_per_game: float  # until they are forgotten, if none has been yet


class Storage(msgspec.Struct, frozen=True, kw_only=True):
    database: int  # bytes of everything
    games: int
    events: int
    tables: list[Table]
    rules: list[Rules]


class _Sample(msgspec.Struct, frozen=True, kw_only=True):
    rules: str
    games: int
    events: int
    sampled: int
    sampled_events: int
    row_bytes: float
    data_bytes: float


def measure(sample: int) -> Storage:
    """Sizes now; of each ruleset the latest `sample` finished games are read."""
    tables = _tables([EVENTS, *WITH_GAMES, RECEIPTS, *OTHERS])
    samples = [_sample(rules, games, events, sample) for rules, games, events in read(_RULES)]
    games, events = sum(each.games for each in samples), sum(each.events for each in samples)
    sizes = {table.name: table.bytes for table in tables}
    around = _around_a_row(samples, sizes.get(EVENTS, 0))
    beside = sum(sizes.get(name, 0) for name in WITH_GAMES) / max(1, games)
    receipts = sizes.get(RECEIPTS, 0) / max(1, events)
    return Storage(
        database=int(read("SELECT pg_database_size(current_database())")[0][0]),
        games=games,
        events=events,
        tables=tables,
        rules=[_rules(each, around, beside, receipts) for each in samples],
    )


def _tables(names: list[str]) -> list[Table]:
    found = read(_SIZES, [names])
    return [Table(name=name, bytes=int(parts or own), rows=int(rows or 0)) for name, parts, own, rows in found]


def _sample(rules: str, games: int, events: int, limit: int) -> _Sample:
    ((sampled, sampled_events, row_bytes, data_bytes),) = read(_SAMPLE, [rules, limit])
    return _Sample(
        rules=rules,
        games=games,
        events=int(events),
        sampled=sampled,
        sampled_events=sampled_events,
        row_bytes=float(row_bytes or 0) / max(1, sampled_events),
        data_bytes=float(data_bytes or 0) / max(1, sampled_events),
    )


def _around_a_row(samples: list[_Sample], size: int) -> float:
    """Bytes that the table of events keeps for each event besides its row: the same whatever the ruleset."""
    known = [each for each in samples if each.sampled]
    events = sum(each.events for each in known)
    if not events:
        return 0.0
    share = size * events / sum(each.events for each in samples)
    return max(0.0, (share - sum(each.events * each.row_bytes for each in known)) / events)


def _rules(each: _Sample, around: float, beside: float, receipts: float) -> Rules:
    per_game = each.sampled_events / each.sampled if each.sampled else 0.0
    per_event = each.row_bytes + around if each.sampled else 0.0
    return Rules(
        rules=each.rules,
        games=each.games,
        events=each.events,
        sampled=each.sampled,
        events_per_game=round(per_game, 1),
        data_bytes_per_event=round(each.data_bytes, 1),
        bytes_per_event=round(per_event, 1),
        bytes_per_game=round(per_event * per_game + beside) if each.sampled else 0,
        receipt_bytes_per_game=round(receipts * per_game),
    )
