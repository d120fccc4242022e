"""`manage.py doctor` and the settings' faults, in plain words."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import psycopg
from django.conf import settings

from config import checkup
from config.embedded import ports
from tests.servers import CHECKOUT, TestServers


def test_a_sound_set_up_has_no_fault(servers: TestServers) -> None:
    code, levels = doctor(PORT=str(ports.free()))

    assert code == 0
    assert set(levels.values()) == {"ok"}
    assert {"python", "settings", "data folder", "database", "privileges", "migrations", "redis", "port"} <= set(levels)


def test_an_application_that_owns_the_tables_is_warned_of(servers: TestServers) -> None:
    code, levels = doctor(DATABASE_URL=servers.migrate_database_url, PORT=str(ports.free()))

    assert code == 0
    assert levels["privileges"] == "warning"


def test_plans_are_kept_only_where_they_go_by_index(servers: TestServers) -> None:
    assert doctor(REPLI_PREPARED_STATEMENTS="false")[1]["plans"] == "ok"
    levels = doctor(REPLI_PREPARED_STATEMENTS="true")[1]
    pooled = not settings.REPLI.prepared_statements
    assert levels["database" if pooled else "plans"] == ("error" if pooled else "ok")
    with psycopg.connect(servers.superuser_database_url) as connection:  # as from a pooler that drops wishes
        assert [found.level for found in checkup._about_plans(connection, prepared=True)] == ["warning"]


def test_servers_that_do_not_answer_are_errors(servers: TestServers) -> None:
    dead = ports.free()
    code, levels = doctor(DATABASE_URL=f"postgresql://a:b@127.0.0.1:{dead}/c", REDIS_URL=f"redis://127.0.0.1:{dead}")

    assert code == 1
    assert levels["database"] == "error"
    assert levels["redis"] == "error"


def test_all_faulty_settings_are_named_at_once_and_their_values_are_not_shown() -> None:
    done = run(PORT="none-of-your-business", REPLI_TOKEN_DAYS="0")

    assert done.returncode == 1
    assert "setting PORT: " in done.stderr
    assert "setting REPLI_TOKEN_DAYS: " in done.stderr
    assert "none-of-your-business" not in done.stderr
    assert "Traceback" not in done.stderr


def doctor(**variables: str) -> tuple[int, dict[str, str]]:
    """The doctor's exit code, and the level of each check."""
    done = run("--json", **variables)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, {each["check"]: each["level"] for each in json.loads(done.stdout)["findings"]}


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, as a person would run it."""
    return subprocess.run(
        [sys.executable, "manage.py", "doctor", *arguments],
        cwd=CHECKOUT,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
