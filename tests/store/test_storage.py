"""`manage.py storage`: sums that fit the tables, in every form."""

from __future__ import annotations

import json
from io import StringIO

from django.core.management import call_command

from games.store import storage
from tests.api.client import finished
from tests.servers import TestServers


def said(**options: object) -> str:
    out = StringIO()
    call_command("storage", stdout=out, **options)
    return out.getvalue()


def test_sums_fit_the_tables(servers: TestServers) -> None:
    finished("gg")

    found = storage.measure(10)

    gg = next(each for each in found.rules if each.rules == "gg")
    sizes = {table.name: table.bytes for table in found.tables}
    assert gg.sampled >= 1
    assert gg.data_bytes_per_event < gg.bytes_per_event
    assert gg.bytes_per_game > gg.events_per_game * gg.bytes_per_event
    assert found.events == sum(each.events for each in found.rules)
    assert 0 < sizes["games_event"] < found.database
    assert {"games_game", "games_receipt", "accounts_player"} <= set(sizes)


def test_it_is_told_in_three_forms(servers: TestServers) -> None:
    finished("gg")

    assert {each["rules"] for each in json.loads(said(json=True))["rules"]} >= {"gg"}
    assert "| gg | " in said(markdown=True)
    assert "games_event" in said()
