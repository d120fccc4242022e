"""The page in a real browser, on real servers: Debian's chromium if it is there, else skipped with one clear line."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.servers import RunningStack, running_stack

CHROMIUM = shutil.which("chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: install Debian's `chromium`")


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    folder = tmp_path_factory.mktemp("page") / "data"
    with running_stack(folder, settings={"REPLI_BOT_PAUSE_MIN": "0", "REPLI_BOT_PAUSE_MAX": "0.1"}) as running:
        yield running
    said = [line for line in running.log.read_text().splitlines() if "overcommit" not in line]
    assert [line for line in said if "Traceback" in line or "warning" in line.lower()] == []


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


class Watched:
    """A page whose errors are collected."""

    def __init__(self, browser: Browser, url: str, locale: str = "en-GB", **options: Any) -> None:
        self.faults: list[str] = []
        self.page: Page = browser.new_context(locale=locale, **options).new_page()
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda line: self.faults.append(line.text) if line.type == "error" else None)
        self.page.goto(url)
        self.page.wait_for_selector("body[data-ready]")


def play_until_over(page: Page, clicks: int = 400) -> None:
    """Click whatever the seat may do until the game is over."""
    for _ in range(clicks):
        page.wait_for_selector("#status[data-state=mine], #status[data-state=finished]", timeout=20_000)
        if page.locator("#status[data-state=finished]").count():
            return
        choice = page.locator("#actions button:enabled, #hand button:enabled").first
        if choice.count():
            before = page.locator("#events li").count()
            choice.click(timeout=5_000)
            page.wait_for_function("n => document.querySelectorAll('#events li').length > n", arg=before)
    raise AssertionError("the game did not end")


def test_a_guest_plays_a_whole_game_of_gg_by_clicking(stack: RunningStack, browser: Browser, tmp_path: Path) -> None:
    watched = Watched(browser, stack.url)
    page = watched.page
    page.select_option("[name=seats]", "2")
    page.get_by_text("Sudden death").click()
    page.click("#play")
    page.wait_for_selector("#hand button, #actions button")
    page.screenshot(path=str(tmp_path / "table.png"))

    play_until_over(page)

    assert page.locator("#seats tr").count() == 3
    expect(page.locator("#status")).to_have_text("The game is over.")
    assert watched.faults == []


def test_friends_join_by_code_and_the_page_speaks_french(stack: RunningStack, browser: Browser) -> None:
    host, friend = Watched(browser, stack.url, "fr-FR"), Watched(browser, stack.url, "fr-FR")
    expect(host.page.locator("#play")).to_have_text("Jouer avec des robots")
    host.page.select_option("[name=seats]", "2")
    host.page.click("#friends")
    status = host.page.locator("#status")
    expect(status).to_contain_text("En attente de joueurs")
    code = (status.text_content() or "").split(" : ")[1]
    friend.page.fill("[name=code]", code)
    friend.page.click("#join button")
    host.page.get_by_role("button", name="Commencer").click()

    for watched in (host, friend):
        watched.page.wait_for_selector("#hand button")
        assert watched.faults == []


def test_the_page_fits_a_phone(stack: RunningStack, browser: Browser) -> None:
    watched = Watched(browser, stack.url, viewport={"width": 360, "height": 740})
    watched.page.click("#play")
    watched.page.wait_for_selector("#hand button")

    assert watched.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
