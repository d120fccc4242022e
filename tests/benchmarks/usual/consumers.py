"""A seat's socket. It speaks as much of Repli's protocol as the load needs: welcome, move, ack, events."""

from __future__ import annotations

from typing import Any

from channels.generic.websocket import AsyncJsonWebsocketConsumer

from tests.benchmarks.usual.models import Move

SEATS = 4
ACTIONS = [{"type": "play", "card": card} for card in ("2C", "3C", "4C")]


class TableConsumer(AsyncJsonWebsocketConsumer):
    async def connect(self) -> None:
        self.game_id: str = self.scope["url_route"]["kwargs"]["game_id"]
        headers = dict(self.scope["headers"])
        self.seat = int(headers[b"authorization"].removeprefix(b"Bearer "))
        self.group = f"game_{self.game_id}"
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()
        game = {"version": 1, "legal_actions": self._legal(1)}
        await self.send_json({"type": "welcome", "protocol": 1, "version": 1, "game": game})

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive_json(self, content: dict[str, Any], **kwargs: Any) -> None:
        version = content["expected_version"] + 1
        move = await Move.objects.acreate(
            game_id=self.game_id, version=version, seat=self.seat, action=content["action"]
        )
        event = {"seq": version, "type": "card_played", "at": move.created_at.isoformat(), "data": content["action"]}
        await self.channel_layer.group_send(self.group, {"type": "game.move", "version": version, "event": event})
        await self.send_json({"type": "ack", "command_id": content["command_id"], "version": version})

    async def game_move(self, message: dict[str, Any]) -> None:
        version = message["version"]
        await self.send_json(
            {
                "type": "events",
                "version": version,
                "events": [message["event"]],
                "to_act": [version % SEATS],
                "legal_actions": self._legal(version),
            }
        )

    def _legal(self, version: int) -> list[dict[str, str]]:
        return ACTIONS if version % SEATS == self.seat else []
