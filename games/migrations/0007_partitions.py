"""The events of a new installation in hash partitions by game, where REPLI_EVENT_PARTITIONS asks for them.

Read once: a table that holds events already is left as it is, and `doctor` says so. The table is made anew with all
that it had (columns, keys, indexes, triggers, storage), whatever earlier migrations gave it. Later migrations name
`games_event` alone: indexes and row triggers made there reach every partition by themselves. What does not: TRUNCATE
triggers, which are made for each partition here, and privileges, which nobody but the owner has on a partition
(games/store/grants.py).

Receipts grow with the moves too, but are forgotten after REPLI_RECEIPT_DAYS; the other tables grow with games and
players. So they stay whole.
"""

import logging

from django.conf import settings
from django.db import migrations

log = logging.getLogger(__name__)

PLAIN = "games_event_plain"
STATE = """
SELECT relkind = 'p', EXISTS (SELECT 1 FROM games_event), reloptions
FROM pg_class WHERE oid = 'games_event'::regclass"""
CONSTRAINTS = """
SELECT format('ALTER TABLE games_event ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid))
FROM pg_constraint WHERE conrelid = 'games_event'::regclass AND contype IN ('p', 'u', 'c') ORDER BY contype, conname"""
INDEXES = """
SELECT pg_get_indexdef(indexrelid) FROM pg_index i
WHERE indrelid = 'games_event'::regclass
AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid) ORDER BY indexrelid"""
TRIGGERS = """
SELECT pg_get_triggerdef(oid) FROM pg_trigger
WHERE tgrelid = 'games_event'::regclass AND NOT tgisinternal ORDER BY tgname"""
PARTITIONS = """
SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'games_event'::regclass ORDER BY c.relname"""
NOT_EMPTIED = """
CREATE TRIGGER games_event_not_emptied BEFORE TRUNCATE ON {} FOR EACH STATEMENT EXECUTE FUNCTION games_refuse()"""


def partition(apps, schema_editor):
    count = settings.REPLI.event_partitions
    if not count:
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(STATE)
        partitioned, filled, storage = cursor.fetchone()
        if partitioned or filled:
            log.warning("the events' table holds events and stays as it is: see README, Growth")
            return
        made = [statement for asked in (CONSTRAINTS, INDEXES, TRIGGERS) for statement in _column(cursor, asked)]
        cursor.execute(f"ALTER TABLE games_event RENAME TO {PLAIN}")
        cursor.execute(
            f"CREATE TABLE games_event (LIKE {PLAIN} INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING STORAGE"
            " INCLUDING COMPRESSION INCLUDING COMMENTS INCLUDING STATISTICS) PARTITION BY HASH (game_id)"
        )
        cursor.execute(f"DROP TABLE {PLAIN}")
        for statement in made:
            cursor.execute(statement)
        for number in range(count):
            name = f"games_event_p{number:0{len(str(count - 1))}d}"
            cursor.execute(
                f"CREATE TABLE {name} PARTITION OF games_event FOR VALUES WITH (MODULUS {count}, REMAINDER {number})"
                + (f" WITH ({', '.join(storage)})" if storage else "")
            )
            cursor.execute(NOT_EMPTIED.format(name))


def forget_their_triggers(apps, schema_editor):
    """The way back: the partitions stay, but no longer need the function that refuses."""
    with schema_editor.connection.cursor() as cursor:
        for name in _column(cursor, PARTITIONS):
            cursor.execute(f"DROP TRIGGER games_event_not_emptied ON {name}")


def _column(cursor, statement):
    cursor.execute(statement)
    return [value for (value,) in cursor.fetchall()]


class Migration(migrations.Migration):
    dependencies = [("games", "0006_operators")]
    operations = [migrations.RunPython(partition, forget_their_triggers)]
