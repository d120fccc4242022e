"""The replay page: looking back by mouse and by keys, playing on from a move, and the proof in the browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, Page, expect

from games.rules.conformance.alterations import altered
from games.rules.conformance.playthrough import Case, played
from games.rules.conformance.replays import replay as as_replay
from games.rules.proof.verifying import verify
from games.rules.registry import ruleset
from games.rules.stream import Stream
from games.services import corpus
from tests.browser.pages import NEEDS_CHROMIUM, Watched, play_until_over
from tests.servers import RunningStack

pytestmark = NEEDS_CHROMIUM

CORPUS = Path(__file__).parent.parent / "corpus"
RULES = ("gg", "plie", "barbu", "vingtsept")

OPEN_TABLE = """async ([rules, seats, options]) => {
  const ask = async (method, path, body) => (await fetch(`/api/v1/games/${path}`, {
    method, body: body && JSON.stringify(body),
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${localStorage.getItem("repli.token")}` },
  })).json();
  const bots = Array.from({ length: seats - 1 }, (_, n) => ({ seat: n + 1, level: "easy" }));
  const game = await ask("POST", "", { rules, seats, options, visibility: "public", bots });
  return (await ask("POST", `${game.id}/start/`)).id;
}"""


@pytest.fixture(scope="module")
def game_id(stack: RunningStack, browser: Browser) -> str:
    """A public game of GG that a guest has played to its end."""
    page = Watched(browser, stack.url).page
    made: str = page.evaluate(OPEN_TABLE, ["gg", 2, {"lives": 1, "quick": True}])
    page.goto(f"{stack.url}/#{made}")
    page.reload()
    play_until_over(page)
    expect(page.locator("#to-replay")).to_have_attribute("href", f"/replay/{made}")
    return made


def shown(page: Page, index: int) -> None:
    """Wait until the state after that move is on the page."""
    page.wait_for_function(
        "n => document.querySelector('#position').value == n && document.body.dataset.shown?.split(' ')[1] =="
        " document.querySelector('#link').hash.slice(3)",
        arg=index,
    )


def test_anybody_steps_through_a_public_game(stack: RunningStack, browser: Browser, game_id: str) -> None:
    watched = Watched(browser, f"{stack.url}/replay/{game_id}")
    page = watched.page
    count = page.locator("#moves li").count()

    page.click("#last")
    shown(page, count - 1)
    expect(page.locator("#words")).to_contain_text("The game is over")
    page.click("#back")
    shown(page, count - 2)
    page.click("#first")
    shown(page, 0)
    page.click("#on_deal")
    page.wait_for_selector("#seats .card")
    hands = page.locator("#seats .cards")
    assert hands.count() == 2
    page.select_option("#eyes", "0")
    page.wait_for_function("() => document.querySelectorAll('#seats .cards').length == 1")
    page.select_option("#eyes", "spectator")
    page.wait_for_function("() => document.querySelectorAll('#seats .cards').length == 0")
    expect(page.locator("#words")).to_contain_text("? ?")
    assert page.locator("#scores tr").count() > 1
    assert watched.faults == []


def test_a_link_leads_to_a_move_and_the_page_plays_by_itself(
    stack: RunningStack, browser: Browser, game_id: str
) -> None:
    watched = Watched(browser, f"{stack.url}/replay/{game_id}#v=9")
    page = watched.page
    expect(page.locator("#where")).to_contain_text("version 9")

    page.select_option("#speed", "100")
    page.click("#run")
    page.wait_for_function("() => document.querySelector('#position').value == document.querySelector('#position').max")
    expect(page.locator("#run")).to_have_attribute("aria-label", "Play")
    page.wait_for_function("() => /^#v=\\d+$/.test(location.hash) && location.hash != '#v=9'")
    assert watched.faults == []


def test_keys_alone_are_enough(stack: RunningStack, browser: Browser, game_id: str) -> None:
    watched = Watched(browser, f"{stack.url}/replay/{game_id}")
    page = watched.page
    last = page.locator("#moves li").count() - 1

    def press(key: str, index: int) -> None:
        page.keyboard.press(key)
        shown(page, index)

    press("Home", 0)
    press("ArrowRight", 1)
    press("ArrowLeft", 0)
    press("End", last)
    press("Home", 0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_function("() => document.querySelector('#words').textContent.includes('trick')")
    page.keyboard.press("+")
    expect(page.locator("#speed")).to_have_value("500")
    page.keyboard.press("-")
    page.keyboard.press("Space")
    expect(page.locator("#run")).to_have_attribute("aria-label", "Pause")
    page.keyboard.press("Space")
    expect(page.locator("#run")).to_have_attribute("aria-label", "Play")

    reached = tabbed(page)
    assert {"first", "run", "last", "speed", "eyes", "position", "check", "file"} <= reached
    page.focus("#check")
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_attribute("data-holds", "true")
    assert watched.faults == []


def tabbed(page: Page) -> set[str]:
    """The ids of what the tab key reaches; each shows that it has the focus."""
    page.evaluate("document.activeElement.blur()")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        name, outline = page.evaluate(
            "[document.activeElement.id, getComputedStyle(document.activeElement).outlineStyle]"
        )
        if name in reached:
            break
        if name:
            assert outline != "none", name
            reached.add(name)
    return reached


def test_what_if_is_two_clicks_and_the_branch_shows_where_it_comes_from(
    stack: RunningStack, browser: Browser, game_id: str
) -> None:
    watched = Watched(browser, f"{stack.url}/replay/{game_id}")
    page = watched.page

    page.locator("#moves .if").first.click()
    page.wait_for_url(lambda url: "/#" in url)
    page.locator("#actions button:enabled").first.click()

    play_until_over(page)
    page.click("#to-replay")
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#ancestry a")).to_have_attribute("href", f"/replay/{game_id}#v=6")
    page.click("#check")
    expect(page.locator("#verdict")).to_have_attribute("data-holds", "true")
    expect(page.locator("#proof")).to_contain_text("were copied from the game")
    assert watched.faults == []


def test_a_private_game_is_not_shown_to_strangers(stack: RunningStack, browser: Browser) -> None:
    host = Watched(browser, stack.url)
    host.page.select_option("[name=seats]", "2")
    host.page.click("#play")
    host.page.wait_for_selector("#hand button, #actions button")
    running = host.page.evaluate("location.hash.slice(1)")

    for context in (host.page.context, browser.new_context()):
        page = context.new_page()
        page.goto(f"{stack.url}/replay/{running}")
        page.wait_for_selector("#problem:not([hidden])")
        assert page.locator("#replay").is_hidden()


@pytest.mark.parametrize("locale, width", [("en-GB", 1200), ("fr-FR", 1200), ("en-GB", 360), ("fr-FR", 360)])
def test_the_page_fits_and_speaks_both_languages(
    stack: RunningStack, browser: Browser, game_id: str, tmp_path: Path, locale: str, width: int
) -> None:
    size = {"width": width, "height": 900}
    watched = Watched(browser, f"{stack.url}/replay/{game_id}#v=12", locale, viewport=size)
    page = watched.page
    page.click("#check")
    page.wait_for_selector("#verdict")
    page.screenshot(path=str(tmp_path / f"replay-{locale}-{width}.png"), full_page=True)

    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    expect(page.locator("h3").first).to_have_text("Moves" if locale == "en-GB" else "Coups")
    expect(page.locator("#verdict")).to_have_attribute("data-holds", "true")
    assert watched.faults == []


# --- the proof of a file ------------------------------------------------------------------------------------------


def another_card(replay: dict[str, Any]) -> None:
    """A card that was dealt becomes another one."""
    dealt = [event for event in replay["events"] if event["type"] in {"hands_dealt", "round_dealt"}]
    data = dealt[len(dealt) // 2]["data"]
    hand = next(iter(data["hands" if "hands" in data else "visible"].values()))
    hand[0] = "AH" if hand[0] != "AH" else "KH"


def another_seed(replay: dict[str, Any]) -> None:
    """One byte of the seed becomes another one."""
    seed = replay["fairness"]["seed"]
    replay["fairness"]["seed"] = f"{int(seed[:2], 16) ^ 1:02x}{seed[2:]}"


def another_event(replay: dict[str, Any]) -> None:
    """A player sat down a little earlier: nothing but the chain can know."""
    taken = next(event for event in replay["events"] if event["type"] == "seat_taken" and event["seq"] > 2)
    taken["at"] = replay["events"][0]["at"]


ALTERATIONS: tuple[Callable[[dict[str, Any]], None] | None, ...] = (None, another_card, another_seed, another_event)


@pytest.mark.parametrize("rules", RULES)
def test_the_browser_and_the_command_agree_on_good_and_bad_replays(
    stack: RunningStack, browser: Browser, tmp_path: Path, rules: str
) -> None:
    made, every = tmp_path / "made.jsonl", tmp_path / "all.jsonl"
    call_command("simulate", ruleset=rules, games=1, seed=11, positions=0, out=made, stdout=StringIO())
    replays = []
    for alter in ALTERATIONS:
        replay = json.loads(made.read_text())
        if alter is not None:
            alter(replay)
            assert replay != json.loads(made.read_text())
        replays.append(deepcopy(replay))
    every.write_text("".join(json.dumps(replay) + "\n" for replay in replays))
    by_command = [_verdict(json.loads(line)) for line in _verified(every)]

    watched = Watched(browser, f"{stack.url}/replay/")
    by_browser = []
    for number, replay in enumerate(replays):
        (tmp_path / f"{number}.json").write_text(json.dumps(replay))
        watched.page.evaluate("document.querySelector('#proof').replaceChildren()")
        watched.page.set_input_files("#file", tmp_path / f"{number}.json")
        watched.page.wait_for_selector("#verdict")
        verdict = watched.page.locator("#verdict")
        version = verdict.get_attribute("data-version")
        by_browser.append((verdict.get_attribute("data-holds") == "true", int(version) if version else None))

    assert by_browser == by_command
    assert [holds for holds, _ in by_command] == [True, False, False, False]
    assert watched.faults == []


VERIFY = """async (replays) => {
  const { verify } = await import("/static/games/verify.mjs");
  return Promise.all(replays.map(async (replay) => {
    const { holds, fault } = await verify(replay);
    return [holds, fault?.version ?? null];
  }));
}"""


@pytest.mark.parametrize("rules", RULES)
def test_the_browser_proves_every_stored_game_and_finds_what_was_altered(
    stack: RunningStack, browser: Browser, rules: str
) -> None:
    replays = list(corpus.replays(CORPUS / f"{rules}.jsonl.gz"))
    watched = Watched(browser, f"{stack.url}/replay/")

    assert watched.page.evaluate(VERIFY, replays) == [[True, None]] * len(replays)

    chained = as_replay(played(Case(ruleset(rules), seed=11)))
    noise, bad, expected = Stream(bytes(32), rules, ()), list[Any](), list[Any]()
    while len(bad) < 12:
        alteration = altered(chained, noise)
        if not alteration.what.startswith("game.state"):  # what follows from the rules alone is the command's
            difference = verify(alteration.replay).difference
            bad.append(alteration.replay)
            expected.append([False, difference.seq if difference else None])
    assert watched.page.evaluate(VERIFY, bad) == expected


def _verified(path: Path) -> list[str]:
    said = StringIO()
    with pytest.raises(SystemExit):
        call_command("verify_game", str(path), json=True, stdout=said)
    return said.getvalue().splitlines()


def _verdict(proof: dict[str, Any]) -> tuple[bool, int | None]:
    """Whether it holds, and else the version at which it does not (None: beside the events)."""
    return proof["holds"], proof["difference"]["seq"] if proof["difference"] else None
