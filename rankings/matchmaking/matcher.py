"""Makes tables of tickets: reads a queue, asks the pure core who plays together, opens the games.

Invariants: one copy at a time is at work on a queue, under its row's lock, and any number of copies is harmless; a
game and the tickets that it serves are written in one transaction; a ticket that somebody holds, since it is just
being cancelled, is passed over and never waited for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import transaction

from games.rules import lifecycle as life
from games.services import command, due, entropy, follow, presence, tables
from games.services.command import Caller
from games.services.tables import NewTable
from games.services.wake import Wake, publish
from games.store.append import Cause, append, prepare
from games.store.connection import execute, read, rows
from rankings.matchmaking import tickets
from rankings.matchmaking.blocks import blocked_among
from rankings.matchmaking.levels import levels
from rankings.matchmaking.pairing import Acquaintance, Looking, Match, Pair, matches
from rankings.matchmaking.terms import terms_of

log = structlog.get_logger(__name__)

TABLES = 20  # in one transaction, which holds their tickets
TICKETS = 2000  # looked at in one go
LATELY = timedelta(hours=2)  # a meeting counts as recent
UNSEEN = timedelta(seconds=10)  # after that sockets are asked for
PAUSE = timedelta(seconds=10)  # without the matcher: then sockets first get a moment to be known again
INVITATION = timedelta(minutes=5)
BOT: life.Level = "normal"


def run(clock: Callable[[], datetime] = entropy.utcnow) -> int:
    """One look at every queue; the number of tables made."""
    queues = read(
        "SELECT rules, mode FROM rankings_queue q WHERE EXISTS (SELECT 1 FROM rankings_ticket t"
        " WHERE t.rules = q.rules AND t.mode = q.mode AND t.status IN ('inviting', 'searching'))"
    )
    random.shuffle(queues)  # copies that start together begin at different ones
    return sum(run_queue(rules, mode, clock) for rules, mode in queues)


def run_queue(rules: str, mode: life.Mode, clock: Callable[[], datetime] = entropy.utcnow) -> int:
    """Let the gone expire and make the tables that can be made; how many. 0 while a copy is at work."""
    with transaction.atomic():
        now = clock()
        awake = _turn(rules, mode, now)
        if awake is None:
            return 0
        _look_for_players(rules, mode, now)
        _expire(rules, mode, now, awake)
        waiting = _looking(rules, mode, now)
        if not waiting:
            return 0
        known = _acquaintance([player for ticket in waiting for player in ticket.players], now)
        found = matches(waiting, now.timestamp(), terms_of(rules, mode), known, TABLES)
        return sum(_open(rules, mode, match, now) for match in list(found))


def _turn(rules: str, mode: str, now: datetime) -> timedelta | None:
    """Take the queue's lock; for how long the matcher has been awake, or None while a copy holds it."""
    found = rows(
        "SELECT ran_at, awake_since FROM rankings_queue WHERE rules = %s AND mode = %s FOR UPDATE SKIP LOCKED",
        [rules, mode],
    )
    if not found:
        return None
    ran_at, awake_since = found[0]
    if ran_at is None or awake_since is None or now - ran_at > PAUSE:
        awake_since = now
    execute(
        "UPDATE rankings_queue SET ran_at = %s, awake_since = %s WHERE rules = %s AND mode = %s",
        [now, awake_since, rules, mode],
    )
    return timedelta(0) if awake_since == now else now - awake_since


# --- who is still there -------------------------------------------------------------------------------------------


def _look_for_players(rules: str, mode: str, now: datetime) -> None:
    """Note those who have not polled lately but have a socket; all of them while that cannot be known."""
    found = read(
        "SELECT m.player_id::text FROM rankings_ticket t JOIN rankings_ticket_member m ON m.ticket_id = t.id"
        " WHERE t.rules = %s AND t.mode = %s AND t.status IN ('inviting', 'searching') AND m.live AND m.seen_at < %s",
        [rules, mode, now - UNSEEN],
    )
    unseen = [player_id for (player_id,) in found]
    around = presence.last_around(unseen)
    here = dict.fromkeys(unseen, now) if around is None else around
    if here:
        execute(
            "UPDATE rankings_ticket_member m SET seen_at = greatest(m.seen_at, x.at)"
            " FROM unnest(%s::uuid[], %s::timestamptz[]) AS x(player_id, at)"
            " WHERE m.player_id = x.player_id AND m.live",
            [list(here), list(here.values())],
        )


def _expire(rules: str, mode: str, now: datetime, awake: timedelta) -> None:
    """End the tickets of players who have gone, and invitations that nobody answers."""
    gone = now - timedelta(seconds=settings.REPLI.match_patience)
    found = rows(
        "SELECT t.id::text FROM rankings_ticket t WHERE t.rules = %s AND t.mode = %s"
        " AND t.status IN ('inviting', 'searching') AND ((t.status = 'inviting' AND t.created_at < %s) OR (%s AND"
        "  EXISTS (SELECT 1 FROM rankings_ticket_member m WHERE m.ticket_id = t.id AND m.live AND m.seen_at < %s)))"
        " FOR UPDATE OF t SKIP LOCKED",
        [rules, mode, now - INVITATION, awake > PAUSE, gone],
    )
    if found:
        tickets.end([ticket_id for (ticket_id,) in found], "expired", now)


# --- who waits ----------------------------------------------------------------------------------------------------


def _looking(rules: str, mode: str, now: datetime) -> list[Looking]:
    """The tickets that can be matched, those waiting longest first."""
    gone = now - timedelta(seconds=settings.REPLI.match_patience)
    found = read(
        "SELECT t.id::text, array_agg(m.player_id::text ORDER BY m.place), t.since, t.seats"
        " FROM (SELECT * FROM rankings_ticket WHERE rules = %s AND mode = %s AND status = 'searching'"
        "  ORDER BY since LIMIT %s) t JOIN rankings_ticket_member m ON m.ticket_id = t.id"
        " GROUP BY t.id, t.since, t.seats HAVING min(m.seen_at) >= %s",
        [rules, mode, TICKETS, gone],
    )
    level = levels(rules, {player for _, players, _, _ in found for player in players})
    return [
        Looking(
            id=ticket_id,
            players=tuple(players),
            level=sum(level[player] for player in players) / len(players),
            since=since.timestamp(),
            seats=seats,
        )
        for ticket_id, players, since, seats in found
    ]


def _acquaintance(player_ids: Sequence[str], now: datetime) -> Acquaintance:
    found = read(
        "SELECT a.player_id::text, b.player_id::text, count(*) FROM rankings_ticket_member a"
        " JOIN rankings_ticket x ON x.id = a.ticket_id AND x.game_id IS NOT NULL AND x.ended_at > %s"
        " JOIN rankings_ticket y ON y.game_id = x.game_id JOIN rankings_ticket_member b ON b.ticket_id = y.id"
        " WHERE a.player_id = ANY(%s::uuid[]) AND b.player_id = ANY(%s::uuid[]) AND a.player_id < b.player_id"
        " GROUP BY a.player_id, b.player_id",
        [now - LATELY, list(player_ids), list(player_ids)],
    )
    met: dict[Pair, int] = {frozenset((one, other)): times for one, other, times in found}
    return Acquaintance(blocked=blocked_among(player_ids), met=met)


# --- opening a table ----------------------------------------------------------------------------------------------


def _open(rules: str, mode: life.Mode, match: Match, now: datetime) -> bool:
    """Open the game and mark its tickets, all or nothing; False if a ticket is no longer to be had."""
    with transaction.atomic():
        held = rows(
            "SELECT 1 FROM rankings_ticket WHERE id = ANY(%s::uuid[]) AND status = 'searching' FOR UPDATE SKIP LOCKED",
            [list(match.tickets)],
        )
        players = [player for player in match.players if player is not None]
        if len(held) < len(match.tickets) or _newly_blocked(match, players):
            return False
        game_id = _create(rules, mode, match, now)
        execute(
            "UPDATE rankings_ticket SET status = 'matched', game_id = %s, ended_at = %s WHERE id = ANY(%s::uuid[])",
            [game_id, now, list(match.tickets)],
        )
        tickets.release(match.tickets)
        notices = _notices(game_id, match)
        transaction.on_commit(lambda: publish(*notices))
    log.info("table matched", game=game_id, rules=rules, mode=mode, seats=len(match.players), spread=match.spread)
    return True


def _newly_blocked(match: Match, players: Sequence[str]) -> bool:
    """Whether somebody has blocked an opponent since the queue was read; of a party, they agreed."""
    return len(match.tickets) > 1 and bool(blocked_among(players))


def _create(rules: str, mode: life.Mode, match: Match, now: datetime) -> str:
    """A game with all seats taken; a casual one begins at once, a ranked one by the clock (details.md)."""
    game_id, seed = entropy.new_id(), entropy.new_seed()
    options = {"teams": True} if match.teams else {}
    new = NewTable(rules=rules, seats=len(match.players), options=options, visibility="public")
    taken = [
        life.SeatTaken(seat=seat, player_id=player) if player else life.SeatTaken(seat=seat, bot=BOT)
        for seat, player in enumerate(match.players)
    ]
    tables.insert(Caller(), tables.opened(game_id, new, mode, taken, seed, now), seed, now, None)
    if mode == "casual":
        _start(game_id, now)
    return game_id


def _start(game_id: str, now: datetime) -> None:
    loaded = command.existing(game_id)
    move = tables.start_move(loaded, now)
    made = prepare(loaded, move, due_at=due.due_at(move.table), cause=Cause(by="service"))
    if game_id not in append([made]):
        raise RuntimeError("a game that nobody knows yet has moved on")
    transaction.on_commit(lambda: follow.committed(loaded.table, made.table, made.due_at, now))


def _notices(game_id: str, match: Match) -> list[Wake]:
    """Each player is told the game and the seat."""
    common = {"kind": "matched", "game_id": game_id}
    owners = _tickets_of(match)
    return [
        Wake(kind="player", id=player, notice={**common, "seat": seat, "ticket_id": owners[player]})
        for seat, player in enumerate(match.players)
        if player is not None
    ]


def _tickets_of(match: Match) -> dict[str, str]:
    found = read(
        "SELECT player_id::text, ticket_id::text FROM rankings_ticket_member WHERE ticket_id = ANY(%s::uuid[])",
        [list(match.tickets)],
    )
    return dict(found)
