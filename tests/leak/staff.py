"""What a superuser finds in the admin about a game: every page that leads there, as it came, by its address.

Left out of a page is what two visits to the same page never have in common: the form's token against forged
requests, and the machine's own clock (the worlds' clock is years ahead of it).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from tests.leak.sources import EPOCH

MOST = 400
_LINK = re.compile(r'(?:href|action)="([^"#]*)')
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"')
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_YEAR = "{year}-\\d\\d-\\d\\d [\\d:.+]+|[A-Z][a-z]+\\.? \\d+, {year}, (?:noon|midnight|[\\d:]+ [ap]\\.m\\.)"


def superuser(name: str) -> Player:
    """A new one."""
    return Player.objects.create_superuser(username=name, password="not used here")


def logged_in(player: Player) -> Client:
    client = Client(raise_request_exception=True)
    client.force_login(player)
    return client


def crawl(client: Client, game_id: str, player_ids: Iterable[str], code: str) -> dict[str, str]:
    """Every page, from the first one on along its links, that does not name another game or player in its address."""
    asked = [f"?q={game_id}", f"?q={code}", "?status=playing", *(f"?q={player_id}" for player_id in player_ids)]
    waiting = ["/admin/", *(f"/admin/games/game/{query}" for query in asked)]
    waiting += [f"/admin/games/game/{game_id}/{query}" for query in ("", "?after=3", "?after=0")]
    return _along(client, waiting, {game_id, *player_ids})


def about(client: Client, game_id: str) -> dict[str, str]:
    """The few pages that are about this game alone."""
    listed, own = f"/admin/games/game/?q={game_id}", f"/admin/games/game/{game_id}/"
    pages = {address: _page(client, address) or "" for address in (listed, own)}
    links = [link for link in _links(own, pages[own]) if game_id in link]
    return pages | {address: _page(client, address) or "" for address in links}


def _along(client: Client, waiting: list[str], ours: set[str]) -> dict[str, str]:
    pages: dict[str, str] = {}
    while waiting and len(pages) < MOST:
        address = waiting.pop(0)
        html = None if address in pages else _page(client, address)
        if html is not None:
            pages[address] = html
            waiting += [link for link in _links(address, html) if set(_ID.findall(link)) <= ours]
    assert len(pages) < MOST, "the crawl has an end"
    return pages


def _page(client: Client, address: str) -> str | None:
    """None where nothing has that address."""
    response = client.get(address)
    if response.status_code == 404:
        return None
    assert response.status_code == 200, (address, response.status_code)
    return _veiled(response.content.decode())


def _links(address: str, html: str) -> Iterable[str]:
    for link in _LINK.findall(html):
        found = urlsplit(urljoin(f"http://here{address}", unescape(link)))
        if found.netloc == "here" and found.path.startswith("/admin/") and not found.path.endswith("/logout/"):
            if "&" in found.query:  # filters together: nothing that either does not show alone
                continue
            yield found.path + (f"?{found.query}" if found.query else "")


def _veiled(html: str) -> str:
    year = timezone.now().year
    assert year < EPOCH.year, "the worlds' clock can be told from the machine's"
    assert settings.TIME_ZONE == "UTC"
    return re.sub(_YEAR.format(year=year), "now", _TOKEN.sub("token", html))
