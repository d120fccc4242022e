"""A played-out trial game as the object that `replay/` gives (api.md, Games), as far as it exists without accounts."""

from __future__ import annotations

from typing import Any

import msgspec

from games.rules import lifecycle as life
from games.rules import play
from games.rules.conformance.playthrough import Playthrough
from games.rules.lifecycle import Place
from games.rules.moments import rfc3339
from games.rules.proof import links, reading
from games.rules.stream import ALGORITHM
from games.rules.table import Chair


def replay(game: Playthrough, *, chained: bool = True) -> dict[str, Any]:
    """`{game, events, fairness, chain}` of a finished game, everything unhidden; a link of the chain for each event."""
    shown = {"game": _game(game), "events": _events(game), "fairness": _fairness(game)}
    return shown | {"chain": links.links(reading.retold(game.records), game.seed)} if chained else shown


def _game(game: Playthrough) -> dict[str, Any]:
    """The finished game as a spectator would see it."""
    table, at = game.table, game.records[-1].at
    places = {place.seat: place for place in table.standing or ()}
    return {
        "id": table.id,
        "rules": table.rules,
        "options": life.plain(table.options),
        "mode": table.mode,
        "visibility": table.visibility,
        "status": table.status,
        "version": table.version,
        "host": table.host,
        "server_time": rfc3339(at),
        "seats": [_seat(seat, chair, places.get(seat)) for seat, chair in enumerate(table.chairs)],
        "me": None,
        "to_act": list(table.to_act),
        "deadline": None,
        "deadlines": {},
        "state": msgspec.to_builtins(game.rules.view(table.state, None), str_keys=True),
        "legal_actions": [],
    }


def _seat(seat: int, chair: Chair | None, place: Place | None) -> dict[str, Any]:
    assert chair is not None, "all seats of a started game are taken"
    player = {"id": chair.player_id, "display_name": f"Player {seat + 1}"} if chair.player_id else None
    return {
        "seat": seat,
        "player": player,
        "bot": chair.bot,
        "controller": "bot" if chair.played_by_bot else "player",
        "connected": False,
        "place": place.place if place else None,
        "score": place.score if place else None,
    }


def _events(game: Playthrough) -> list[dict[str, Any]]:
    return [
        {"seq": record.version, "type": record.event.type, "at": rfc3339(record.at), "data": play.plain(record.event)}
        for record in game.records
    ]


def _fairness(game: Playthrough) -> dict[str, Any]:
    started = next(record.event for record in game.records if isinstance(record.event, life.GameStarted))
    return {
        "commitment": game.table.commitment,
        "seed": game.seed.hex(),
        "client_seeds": started.client_seeds,
        "algorithm": ALGORITHM,
    }
