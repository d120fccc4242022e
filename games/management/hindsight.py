"""Is what every viewer saw live what `state/?at=` shows them afterwards, and never more than they had been told?

For each append each viewer's state, live events and catch-up messages are kept; afterwards every version is asked
for again. Inside a move nobody saw anything live: there the state may only show cards that the viewer's own events up
to that version have told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec

from games.rules.cards import JOKER, pack
from games.rules.conformance.playthrough import Playthrough
from games.rules.conformance.violation import demand
from games.rules.moments import rfc3339
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.table import Recorded, Table, advance
from games.services import entropy, trials, watch
from games.services.command import Caller
from games.store.cache import Loaded
from games.ws.room import missed

_CARDS = frozenset((*pack(), JOKER))
CATCH_UPS = 1  # per append and viewer: from so many earlier versions


class Witness:
    """What the viewers of one game were served while it was played."""

    def __init__(self, game: Playthrough) -> None:
        chairs = game.table.chairs
        self.viewers: dict[Seat | None, Caller] = {None: Caller()}
        self.viewers |= {
            seat: Caller(player_id=chair.player_id) for seat, chair in enumerate(chairs) if chair and chair.player_id
        }
        self.noise: Stream = entropy.noise()
        self.states: dict[tuple[int, Seat | None], bytes] = {}
        self.events: dict[Seat | None, list[dict[str, Any]]] = {seat: [] for seat in self.viewers}
        self.told = {seat: list(_told(game, seat)) for seat in self.viewers}

    def see(self, before: Loaded, group: tuple[Recorded, ...], after: Loaded) -> None:
        """Take what each viewer is served at this append."""
        for seat, who in self.viewers.items():
            served = watch.document(after, who.player_id)
            if served.me is None and seat is not None:
                continue  # not seated yet
            self.states[after.version, seat] = _digest(served.state)
            telling = watch.Telling(before.table, group, after.table)
            message = watch.events_message(telling, seat, rfc3339(entropy.utcnow()))
            self.events[seat] += msgspec.to_builtins(message["events"])
            self._catch_up(after, seat)

    def _catch_up(self, after: Loaded, seat: Seat | None) -> None:
        """Who was away gets the same events, none missing, none twice."""
        known = self.events[seat]
        if not known or known[0]["seq"] != 1:
            return
        for _ in range(CATCH_UPS):
            since = self.noise.below(after.version)
            messages = [msgspec.json.decode(each) for each in missed(after.table, seat, since)]
            told = [event for message in messages for event in message["events"]]
            demand(told == known[since:], "catching up gives what was sent live", seat=seat, since=since)
            last = {message["version"] for message in messages[-1:]}
            demand(last == {after.version}, "it ends at the present version", seat=seat, since=since)


def _digest(state: Any) -> bytes:
    return hashlib.sha256(msgspec.json.encode(state)).digest()


def check(game: Playthrough, most: int | None = None) -> int:
    """Write the game, or its first appends, watched by all; then look back. The number of states compared."""
    witness = Witness(game)
    loaded = trials.write(game, most=most, watch=witness.see)
    return sum(_look_back(witness, loaded, version) for version in range(1, loaded.version + 1))


def _look_back(witness: Witness, loaded: Loaded, version: int) -> int:
    game_id = loaded.table.id
    table = watch.table_at(game_id, version)
    compared = 0
    for seat in witness.viewers:
        state = watch.state(table, seat)
        live = witness.states.get((version, seat))
        if live is not None:
            demand(_digest(state) == live, "looking back shows what was seen live", seat=seat, version=version)
            compared += 1
        _only_told(witness, seat, version, state)
    seat = [*witness.viewers][witness.noise.below(len(witness.viewers))]
    asked = watch.state_at(game_id, witness.viewers[seat], version)
    demand(asked.state == watch.state(table, seat), "the service shows the viewer's own view", seat=seat)
    return compared


def _only_told(witness: Witness, seat: Seat | None, version: int, state: Any) -> None:
    """No card in a view that the viewer's own events have not named."""
    shown = set(_cards(state))
    if shown:
        told = witness.told[seat][version]
        demand(shown <= told, "a view shows only what was told", seat=seat, version=version, cards=shown - told)


def _told(game: Playthrough, seat: Seat | None) -> Iterator[frozenset[str]]:
    """From version 0 on: the cards that the events so far have named to this viewer."""
    table, cards = Table(id=game.table.id), frozenset[str]()
    yield cards
    for record in game.records:
        (document,) = watch.event_documents(table, [record], seat)
        cards |= frozenset(_cards(document.data))
        yield cards
        table = advance(table, [record])


def _cards(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for member in value.values():
            yield from _cards(member)
    elif isinstance(value, list | tuple):
        for element in value:
            yield from _cards(element)
    elif isinstance(value, str) and value in _CARDS:
        yield value
