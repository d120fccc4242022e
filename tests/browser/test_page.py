"""The table page in a real browser, on real servers: Debian's chromium if it is there, else skipped with one line."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.pages import NEEDS_CHROMIUM, Watched, play_until_over
from tests.servers import RunningStack

pytestmark = NEEDS_CHROMIUM


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
