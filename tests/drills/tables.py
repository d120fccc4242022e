"""Tables that are played to their ends, one after the other, by clients on all processes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from tests.drills.client import Client
from tests.drills.wire import Account, Wire


async def played(wire: Wire, players: int, seats: int, **options: Any) -> list[Client]:
    """One game to its end; its clients."""
    game = await wire.opened(players, seats, **options)
    clients = clients_of(wire, game.id, game.players)
    await asyncio.gather(*(client.run() for client in clients))
    return clients


def clients_of(wire: Wire, game_id: str, players: Sequence[Account], *, retries: float = 1.0) -> list[Client]:
    """A client for each player; `retries` is the share of unanswered moves that are sent again."""
    return [Client(wire, game_id, account, retries=retries) for account in players]


async def differences(client: Client) -> list[str]:
    """What a fresh GET shows otherwise than the messages that this client got."""
    game = await client.wire.game(client.game_id, client.account)
    events = await client.wire.events(client.game_id, client.account)
    found = []
    if game["version"] != client.version or len(events) != client.version:
        found.append(f"version {client.version}, GET says {game['version']} with {len(events)} events")
    pairs = zip(client.events, events, strict=False)
    found += [f"event {mine['seq']} differs" for mine, theirs in pairs if mine != theirs]
    found += [f"{name} differs" for name, value in client.outlook.items() if game[name] != value]
    return [f"{client.game_id}, seat {game['me']['seat']}: {fault}" for fault in found]
