"""Players who look for tables, over the API, in rulesets' queues that one test has for itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import Player as Account
from rankings.matchmaking import matcher
from rankings.matchmaking.models import LIVE, Membership, Queue, Ticket
from rankings.ratings.models import Rating
from tests.api.client import Player, Reply

TICKETS = "matchmaking/tickets/"


class Seeker(Player):
    """A full account."""

    def __init__(self, name: str = "Seeker", level: float | None = None, rules: str = "gg") -> None:
        super().__init__(name)
        Account.objects.filter(id=self.id).update(is_guest=False)
        if level is not None:
            now = datetime.now(UTC)
            known = {"mu": level, "sigma": 60.0, "shown": round(level), "games": 20, "wins": 5}
            Rating.objects.create(player_id=self.id, rules=rules, sequence=0, changed_at=now, **known)

    def seeks(self, rules: str = "gg", mode: str = "ranked", **more: Any) -> Any:
        return self.tries(rules, mode, **more).ok(201)

    def tries(self, rules: str = "gg", mode: str = "ranked", **more: Any) -> Reply:
        return self.post(TICKETS, {"rules": rules, "mode": mode, **more})

    def ticket(self, ticket: Any) -> Any:
        return self.get(f"{TICKETS}{ticket['id']}/").ok()

    def cancels(self, ticket: Any) -> Reply:
        return self.delete(f"{TICKETS}{ticket['id']}/")

    def accepts(self, ticket: Any) -> Reply:
        return self.post(f"{TICKETS}{ticket['id']}/accept/")

    def blocks(self, other: Player) -> None:
        self.put(f"players/{other.id}/block/").ok(204)


def clear() -> None:
    """End what other tests have left in the queues."""
    left = Ticket.objects.filter(status__in=LIVE)
    Membership.objects.filter(ticket__in=left).update(live=False)
    left.update(status="cancelled", ended_at=datetime.now(UTC))
    Queue.objects.update(ran_at=None)


def ahead(seconds: float) -> Callable[[], datetime]:
    """A clock that stands so many seconds ahead."""
    return lambda: datetime.now(UTC) + timedelta(seconds=seconds)


def match_for(seconds: float) -> int:
    """Let the matcher run every five seconds for so long, the players being there; tables made."""
    made, passed = 0, 0.0
    while passed < seconds:
        passed += 5
        Membership.objects.filter(live=True).update(seen_at=ahead(passed)())
        made += matcher.run(ahead(passed))
    return made
