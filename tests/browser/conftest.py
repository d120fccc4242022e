"""One stack of real servers and one browser for all pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.pages import ARGUMENTS, CHROMIUM
from tests.servers import RunningStack, running_stack


@pytest.fixture(scope="package")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    folder = tmp_path_factory.mktemp("page") / "data"
    with running_stack(folder, settings={"REPLI_BOT_PAUSE_MIN": "0", "REPLI_BOT_PAUSE_MAX": "0.1"}) as running:
        yield running
    said = [line for line in running.log.read_text().splitlines() if "overcommit" not in line]
    assert [line for line in said if "Traceback" in line or "warning" in line.lower()] == []


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()
