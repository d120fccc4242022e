"""The SQL of an append: one statement for a whole batch, in one transaction, all or nothing per game.

The shape was raced by many writers with killed backends (performance.md, "The batch append, tried out"): rows are
locked in id order, so two processes never deadlock; after a wait PostgreSQL looks at `version = expected` again, so a
game that moved on is dropped and the rest of the batch stands; events, receipts, feed and seats are joined on the
games that were advanced, so nothing can slip in behind one that was not.
"""

from __future__ import annotations

from functools import lru_cache

_MOVED = """(game_id uuid, expected int, version int, status text, host smallint, to_act smallint[],
    due_at timestamptz, head text, options json, player_id uuid, operation text, scope uuid, key text)"""

# The scalar subquery is meant: NOT EXISTS would become a hash join over the table.
ADVANCED = f"""
WITH locked AS MATERIALIZED (
    SELECT m.* FROM json_to_recordset(%s::json) AS m{_MOVED}
    JOIN games_game g ON g.id = m.game_id AND g.version = m.expected
    AND (SELECT true FROM games_receipt r WHERE r.game_id = m.scope AND r.player_id = m.player_id
         AND r.operation = m.operation AND r.key = m.key) IS NULL
    ORDER BY g.id FOR NO KEY UPDATE OF g),
advanced AS (
    UPDATE games_game g SET version = l.version, status = l.status, host = l.host, to_act = l.to_act,
        due_at = l.due_at, check_at = least(g.check_at, l.due_at), head = decode(l.head, 'hex'),
        options = coalesce(l.options, g.options), updated_at = now()
    FROM locked l WHERE g.id = l.game_id AND g.version = l.expected
    RETURNING g.id, l.expected, g.version)"""  # noqa: S608  (made of literals)

CREATED = """
WITH advanced AS (
    INSERT INTO games_game (id, code, rules, rules_version, options, mode, visibility, status, seats, host, version,
        to_act, due_at, check_at, head, seed, branched_from, created_at, updated_at)
    SELECT m.game_id, m.code, m.rules, m.rules_version, m.options, m.mode, m.visibility, m.status, m.seats, m.host,
        m.version, m.to_act, m.due_at, m.due_at, decode(m.head, 'hex'), decode(m.seed, 'hex'), m.branched_from,
        m.created_at, now()
    FROM json_to_recordset(%s::json) AS m(game_id uuid, version int, status text, host smallint, to_act smallint[],
        due_at timestamptz, head text, options json, code text, rules text, rules_version int, mode text,
        visibility text, seats smallint, seed text, branched_from uuid, created_at timestamptz)
    RETURNING id, 0 AS expected, version)"""

_EVENTS = """,
events AS (
    INSERT INTO games_event (game_id, version, type, schema, data, seat, command_id, recorded_at, meta, hash)
    SELECT a.id, x.version, x.type, x.schema, x.data, x.seat, x.command_id, x.at, x.meta, decode(x.hash, 'hex')
    FROM json_to_recordset(%s::json) AS x(game_id uuid, version int, type text, schema smallint, data json,
        seat smallint, command_id text, at timestamptz, meta json, hash text)
    JOIN advanced a ON x.game_id = a.id AND x.version > a.expected AND x.version <= a.version
    ORDER BY a.id, x.version)"""

_RECEIPTS = """,
receipts AS (
    INSERT INTO games_receipt (game_id, player_id, operation, key, body_hash, status, body, written_at)
    SELECT x.scope, x.player_id, x.operation, x.key, decode(x.body_hash, 'hex'), x.status, decode(x.body, 'base64'),
        now()
    FROM json_to_recordset(%s::json) AS x(game_id uuid, scope uuid, player_id uuid, operation text, key text,
        body_hash text, status smallint, body text)
    JOIN advanced a ON x.game_id = a.id ORDER BY a.id)"""

_FEED = """,
feed AS (
    INSERT INTO games_feed (game_id, version, type, noted_at)
    SELECT a.id, x.version, x.type, now()
    FROM json_to_recordset(%s::json) AS x(game_id uuid, version int, type text)
    JOIN advanced a ON x.game_id = a.id ORDER BY a.id, x.version)"""

_SEATS = """,
seats AS (
    INSERT INTO games_seat AS s (game_id, seat, player_id, bot, controller, "left", place, score)
    SELECT a.id, x.seat, x.player_id, x.bot, x.controller, x.left_for_good, x.place, x.score
    FROM json_to_recordset(%s::json) AS x(game_id uuid, seat smallint, player_id uuid, bot text, controller text,
        left_for_good boolean, place smallint, score int)
    JOIN advanced a ON x.game_id = a.id ORDER BY a.id, x.seat
    ON CONFLICT (game_id, seat) DO UPDATE SET player_id = excluded.player_id, bot = excluded.bot,
        controller = excluded.controller, "left" = excluded."left", place = excluded.place, score = excluded.score
    WHERE (s.player_id, s.bot, s.controller, s."left", s.place, s.score) IS DISTINCT FROM
        (excluded.player_id, excluded.bot, excluded.controller, excluded."left", excluded.place, excluded.score))"""

_RESULT = """
SELECT id::text, version FROM advanced"""


@lru_cache(maxsize=16)
def statement(*, new: bool, receipts: bool, feed: bool, seats: bool) -> str:
    """The statement with the parts that the batch needs, so that a plain move pays for no more."""
    parts = [
        CREATED if new else ADVANCED,
        _EVENTS,
        _RECEIPTS if receipts else "",
        _FEED if feed else "",
        _SEATS if seats else "",
        _RESULT,
    ]
    return "".join(parts)
