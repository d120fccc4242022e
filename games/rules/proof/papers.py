"""What a replay says beside its events: the game as a document, and what fairness rests on.

Invariant: every member that follows from the events is compared with them. Names, presence and the server's clock do
not follow from anything, and are passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from games.rules import lifecycle as life
from games.rules.proof.difference import Difference, Differs, first_spot
from games.rules.stream import ALGORITHM, commitment
from games.rules.table import Chair, Table

REQUIRED = ("id", "rules", "options", "status", "version", "seats")


def the_seed(replay: Mapping[str, Any]) -> bytes:
    """The seed that the replay shows, if it is the one that was committed to. Raises Differs."""
    fairness, events = replay.get("fairness"), replay.get("events")
    if not isinstance(fairness, dict) or not isinstance(fairness.get("seed"), str):
        raise Differs(Difference(problem="unreadable", path="fairness.seed", expected="a game that is over"))
    committed = _first(events, "commitment")
    hashed = _hashed(fairness["seed"])
    if hashed is None or hashed != committed:
        raise Differs(_wrong_seed(fairness, hashed, committed))
    if fairness.get("commitment") != hashed:
        found = fairness.get("commitment")
        raise Differs(Difference(problem="seed", path="fairness.commitment", expected=hashed, found=found))
    return bytes.fromhex(fairness["seed"])


def _wrong_seed(fairness: dict[str, Any], hashed: str | None, committed: Any) -> Difference:
    """Seed, commitment and the commitment in the first event belong together: name the one that stands alone."""
    if hashed is not None and fairness.get("commitment") == hashed:
        return Difference(problem="seed", path="events[0].data.commitment", seq=1, expected=hashed, found=committed)
    return Difference(problem="seed", path="fairness.seed", expected=f"SHA-256 {committed}", found=fairness["seed"])


def _hashed(seed: str) -> str | None:
    try:
        raw = bytes.fromhex(seed)
    except ValueError:
        return None
    return commitment(raw) if raw.hex() == seed and len(raw) == 32 else None


def _first(events: Any, member: str) -> Any:
    try:
        return events[0]["data"][member]
    except (LookupError, TypeError):
        return None


def check(replay: Mapping[str, Any], table: Table, created_at: str) -> None:
    """Compare the documents with the table at the end. Raises Differs at the first member that does not fit."""
    fairness, game = replay["fairness"], replay.get("game")
    _compare(_fairness(table), fairness, "fairness", required=("client_seeds", "algorithm"))
    if not isinstance(game, dict):
        raise Differs(Difference(problem="unreadable", path="game"))
    _compare(_game(table, created_at), game, "game", required=REQUIRED)
    _seats(table, game["seats"])
    _state(table, game)


def _fairness(table: Table) -> dict[str, Any]:
    return {
        "client_seeds": table.client_seeds if table.state is not None else [],
        "algorithm": ALGORITHM,
        "branched_from": _branched_from(table),
    }


def _game(table: Table, created_at: str) -> dict[str, Any]:
    return {
        "id": table.id,
        "rules": table.rules,
        "options": life.plain(table.options),
        "mode": table.mode,
        "visibility": table.visibility,
        "status": table.status,
        "version": table.version,
        "host": table.host,
        "commitment": table.commitment,
        "created_at": created_at,
        "branched_from": _branched_from(table),
        "to_act": [],
        "deadlines": {},
        "deadline": None,
        "legal_actions": [],
    }


def _branched_from(table: Table) -> dict[str, Any] | None:
    return None if table.branched_from is None else life.plain(table.branched_from)


def _compare(expected: dict[str, Any], found: dict[str, Any], path: str, required: tuple[str, ...]) -> None:
    for member, value in expected.items():
        if member in found:
            spot = first_spot(value, found[member], f"{path}.{member}")
        elif member in required:
            raise Differs(Difference(problem="missing", path=f"{path}.{member}", expected=value))
        else:
            continue
        if spot is not None:
            raise Differs(Difference(problem="differs", path=spot.path, expected=spot.expected, found=spot.found))


def _seats(table: Table, seats: Any) -> None:
    expected = [_seat(table, seat, chair) for seat, chair in enumerate(table.chairs)]
    found = [_known(seat) for seat in seats] if isinstance(seats, list) else seats
    _compare({"seats": expected}, {"seats": found}, "game", required=("seats",))


def _seat(table: Table, seat: int, chair: Chair | None) -> dict[str, Any]:
    place = next((place for place in table.standing or () if place.seat == seat), None)
    return {
        "seat": seat,
        "player": chair.player_id if chair else None,
        "bot": chair.bot if chair else None,
        "controller": "bot" if chair and chair.played_by_bot else "player",
        "place": place.place if place else None,
        "score": place.score if place else None,
    }


def _known(seat: Any) -> Any:
    """Of a seat's document what follows from the events; a player by the id alone."""
    if not isinstance(seat, dict):
        return seat
    player = seat.get("player")
    known = {member: seat.get(member) for member in ("seat", "player", "bot", "controller", "place", "score")}
    return known | {"player": player.get("id") if isinstance(player, dict) else player}


def _state(table: Table, game: dict[str, Any]) -> None:
    """The state in the end as the viewer for whom the replay was made may see it."""
    if "state" not in game:
        return
    me = game.get("me")
    viewer = me.get("seat") if isinstance(me, dict) else None
    if viewer is not None and (not isinstance(viewer, int) or not 0 <= viewer < table.seats):
        raise Differs(Difference(problem="unreadable", path="game.me.seat", found=viewer))
    view = {} if table.state is None else table.ruleset.view(table.state, viewer)
    shown = msgspec.json.decode(msgspec.json.encode(view))
    _compare({"state": shown}, game, "game", required=())
