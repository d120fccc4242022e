"""The steps of a trial's first world: who does what next, drawn from the trial's own noise."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from games.rules.conformance.playthrough import random_action
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.table import Table
from tests.leak.trial import Act, Look, Peek, Resume, Step, Viewer

PEEKS = ("", "state/", "events/?limit=200")


def next_step(table: Table, viewers: Sequence[Viewer], now: datetime, noise: Stream) -> Step:
    """Mostly a player's move; bots when their pause is over, late players, comebacks and looks in between."""
    if noise.below(5) == 0:
        return Peek(viewer=viewers[noise.below(len(viewers))].name, path=PEEKS[noise.below(len(PEEKS))])
    if (seat := _away(table)) is not None and noise.below(3) == 0:
        return Resume(seat=seat, wait=noise.below(500))
    seats = [seat for seat in table.to_act if not _by_bot(table, seat)]
    if noise.below(8) == 0:
        seats = [seat for seat in range(table.seats) if not _by_bot(table, seat) and _can_act(table, seat)] or seats
    if not seats or (len(seats) < len(table.to_act) and noise.below(2)):
        return Look(wait=200 + noise.below(300))
    seat = seats[noise.below(len(seats))]
    if noise.below(25) == 0 and seat in table.clocks:
        return Look(wait=int((table.clocks[seat].deadline - now).total_seconds() * 1000) + 1000)
    return _move(table, seat, noise)


def _move(table: Table, seat: Seat, noise: Stream) -> Act:
    action = random_action(table.ruleset, table.ruleset.view(table.state, seat), noise)
    return Act(
        seat=seat,
        action=wire(action),
        by_socket=noise.below(2) == 0,
        expecting=noise.below(2) == 0,
        wait=noise.below(1500),
    )


def wire(action: Any) -> dict[str, Any]:
    """An action in the form in which it is sent."""
    sent: dict[str, Any] = msgspec.to_builtins(action, str_keys=True)
    return sent


def _away(table: Table) -> Seat | None:
    return next((seat for seat, chair in enumerate(table.chairs) if chair and chair.controller == "bot"), None)


def _by_bot(table: Table, seat: Seat) -> bool:
    chair = table.chairs[seat]
    return chair is None or chair.played_by_bot


def _can_act(table: Table, seat: Seat) -> bool:
    return bool(table.ruleset.legal_actions(table.ruleset.view(table.state, seat)))
