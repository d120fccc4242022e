"""What happened stays: for the application by privilege, for the owner by trigger."""

import psycopg
import pytest
from psycopg import errors

from tests.servers import TestServers
from tests.store.games import running, say

APPEND_ONLY = ("games_event", "games_feed", "games_applied")
CHANGES = {
    "games_event": "UPDATE games_event SET data = '{}' WHERE game_id = %(id)s",
    "games_feed": "UPDATE games_feed SET type = 'x' WHERE game_id = %(id)s",
    "games_applied": "UPDATE games_applied SET place = 0 WHERE game_id = %(id)s",
    "games_receipt": "UPDATE games_receipt SET body = '' WHERE game_id = %(id)s",
}
REMOVALS = {
    **{f"DELETE {table}": f"DELETE FROM {table} WHERE game_id = %(id)s" for table in APPEND_ONLY},
    **{f"TRUNCATE {table}": f"TRUNCATE {table}" for table in (*APPEND_ONLY, "games_receipt", "games_game")},
    "DELETE games_game": "DELETE FROM games_game WHERE id = %(id)s",
}
ORIGINS = {
    column: f"UPDATE games_game SET {column} = {value} WHERE id = %(id)s"
    for column, value in {
        "id": "gen_random_uuid()",
        "seed": "''",
        "code": "'x'",
        "rules": "'gg'",
        "rules_version": "99",
        "mode": "'ranked'",
        "visibility": "'public'",
        "seats": "9",
        "branched_from": "gen_random_uuid()",
        "created_at": "now()",
        "version": "version - 1",
        "head": "''",
    }.items()
}
ALL = {**{f"UPDATE {table}": text for table, text in CHANGES.items()}, **REMOVALS}
APPLICATION_MAY_TRY = ("version", "head")  # moves write them, so the trigger must judge the value


@pytest.fixture(scope="module")
def game_id(servers: TestServers) -> str:
    """A game with a row in every table."""
    game = say(running(until=2), "one", "two")
    with psycopg.connect(servers.migrate_database_url) as owner:
        owner.execute(
            "INSERT INTO games_applied (consumer, game_id, version, type, place) VALUES ('stays', %s, 10, 'x', 1)",
            [game.table.id],
        )
        owner.execute(
            "INSERT INTO games_receipt (game_id, player_id, operation, key, body_hash, status, body, written_at)"
            " VALUES (%s, gen_random_uuid(), 'x', 'x', '', 201, '', now())",
            [game.table.id],
        )
    return game.table.id


def _refused(url: str, statement: str, game_id: str, error: type[psycopg.Error]) -> None:
    with psycopg.connect(url) as connection, pytest.raises(error):
        connection.execute(statement.encode(), {"id": game_id} if "%(id)s" in statement else None)


@pytest.mark.parametrize("statement", ALL.values(), ids=ALL)
def test_the_application_has_not_the_privilege(servers: TestServers, game_id: str, statement: str) -> None:
    _refused(servers.database_url, statement, game_id, errors.InsufficientPrivilege)


@pytest.mark.parametrize("statement", ALL.values(), ids=ALL)
def test_the_owner_is_refused_by_trigger(servers: TestServers, game_id: str, statement: str) -> None:
    _refused(servers.migrate_database_url, statement, game_id, errors.RestrictViolation)


@pytest.mark.parametrize("column", ORIGINS)
def test_where_a_game_came_from_cannot_be_changed(servers: TestServers, game_id: str, column: str) -> None:
    refused = errors.RestrictViolation if column in APPLICATION_MAY_TRY else errors.InsufficientPrivilege

    _refused(servers.database_url, ORIGINS[column], game_id, refused)
    _refused(servers.migrate_database_url, ORIGINS[column], game_id, errors.RestrictViolation)


def test_the_application_cannot_pretend_to_have_migrated(servers: TestServers) -> None:
    with psycopg.connect(servers.database_url) as application, pytest.raises(errors.InsufficientPrivilege):
        application.execute("DELETE FROM django_migrations")
