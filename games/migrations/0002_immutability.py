"""What happened stays: triggers refuse to change or remove events, receipts, the feed and the followers' order, and
to change where a game came from. They hold for the owner too; the application's role has not even the privileges
(games/store/grants.py). Only plpgsql is needed, on PostgreSQL 15 and later.
"""

from django.db import migrations

APPEND_ONLY = ("games_event", "games_feed", "games_applied")
NEVER_EMPTIED = (*APPEND_ONLY, "games_receipt", "games_game")

FUNCTION = """
CREATE FUNCTION games_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: what happened stays', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$
"""
NO_CHANGE = """
CREATE TRIGGER {0}_stays BEFORE UPDATE OR DELETE ON {0} FOR EACH ROW EXECUTE FUNCTION games_refuse()
"""
NOT_EMPTIED = """
CREATE TRIGGER {0}_not_emptied BEFORE TRUNCATE ON {0} FOR EACH STATEMENT EXECUTE FUNCTION games_refuse()
"""
# Receipts are forgotten once nobody can repeat the request any more; what they say may not change until then.
RECEIPT = """
CREATE TRIGGER games_receipt_stays BEFORE UPDATE ON games_receipt FOR EACH ROW EXECUTE FUNCTION games_refuse()
"""
# The condition is looked at without calling the function, so that a move pays next to nothing for it.
GAME = """
CREATE TRIGGER games_game_origin_stays BEFORE UPDATE ON games_game FOR EACH ROW
WHEN (NEW.version < OLD.version OR (NEW.version = OLD.version AND NEW.head <> OLD.head)
   OR NEW.id <> OLD.id OR NEW.seed <> OLD.seed OR NEW.code <> OLD.code OR NEW.created_at <> OLD.created_at
   OR NEW.rules <> OLD.rules OR NEW.rules_version <> OLD.rules_version OR NEW.mode <> OLD.mode
   OR NEW.seats <> OLD.seats OR NEW.visibility <> OLD.visibility
   OR NEW.branched_from IS DISTINCT FROM OLD.branched_from)
EXECUTE FUNCTION games_refuse()
"""
GAME_REMOVED = """
CREATE TRIGGER games_game_stays BEFORE DELETE ON games_game FOR EACH ROW EXECUTE FUNCTION games_refuse()
"""
# Moves update a game's row in place (no indexed column changes), so room for the next version is kept on its page.
STORAGE = """
ALTER TABLE games_game SET (
    fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0.05)
"""

FORWARD = [
    FUNCTION,
    *(NO_CHANGE.format(table) for table in APPEND_ONLY),
    *(NOT_EMPTIED.format(table) for table in NEVER_EMPTIED),
    RECEIPT,
    GAME,
    GAME_REMOVED,
    STORAGE,
]
BACKWARD = [
    *(f"DROP TRIGGER {table}_stays ON {table}" for table in (*APPEND_ONLY, "games_receipt", "games_game")),
    *(f"DROP TRIGGER {table}_not_emptied ON {table}" for table in NEVER_EMPTIED),
    "DROP TRIGGER games_game_origin_stays ON games_game",
    "DROP FUNCTION games_refuse()",
    "ALTER TABLE games_game RESET (fillfactor, autovacuum_vacuum_scale_factor, autovacuum_vacuum_cost_delay,"
    " autovacuum_analyze_scale_factor)",
]


class Migration(migrations.Migration):
    dependencies = [("games", "0001_events")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
