"""What a player can do with tickets: open one, accept an invitation, look, cancel.

Invariants: one live ticket per player, and none for ranked play beside a ranked game that is not over: the slot is
taken first and the games are looked at afterwards, so a match that is just being made is always seen. Cancelling and
matching both change the row only where it still is what they found, so exactly one of them happens.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from accounts.models import Player
from config.wire.faults import invalid
from config.wire.problems import Problem
from games.rules.moments import rfc3339
from games.rules.registry import ruleset
from games.services import command, entropy
from games.services.command import Answer, Caller, Key
from games.store.connection import execute, read, rows
from games.store.receipts import NO_GAME, Receipt, keep
from rankings.matchmaking import conduct
from rankings.matchmaking.blocks import blocked_among
from rankings.matchmaking.documents import NewTicket, PartyMember, TicketDocument, encode
from rankings.matchmaking.models import LIVE, Membership, Queue, Ticket
from rankings.matchmaking.pairing import Terms
from rankings.matchmaking.terms import terms_of

SEEN_EVERY = 1.0  # seconds between two notes of a player who polls
OPERATION = "ticket"


def open_ticket(player_id: str, asked: NewTicket, key: Key | None) -> Answer:
    """Look for a table. Raises Problem `validation`, `forbidden`, `game-state`."""
    caller = Caller(player_id=player_id)
    if answer := command.repeated(caller, NO_GAME, key):
        return answer
    party = [str(each) for each in asked.party or ()]
    _require_valid(player_id, asked, party)
    if asked.mode == "ranked":
        _require_fit_for_ranked(player_id)
    try:
        with transaction.atomic():
            ticket = _insert(player_id, asked, party, entropy.utcnow())
            _require_no_ranked_game(player_id, ticket)
            return _kept(player_id, key, Answer(status=201, body=encode(document(ticket))))
    except IntegrityError:
        if answer := command.repeated(caller, NO_GAME, key):  # the same request was faster on another connection
            return answer
        raise _has_one(player_id) from None


def accept(player_id: str, ticket_id: UUID) -> TicketDocument:
    """Take part in a ticket that names the player; once all have, the search begins."""
    ticket = _own(player_id, ticket_id)
    if ticket.mode == "ranked":
        _require_fit_for_ranked(player_id)
    try:
        with transaction.atomic():
            ticket = Ticket.objects.select_for_update().get(id=ticket_id)
            own = ticket.members.get(player_id=player_id)
            if ticket.status not in LIVE:
                raise _over(ticket)
            if not own.accepted:
                _join(ticket, own)
            return document(ticket)
    except IntegrityError:
        raise _has_one(player_id) from None


def look(player_id: str, ticket_id: UUID) -> TicketDocument:
    """A ticket as its players see it; a sign of life of the one who asks."""
    ticket = _own(player_id, ticket_id)
    _seen(player_id)
    return document(ticket)


def live(player_id: str) -> QuerySet[Ticket]:
    """The player's live ticket, and those that invite the player."""
    _seen(player_id)
    return Ticket.objects.filter(status__in=LIVE, members__player_id=player_id)


def cancel(player_id: str, ticket_id: UUID) -> None:
    """End a ticket for its whole party; any of its players may. Raises Problem `game-state` where it has been matched
    or has expired.
    """
    _own(player_id, ticket_id)
    with transaction.atomic():
        if not end([str(ticket_id)], "cancelled", entropy.utcnow()):
            ticket = Ticket.objects.get(id=ticket_id)
            if ticket.status != "cancelled":
                raise _over(ticket)


def end(ticket_ids: Sequence[str], status: str, now: datetime) -> list[str]:
    """Let those of these tickets that are still live be cancelled or expired; their ids. Inside a transaction."""
    found = rows(
        "UPDATE rankings_ticket SET status = %s, ended_at = %s"
        " WHERE id = ANY(%s::uuid[]) AND status IN ('inviting', 'searching') RETURNING id::text",
        [status, now, list(ticket_ids)],
    )
    ended = [ticket_id for (ticket_id,) in found]
    release(ended)
    return ended


def release(ticket_ids: Sequence[str]) -> None:
    """Let the players of these tickets have another one. In the transaction that ends them."""
    execute(
        "UPDATE rankings_ticket_member SET live = false WHERE ticket_id = ANY(%s::uuid[]) AND live", [list(ticket_ids)]
    )


def document(ticket: Ticket) -> TicketDocument:
    """The ticket as it is shown."""
    now = ticket.ended_at or entropy.utcnow()
    waited = max(0.0, (now - ticket.since).total_seconds()) if ticket.since else 0.0
    terms = terms_of(ticket.rules, "ranked" if ticket.mode == "ranked" else "casual")
    members = sorted(ticket.members.all(), key=lambda member: member.place)
    return TicketDocument(
        id=str(ticket.id),
        rules=ticket.rules,
        mode="ranked" if ticket.mode == "ranked" else "casual",
        seats=ticket.seats,
        party=[PartyMember(id=str(member.player_id), accepted=member.accepted) for member in members],
        status=ticket.status,  # type: ignore[arg-type]
        game_id=str(ticket.game_id) if ticket.game_id else None,
        created_at=rfc3339(ticket.created_at),
        waited_seconds=round(waited, 1),
        rating_window=round(terms.window_after(waited), 1),
    )


# --- what a ticket may be -----------------------------------------------------------------------------------------


def _require_valid(player_id: str, asked: NewTicket, party: Sequence[str]) -> None:
    try:
        known, terms = ruleset(asked.rules), terms_of(asked.rules, asked.mode)
    except KeyError:
        raise invalid(rules="choice") from None
    if asked.seats is not None and not known.min_seats <= asked.seats <= known.max_seats:
        raise invalid(seats="range")
    if not party:
        return
    if player_id in party:
        raise invalid(party="party-oneself")
    if len(set(party)) < len(party):
        raise invalid(party="party-twice")
    if fault := _size_fault(terms, asked.seats, 1 + len(party)):
        raise invalid(party=fault)
    if Player.objects.filter(id__in=party, deleted_at=None, banned_at=None).count() < len(party):
        raise invalid(party="party-unknown")
    if blocked_among([player_id, *party], by=player_id):
        raise Problem("forbidden", "party-blocked")


def _size_fault(terms: Terms, seats: int | None, players: int) -> str | None:
    """What is wrong with the size of a party."""
    if terms.pairs:
        return None if players == 2 and seats in {None, terms.pairs} else "party-pairs"
    return None if players + terms.ranked <= (seats or terms.seats) else "party-size"


def _require_fit_for_ranked(player_id: str) -> None:
    """Guests do not play ranked, and who has left too often waits."""
    player = Player.objects.filter(id=player_id).only("is_guest").first()
    if player is None or (player.is_guest and not settings.REPLI.match_guests_ranked):
        raise Problem("forbidden", "guest-ranked")
    conduct.require_cooled_down(player_id, entropy.utcnow())


def _require_no_ranked_game(player_id: str, ticket: Ticket) -> None:
    """Looked at once the player's slot is taken: whoever was matched before has a game by now."""
    if ticket.mode != "ranked":
        return
    found = rows(
        "SELECT g.id::text FROM games_seat s JOIN games_game g ON g.id = s.game_id"
        " WHERE s.player_id = %s AND g.mode = 'ranked' AND g.status IN ('waiting', 'playing') LIMIT 1",
        [player_id],
    )
    if found:
        raise Problem("game-state", "one-ranked-game", game_id=found[0][0])


# --- writing ------------------------------------------------------------------------------------------------------


def _insert(player_id: str, asked: NewTicket, party: Sequence[str], now: datetime) -> Ticket:
    Queue.objects.bulk_create([Queue(rules=asked.rules, mode=asked.mode)], ignore_conflicts=True)
    ticket = Ticket.objects.create(
        id=entropy.new_id(),
        owner_id=player_id,
        rules=asked.rules,
        mode=asked.mode,
        seats=asked.seats,
        status="inviting" if party else "searching",
        created_at=now,
        since=None if party else now,
    )
    Membership.objects.bulk_create(
        Membership(ticket=ticket, player_id=each, place=place, accepted=place == 0, live=place == 0, seen_at=now)
        for place, each in enumerate([player_id, *party])
    )
    return ticket


def _join(ticket: Ticket, own: Membership) -> None:
    """Accept for one player; the ticket's row is locked."""
    now = entropy.utcnow()
    others = [str(member.player_id) for member in ticket.members.all()]
    if blocked_among(others, by=str(own.player_id)):
        raise Problem("forbidden", "party-blocked")
    ticket.members.filter(player_id=own.player_id).update(accepted=True, live=True, seen_at=now)
    _require_no_ranked_game(str(own.player_id), ticket)
    if not ticket.members.filter(accepted=False).exists():
        ticket.status, ticket.since = "searching", now
        ticket.save(update_fields=["status", "since"])


def _kept(player_id: str, key: Key | None, answer: Answer) -> Answer:
    """Keep the answer for repeats, if the client gave a key."""
    if key is not None:
        keep(
            Receipt(
                player_id=player_id,
                operation=key.operation,
                key=key.key,
                body_hash=key.body_hash,
                status=answer.status,
                body=answer.body,
            )
        )
    return answer


def _seen(player_id: str) -> None:
    execute(
        "UPDATE rankings_ticket_member SET seen_at = %s WHERE player_id = %s AND live"
        " AND seen_at < %s::timestamptz - %s * interval '1 second'",
        [now := entropy.utcnow(), player_id, now, SEEN_EVERY],
    )


# --- refusals -----------------------------------------------------------------------------------------------------


def _own(player_id: str, ticket_id: UUID) -> Ticket:
    ticket = Ticket.objects.filter(id=ticket_id, members__player_id=player_id).first()
    if ticket is None:
        raise Problem("not-found", "no-such-ticket")
    return ticket


def _over(ticket: Ticket) -> Problem:
    facts = {"game_id": str(ticket.game_id)} if ticket.game_id else {}
    return Problem("game-state", "ticket-over", ticket_status=ticket.status, **facts)


def _has_one(player_id: str) -> Problem:
    found = read("SELECT ticket_id::text FROM rankings_ticket_member WHERE player_id = %s AND live", [player_id])
    return Problem("game-state", "one-ticket", **({"ticket_id": found[0][0]} if found else {}))
