"""The admin: who comes in, what can be seen, and that nothing is written but by a deed with a reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import AsyncClient, Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts import staffing
from accounts.audit import Operator
from accounts.models import AuditEntry, Player
from games.store.load import load
from tests.api.client import finished
from tests.games import opened, somebody, started, unique
from tests.leak.staff import logged_in, superuser
from tests.servers import TestServers

ADA = Operator(name="Ada")
EVERYTHING = {
    "index",
    "login",
    "logout",
    "app_list",
    "record",
    "deed",
    "games_game_changelist",
    "games_game_change",
    "accounts_player_changelist",
    "accounts_player_change",
    None,  # the last one, which finds nothing
}


@pytest.fixture
def root(servers: TestServers) -> Client:
    return logged_in(superuser(unique("root")[:28]))


def member(*deeds: str) -> Client:
    """Staff who may look, and do this."""
    player = Player(username=unique("mod")[:28], display_name="Mo")
    player.set_password("a long enough word")
    player.save()
    staffing.appoint(player.username or "", deeds, ADA, "test")
    return logged_in(Player.objects.get(id=player.id))


def status(game_id: str) -> str:
    loaded = load(game_id)
    assert loaded is not None
    return loaded.table.status


# --- who comes in -------------------------------------------------------------------------------------------------


def test_strangers_and_players_are_asked_to_log_in(servers: TestServers) -> None:
    player = Player.objects.create(username=unique("ann")[:28], display_name="Ann")

    for client in (Client(), logged_in(player)):
        for address in (
            "/admin/",
            "/admin/games/game/",
            "/admin/records/audit/",
            f"/admin/accounts/player/{player.id}/",
        ):
            reply = client.get(address)
            assert reply.status_code == 302
            assert reply["Location"].startswith("/admin/login/")
    assert Client().get("/admin")["Location"] == "/admin/"


def test_a_superuser_is_made_and_logs_in_by_password(servers: TestServers, monkeypatch: pytest.MonkeyPatch) -> None:
    name = unique("root")[:28]
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "a long enough word")
    call_command("createsuperuser", username=name, interactive=False, verbosity=0)
    client = Client(enforce_csrf_checks=True)
    given = {"username": name, "password": "a long enough word", "next": "/admin/"}

    assert client.post("/admin/login/", given).status_code == 403, "a forged form"
    token = re.search('csrfmiddlewaretoken" value="([^"]*)', client.get("/admin/login/").content.decode())
    assert token
    reply = client.post(
        "/admin/login/",
        {**given, "csrfmiddlewaretoken": token[1]},
        secure=True,
        headers={"Referer": "https://testserver/"},
    )

    assert (reply.status_code, reply["Location"]) == (302, "/admin/")
    cookie = reply.cookies["sessionid"]
    assert (cookie["path"], cookie["samesite"], cookie["httponly"], cookie["secure"]) == (
        "/admin/",
        "Strict",
        True,
        True,
    )
    assert client.get("/admin/", secure=True).status_code == 200


async def test_it_works_in_an_asynchronous_server_too(servers: TestServers) -> None:
    assert (await AsyncClient().get("/admin/login/")).status_code == 200
    assert (await AsyncClient().get("/admin/")).status_code == 302


def test_guessing_passwords_is_slowed_down(servers: TestServers, settings: Any) -> None:
    settings.REPLI = settings.REPLI.model_copy(update={"throttle_auth": "1/minute", "throttle": True})
    from config.wire import limits

    limits.limit_of.cache_clear()
    try:
        replies = [
            Client(REMOTE_ADDR="10.9.8.7").post("/admin/login/", {"username": "root", "password": "x"}).status_code
            for _ in range(2)
        ]
    finally:
        limits.limit_of.cache_clear()

    assert replies == [200, 429]


def test_the_api_knows_no_sessions(root: Client) -> None:
    assert root.get("/api/v1/accounts/me/").status_code == 401
    assert "Set-Cookie" not in Client().get("/api/v1/rulesets/").headers


# --- what can be seen ---------------------------------------------------------------------------------------------


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from patterns(each)
        else:
            yield each


def test_the_admin_has_these_pages_and_no_others() -> None:
    admin = next(each for each in get_resolver().url_patterns if getattr(each, "namespace", None) == "admin")
    assert isinstance(admin, URLResolver)

    assert {pattern.name for pattern in patterns(admin)} == EVERYTHING


@pytest.mark.parametrize(
    "query",
    ["seed__startswith=a", "head__gt=a", "seed=x", "version__gt=3", "status__in=playing", "due_at__lt=2030-01-01"],
)
def test_no_query_asks_about_what_is_not_shown(root: Client, query: str) -> None:
    assert root.get(f"/admin/games/game/?{query}").status_code == 400
    assert root.get("/admin/accounts/player/?password__startswith=argon2").status_code == 400
    assert root.get("/admin/games/game/?_to_field=seed").status_code == 400


def test_games_and_players_are_found(root: Client) -> None:
    ada = somebody("Ada")
    game_id = opened([ada], seats=2)
    loaded = load(game_id)
    assert loaded is not None

    for term in (game_id, loaded.code.lower(), ada.id):
        assert game_id in root.get("/admin/games/game/", {"q": term}).content.decode(), term
    assert game_id not in root.get("/admin/games/game/", {"q": "nobody"}).content.decode()
    assert ada.id in root.get("/admin/accounts/player/", {"q": ada.id}).content.decode()
    assert game_id in root.get("/admin/records/seats/", {"player": ada.id}).content.decode()
    assert root.get("/admin/records/seats/?player=x").status_code == 404
    assert root.get("/admin/records/nothing/").status_code == 404
    assert root.get(f"/admin/games/game/{ada.id}/").status_code == 404


def test_a_game_that_is_over_is_shown_whole(root: Client) -> None:
    game, _ = finished("gg")
    loaded = load(game["id"])
    assert loaded is not None

    page = root.get(f"/admin/games/game/{game['id']}/").content.decode()

    assert loaded.seed.hex() in page
    assert "&quot;hands&quot;" in page


def test_a_private_games_code_is_not_shown(root: Client) -> None:
    game_id = opened([somebody(), somebody()], visibility="private")
    loaded = load(game_id)
    assert loaded is not None

    assert loaded.code not in root.get(f"/admin/games/game/{game_id}/").content.decode()
    assert loaded.code not in root.get("/admin/games/game/", {"q": game_id}).content.decode()


def test_nothing_can_be_posted_but_deeds(root: Client) -> None:
    game_id = started([somebody(), somebody()])

    before = (Player.objects.count(), AuditEntry.objects.count())

    for address in (
        "/admin/games/game/",
        f"/admin/games/game/{game_id}/",
        "/admin/accounts/player/",
        "/admin/records/seats/",
    ):
        root.post(address, {"action": "delete_selected", "_selected_action": [game_id], "_save": "1"})
    for address in (
        "/admin/games/game/add/",
        f"/admin/games/game/{game_id}/delete/",
        f"/admin/games/game/{game_id}/change/",
    ):
        assert root.post(address).status_code == 404

    assert status(game_id) == "playing"
    assert (Player.objects.count(), AuditEntry.objects.count()) == before


# --- what can be done ---------------------------------------------------------------------------------------------


def test_a_game_is_aborted_by_a_deed(servers: TestServers) -> None:
    game_id, mo = started([somebody(), somebody()]), member("abort_game")
    address = f"/admin/deeds/abort_game/{game_id}/"

    assert "Abort this game" in mo.get(f"/admin/games/game/{game_id}/").content.decode()
    assert "cannot be undone" in mo.get(address).content.decode()
    assert "This field is required" in mo.post(address, {"reason": "  "}).content.decode()
    assert status(game_id) == "playing"

    done = mo.post(address, {"reason": "called off"}, follow=True)

    assert "Done: abort this game" in done.content.decode()
    assert status(game_id) == "aborted"
    row = AuditEntry.objects.get(target_id=game_id)
    assert (row.action, row.reason) == ("abort_game", "called off")
    assert row.operator_id == Player.objects.get(username=row.operator).id
    assert "called off" in mo.get("/admin/records/audit/", {"game": game_id}).content.decode()
    assert "over already" in mo.post(address, {"reason": "again"}).content.decode()


def test_deeds_need_their_permission(servers: TestServers) -> None:
    game_id, player, mo = started([somebody(), somebody()]), somebody(), member("release_seat")

    for address in (
        f"abort_game/{game_id}",
        f"ban_player/{player.id}",
        f"unban_player/{player.id}",
        f"void_game/{game_id}",
    ):
        assert mo.get(f"/admin/deeds/{address}/").status_code == 403
        assert mo.post(f"/admin/deeds/{address}/", {"reason": "x"}).status_code == 403
    assert "Abort" not in mo.get(f"/admin/games/game/{game_id}/").content.decode()
    assert mo.post(f"/admin/deeds/release_seat/{game_id}/", {"reason": "stuck", "seat": "1"}).status_code == 302
    loaded = load(game_id)
    assert loaded is not None
    assert loaded.table.chairs[1].controller == "bot"  # type: ignore[union-attr]
    assert mo.get(f"/admin/deeds/nothing/{game_id}/").status_code == 404


def test_deeds_need_a_form_of_ours(servers: TestServers) -> None:
    player = somebody()
    root = Client(enforce_csrf_checks=True)
    root.force_login(superuser(unique("root")[:28]))

    assert root.post(f"/admin/deeds/ban_player/{player.id}/", {"reason": "x"}).status_code == 403
    assert Player.objects.get(id=player.id).banned_at is None


def test_players_are_banned_and_let_in_again(root: Client) -> None:
    player = somebody()

    root.post(f"/admin/deeds/ban_player/{player.id}/", {"reason": "cheats"})
    assert Player.objects.get(id=player.id).banned_at is not None
    root.post(f"/admin/deeds/unban_player/{player.id}/", {"reason": "does not"})
    assert Player.objects.get(id=player.id).banned_at is None


def test_only_a_ranked_game_that_is_over_is_voided(root: Client) -> None:
    game_id = opened([somebody()], seats=2)

    reply = root.post(f"/admin/deeds/void_game/{game_id}/", {"reason": "x"})

    assert reply.status_code == 200
    assert "errorlist" in reply.content.decode()
    assert not AuditEntry.objects.filter(target_id=game_id).exists()


def test_whoever_is_dismissed_or_banned_is_out_at_once(servers: TestServers) -> None:
    mo = member()
    assert mo.get("/admin/").status_code == 200
    name = Player.objects.get(
        id=Session.objects.get(session_key=mo.cookies["sessionid"].value).get_decoded()["_auth_user_id"]
    ).username

    staffing.dismiss(name or "", ADA, "moved on")

    assert mo.get("/admin/").status_code == 302
