"""What operators can do: it happens, once, with its row in the record; and the record stays."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
import pytest_asyncio
from django.conf import settings
from django.core.management import CommandError, call_command
from psycopg import errors

from accounts import banning, registration, staffing, tokens
from accounts.audit import Operator, Refused
from accounts.messages import Login
from accounts.models import AuditEntry, Player
from config.wire.problems import Problem
from games.rules import lifecycle as life
from games.services import entropy, operating, play, tables
from games.services.threads import in_thread
from games.store.load import history, load
from rankings.matchmaking import tickets
from rankings.matchmaking.documents import NewTicket
from rankings.matchmaking.models import Ticket
from tests.games import at_game, hub_stopped, opened, somebody, started, unique
from tests.servers import TestServers

ADA = Operator(name="Ada")


@pytest_asyncio.fixture(autouse=True)
async def _nothing_is_left_open() -> AsyncIterator[None]:
    yield
    await hub_stopped()


def table(game_id: str) -> Any:
    loaded = load(game_id)
    assert loaded is not None
    return loaded.table


def last(game_id: str) -> dict[str, Any]:
    event = history(game_id)[-1].event
    return {
        "type": event.type,
        **json.loads(json.dumps({name: getattr(event, name) for name in event.__struct_fields__})),
    }


def rows(target_id: str) -> list[tuple[str, str, str]]:
    found = AuditEntry.objects.filter(target_id=target_id).order_by("id")
    return [(row.operator, row.action, row.reason) for row in found]


def said(name: str, *arguments: Any, **options: Any) -> str:
    out = StringIO()
    call_command(name, *arguments, stdout=out, **options)
    return out.getvalue()


# --- games --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [opened, started])
def test_a_game_is_aborted_for_everybody_without_the_true_reason(make: Any, servers: TestServers) -> None:
    game_id = make([somebody(), somebody()])

    version = operating.abort(game_id, ADA, "the tournament was called off")

    assert (table(game_id).status, table(game_id).version) == ("aborted", version)
    assert last(game_id) == {"type": "game_aborted", "reason": "operator"}
    assert rows(game_id) == [("Ada", "abort_game", "the tournament was called off")]


def test_a_game_that_is_over_is_not_aborted_again(servers: TestServers) -> None:
    game_id = opened([somebody()], seats=2)
    operating.abort(game_id, ADA, "x")

    with pytest.raises(Refused, match="over already"):
        operating.abort(game_id, ADA, "y")

    assert len(rows(game_id)) == 1


def test_a_stuck_seat_is_released_until_its_player_is_back(servers: TestServers) -> None:
    ada, bea = somebody(), somebody()
    game_id = started([ada, bea])

    operating.release(game_id, 1, ADA, "the client hangs")

    assert last(game_id) == {"type": "seat_controlled", "seat": 1, "by": "bot", "reason": "disconnected"}
    with pytest.raises(Refused, match="a bot plays"):
        operating.release(game_id, 1, ADA, "again")
    play.resume(bea.caller, game_id, None)
    assert table(game_id).chairs[1].controller == "player"
    assert AuditEntry.objects.get(target_id=game_id).facts == {"seat": 1}


@pytest.mark.parametrize("seat", [-1, 2])
def test_there_must_be_such_a_seat(seat: int, servers: TestServers) -> None:
    game_id = started([somebody(), somebody()])

    with pytest.raises(Refused, match="no seat"):
        operating.release(game_id, seat, ADA, "x")


@pytest.mark.parametrize(
    "author, reason", [("", "x"), ("Ada", "  "), ("Ada", "x" * 501), ("A" * 101, "x"), ("Ada", "\0")]
)
def test_nothing_happens_without_a_reason_and_somebody_who_gives_it(
    author: str, reason: str, servers: TestServers
) -> None:
    game_id, player = opened([somebody()], seats=2), somebody()

    for deed in (
        lambda: operating.abort(game_id, Operator(name=author), reason),
        lambda: banning.ban(player.uuid, Operator(name=author), reason),
    ):
        with pytest.raises(Refused):
            deed()

    assert table(game_id).status == "waiting"
    assert tokens.authenticate(player.token) is not None


# --- players ------------------------------------------------------------------------------------------------------


def full_account() -> tuple[Player, str]:
    player = Player(username=unique("ann")[:28], display_name="Ann")
    player.set_password("a long enough word")
    player.save()
    return player, tokens.issue(player, "test").token


def log_in(player: Player) -> Player:
    return registration.login(Login(username=player.username or "", password="a long enough word"))


def test_a_banned_player_has_no_token_and_gets_none(servers: TestServers) -> None:
    player, token = full_account()
    assert tokens.authenticate(token) is not None

    banning.ban(player.id, ADA, "cheats")

    assert tokens.authenticate(token) is None
    with pytest.raises(Problem) as refusal:
        log_in(player)
    assert (refusal.value.code, refusal.value.status) == ("forbidden", 403)
    assert tokens.authenticate(tokens.issue(player, "one that was on its way").token) is None
    with pytest.raises(Problem, match="unauthenticated"):  # nobody learns of a ban without the password
        registration.login(Login(username=player.username or "", password="not the word"))


def test_an_unbanned_player_logs_in_again(servers: TestServers) -> None:
    player, _ = full_account()
    banning.ban(player.id, ADA, "cheats")

    banning.unban(player.id, ADA, "was somebody else")

    assert tokens.authenticate(tokens.issue(log_in(player), "test").token) is not None
    assert rows(str(player.id)) == [("Ada", "ban_player", "cheats"), ("Ada", "unban_player", "was somebody else")]
    with pytest.raises(Refused, match="not banned"):
        banning.unban(player.id, ADA, "x")


def test_a_ban_gives_up_seats_and_the_search(servers: TestServers) -> None:
    ada, bea = somebody(), somebody()
    running, waiting = started([ada, bea]), opened([bea, ada])
    ticket = json.loads(tickets.open_ticket(ada.id, NewTicket(rules="gg", mode="casual"), None).body)["id"]

    banning.ban(ada.uuid, ADA, "cheats")

    assert last(running) == {"type": "seat_controlled", "seat": 0, "by": "bot", "reason": "left"}
    assert table(waiting).chairs[1] is None
    assert Ticket.objects.get(id=ticket).status == "cancelled"
    banning.ban(ada.uuid, ADA, "given once more")  # harmless
    assert last(running)["reason"] == "left"


def test_a_match_that_is_about_to_start_is_left_as_soon_as_it_has(
    servers: TestServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "REPLI", settings.REPLI.model_copy(update={"ranked_start_delay": 0.3}))
    ada, bea = somebody(), somebody()
    new = tables.NewTable(rules="tiny", seats=2, options={}, visibility="public")
    seated = [life.SeatTaken(seat=seat, player_id=player.id) for seat, player in enumerate((ada, bea))]
    now, seed, game_id = entropy.utcnow(), entropy.new_seed(), entropy.new_id()
    tables.insert(ada.caller, tables.opened(game_id, new, "ranked", seated, seed, now), seed, now, None)

    banning.ban(ada.uuid, ADA, "cheats")

    assert table(game_id).status == "playing"
    assert table(game_id).chairs[0].left


def test_a_banned_player_is_nobody_for_a_party(servers: TestServers) -> None:
    ada, bea = somebody(), somebody()
    banning.ban(ada.uuid, ADA, "cheats")

    with pytest.raises(Problem, match="validation"):
        tickets.open_ticket(bea.id, NewTicket(rules="gg", mode="casual", party=[ada.uuid]), None)


async def test_a_ban_closes_sockets_at_once(servers: TestServers) -> None:
    ada, bea = await in_thread(somebody), await in_thread(somebody)
    game_id = await in_thread(started, [ada, bea])
    async with at_game(ada, game_id) as (hers, _), at_game(bea, game_id) as (other, _):
        await in_thread(banning.ban, ada.uuid, ADA, "cheats")

        assert await hers.close_code() == 4401
        assert (await other.of("events"))["events"][-1]["data"]["reason"] == "left"


def test_staff_is_not_banned(servers: TestServers) -> None:
    player, _ = full_account()
    staffing.appoint(player.username or "", ["ban_player"], ADA, "moderates")

    with pytest.raises(Refused, match="staff"):
        banning.ban(player.id, ADA, "x")

    staffing.dismiss(player.username or "", ADA, "moved on")
    banning.ban(player.id, ADA, "x")


def test_nobody_cannot_be_banned(servers: TestServers) -> None:
    with pytest.raises(Refused, match="no such player"):
        banning.ban(uuid4(), ADA, "x")


def test_who_is_appointed_may_look_and_do_what_was_named(servers: TestServers) -> None:
    player, _ = full_account()

    said("staff", player.username, may=["abort_game"], author="Ada", reason="moderates")

    player = Player.objects.get(id=player.id)
    assert player.is_staff
    assert player.has_perms(["games.view_game", "accounts.view_player", "rankings.view_rating", "games.abort_game"])
    assert not player.has_perm("accounts.ban_player")
    assert not player.has_perm("games.change_game")
    said("staff", player.username, dismiss=True, author="Ada", reason="moved on")
    assert not Player.objects.get(id=player.id).is_staff


# --- on the command line --------------------------------------------------------------------------------------------


def test_commands_do_the_same(servers: TestServers) -> None:
    ada, bea = somebody(), somebody()
    game_id = started([ada, bea])
    by = {"author": "Ada", "reason": "because"}

    assert "seat 0" in said("release_seat", UUID(game_id), 0, **by)
    assert "is banned" in said("ban_player", bea.uuid, **by)
    assert "may log in" in said("unban_player", bea.uuid, **by)
    assert "was aborted" in said("abort_game", UUID(game_id), **by)
    assert [row[1] for row in rows(game_id)] == ["release_seat", "abort_game"]
    for name, arguments in (
        ("release_seat", (UUID(game_id), 0)),
        ("abort_game", (uuid4(),)),
        ("ban_player", (uuid4(),)),
        ("unban_player", (bea.uuid,)),
        ("staff", ("nobody-is-called-that",)),
    ):
        with pytest.raises(CommandError):
            said(name, *arguments, **by)


# --- the record -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("statement", ["UPDATE accounts_audit SET reason = 'x'", "DELETE FROM accounts_audit"])
def test_the_record_stays(statement: str, servers: TestServers) -> None:
    operating.abort(opened([somebody()], seats=2), ADA, "x")

    for url, error in (
        (servers.database_url, errors.InsufficientPrivilege),
        (servers.migrate_database_url, errors.RestrictViolation),
    ):
        with psycopg.connect(url) as connection, pytest.raises(error):
            connection.execute(statement.encode())
        with psycopg.connect(url) as connection, pytest.raises(error):
            connection.execute("TRUNCATE accounts_audit")


def test_a_player_is_told_what_was_done_but_not_by_whom(servers: TestServers) -> None:
    from accounts import erasure

    player, _ = full_account()
    banning.ban(player.id, ADA, "cheats")
    banning.unban(player.id, ADA, "does not")

    told = erasure.export(player.id)["operators"]

    assert [row["action"] for row in told] == ["unban_player", "ban_player"]
    assert "Ada" not in str(told)
