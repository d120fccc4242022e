"""The suite's own servers."""

from django.db import connection

from tests.servers import TestServers


def test_the_suite_works_as_the_application_role_which_owns_nothing(servers: TestServers) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_class JOIN pg_roles ON relowner = pg_roles.oid WHERE rolname = user")
        (owned,) = cursor.fetchone()

    assert servers.database_url != servers.migrate_database_url
    assert owned == 0
