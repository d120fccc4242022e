"""One set of real servers for the whole run, started when a collected test may need them.

Tests commit for real and isolate by unique ids; nothing is rolled back, flushed or truncated (the events' triggers
refuse it). So Django's access to the database is open for all tests, without marks.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import django
import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.servers import TestServers

SERVERS = TestServers()
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    # No bytecode beside the sources, then; but a run starts a hundred processes, and compiles for the first only.
    os.environ["PYTHONPYCACHEPREFIX"] = str(SERVERS.data_dir / "bytecode")
os.environ.update(SERVERS.variables)
os.environ["REPLI_EXTRA_RULESETS"] = "tests.tiny:RULESET"
os.environ["REPLI_BOT_THINKING"] = os.environ["REPLI_BOT_PAUSE_MIN"] = os.environ["REPLI_BOT_PAUSE_MAX"] = "0"
# Set here and not in pyproject.toml: from there, the settings would be read before the servers are known.
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
django.setup()

from accounts import token_cache  # noqa: E402

SERVERLESS = ("rules", "drills", "deploy", "test_layers.py")  # folders and modules whose tests need no server


@pytest.fixture(scope="session")
def servers() -> TestServers:
    """The run's servers, with the addresses for the application, the owner and the superuser."""
    SERVERS.start()
    return SERVERS


@pytest.fixture(scope="session")
def django_db_setup(servers: TestServers) -> None:
    """Replaces pytest-django's: the database is new, made from scratch and migrated by its owner."""


@pytest.fixture(scope="session", autouse=True)
def _database_is_open(request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    folders = {item.path.relative_to(Path(__file__).parent).parts[0] for item in request.session.items}
    if folders - set(SERVERLESS):
        request.getfixturevalue("django_db_setup")
    with django_db_blocker.unblock():
        yield
    token_cache.shared().close()  # it listens for revocations until the servers go
    SERVERS.stop()
