"""Plans that are kept from when tables were young: they must go by index, or a move slows down as the tables grow."""

from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from games.store import due, load
from games.store.statements import statement

GAME = f"SELECT g.version, {load._EVENTS} FROM games_game g WHERE g.id = %s"
SWEEP = due._SWEEP.replace("%(now)s", "now()").replace("%(limit)s", "100")
STATEMENTS = {
    "a plain move": statement(new=False, receipts=False, feed=False, seats=False),
    "a move with everything": statement(new=False, receipts=True, feed=True, seats=True),
    "a game that is loaded": GAME,
    "many games' versions": "SELECT id, version FROM games_game WHERE id = ANY(%s::uuid[])",
    "a receipt": "SELECT body FROM games_receipt WHERE game_id = %s AND player_id = %s AND operation = %s AND key = %s",
    "a player's games": "SELECT * FROM games_seat s JOIN games_game g ON g.id = s.game_id WHERE s.player_id = %s",
    "a join by code": "SELECT id FROM games_game WHERE code = %s",
    "the sweep": SWEEP,
}


@pytest.mark.skipif(not settings.REPLI.prepared_statements, reason="no plan is kept")
@pytest.mark.parametrize("text", STATEMENTS.values(), ids=STATEMENTS)
def test_it_goes_by_index_whatever_the_size_of_the_tables(text: str) -> None:
    connection.ensure_connection()

    steps = plan(connection.connection, text)

    assert "Seq Scan on games_" not in steps
    assert "on games_" in steps


def plan(connected: psycopg.Connection[Any], text: str) -> str:
    """The plan that is kept for a prepared statement, for any parameters."""
    count = text.count("%s")
    numbered = text
    for number in range(1, count + 1):
        numbered = numbered.replace("%s", f"${number}", 1)
    nulls = f"({', '.join(['NULL'] * count)})" if count else ""
    connected.execute("SET plan_cache_mode = force_generic_plan")
    connected.execute(f"PREPARE looked_at AS {numbered}".encode())
    try:
        return "\n".join(line for (line,) in connected.execute(f"EXPLAIN EXECUTE looked_at{nulls}".encode()))
    finally:
        connected.execute("DEALLOCATE looked_at")
        connected.execute("RESET plan_cache_mode")
