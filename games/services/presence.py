"""Who is connected: leases in Valkey, one per socket, renewed by its process and stretched by any request.

A player is lost when all leases of that player at that game have run out. Only a seat that had a socket can be lost.
Valkey unreachable: nobody counts as lost; only turns expire (stack.md, presence on deploys).

Keys: `repli.sockets.{game}` a hash, field `player|socket` → lease end in ms; `repli.leases` a sorted set, member
`game|player` → when the player counts as lost, in ms; `repli.around.{player}`
→ when a socket at /ws/v1/me/ was last known to be open, in ms.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import redis
import structlog
from django.conf import settings

from games.services import entropy
from games.services.wake import client

log = structlog.get_logger(__name__)

LEASES = "repli.leases"
RENEW_SECONDS = 4.0
AROUND_SECONDS = 60
KEY_SECONDS = 24 * 3600
BATCH = 200


def _sockets(game_id: str) -> str:
    return f"repli.sockets.{game_id}"


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)


def opened(game_id: str, player_id: str, socket_id: str) -> None:
    """A socket of a seated player opened, or lives on; call it again every RENEW_SECONDS."""
    renew([(game_id, player_id, socket_id)])


def renew(sockets: Iterable[tuple[str, str, str]]) -> None:
    """Renew the leases of many sockets at once: they hold although this process may die (`deploy_grace`)."""
    until = _ms(entropy.utcnow()) + int(settings.REPLI.deploy_grace * 1000)
    pipe = client().pipeline(transaction=False)
    for game_id, player_id, socket_id in sockets:
        pipe.hset(_sockets(game_id), f"{player_id}|{socket_id}", until)
        pipe.expire(_sockets(game_id), KEY_SECONDS)
        pipe.zadd(LEASES, {f"{game_id}|{player_id}": until})
    _execute(pipe)


def closed(game_id: str, player_id: str, socket_id: str, *, going_away: bool = False) -> None:
    """A socket closed. The player is lost after the grace period; after the longer one if the server went away."""
    try:
        client().hdel(_sockets(game_id), f"{player_id}|{socket_id}")
        if is_connected(game_id, player_id):
            return
        grace = settings.REPLI.deploy_grace if going_away else settings.REPLI.absence_grace
        client().zadd(LEASES, {f"{game_id}|{player_id}": _ms(entropy.utcnow()) + int(grace * 1000)}, xx=True)
    except redis.RedisError as error:
        log.warning("presence unknown", game=game_id, error=type(error).__name__)


def active(game_id: str, player_id: str) -> None:
    """An authenticated request of a player at this game: whoever had a socket is given the grace period anew."""
    pipe = client().pipeline(transaction=False)
    stretch(pipe, [(game_id, player_id)])
    _execute(pipe)


def stretch(pipe: Any, present: Iterable[tuple[str, str]]) -> None:
    """Put the same for many (game, player) pairs into a pipeline, which its owner executes."""
    until = _ms(entropy.utcnow()) + int(settings.REPLI.absence_grace * 1000)
    if leases := {f"{game_id}|{player_id}": until for game_id, player_id in present}:
        pipe.zadd(LEASES, leases, xx=True, gt=True)


def lost(now: datetime) -> list[tuple[str, str]]:
    """(game, player) pairs whose leases have all run out; none while Valkey is unreachable."""
    try:
        members = client().zrangebyscore(LEASES, 0, _ms(now), start=0, num=BATCH)
    except redis.RedisError:
        return []
    pairs = (str(member, "ascii").split("|", 1) for member in members if isinstance(member, bytes))
    return [(game_id, player_id) for game_id, player_id in pairs]


def forget(game_id: str, player_id: str) -> None:
    """Take a lost pair off the list, unless its player is back."""
    try:
        if not is_connected(game_id, player_id):
            client().zrem(LEASES, f"{game_id}|{player_id}")
    except redis.RedisError as error:
        log.warning("presence unknown", game=game_id, error=type(error).__name__)


def is_connected(game_id: str, player_id: str) -> bool:
    """Whether the player has an open socket at this game."""
    return player_id in connected([game_id]).get(game_id, frozenset())


def connected(game_ids: Sequence[str]) -> dict[str, frozenset[str]]:
    """By game, the players that have an open socket there; empty while Valkey is unreachable."""
    pipe = client().pipeline(transaction=False)
    for game_id in game_ids:
        pipe.hgetall(_sockets(game_id))
    now = _ms(entropy.utcnow())
    return {
        game_id: frozenset(field.decode().split("|", 1)[0] for field, until in leases.items() if int(until) > now)
        for game_id, leases in zip(game_ids, _execute(pipe), strict=False)
    }


def around(player_ids: Iterable[str]) -> None:
    """These players have a socket of their own open, whatever the game; call it again every RENEW_SECONDS."""
    now, pipe = _ms(entropy.utcnow()), client().pipeline(transaction=False)
    for player_id in player_ids:
        pipe.set(_around(player_id), now, ex=AROUND_SECONDS)
    _execute(pipe)


def last_around(player_ids: Sequence[str]) -> dict[str, datetime] | None:
    """When these players' own sockets were last known to be open, if lately; None while Valkey is unreachable."""
    if not player_ids:
        return {}
    try:
        found = client().mget([_around(player_id) for player_id in player_ids])
    except redis.RedisError as error:
        log.warning("presence unknown", error=type(error).__name__)
        return None
    known = zip(player_ids, found, strict=True)
    return {player_id: datetime.fromtimestamp(int(at) / 1000, UTC) for player_id, at in known if at}


def _around(player_id: str) -> str:
    return f"repli.around.{player_id}"


def _execute(pipe: redis.client.Pipeline) -> list[dict[bytes, bytes]]:
    try:
        return pipe.execute()
    except redis.RedisError as error:
        log.warning("presence unknown", error=type(error).__name__)
        return []
