"""Pages in a real browser, and what the tests of all pages do there."""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium")
NEEDS_CHROMIUM = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: install Debian's `chromium`")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


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
