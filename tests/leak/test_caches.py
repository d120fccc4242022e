"""No cache between the service and a player keeps an answer for somebody else."""

from __future__ import annotations

import pytest

from tests.api.client import Player, Visitor, table

PATHS = ("", "events/", "state/", "fairness/", "replay/")


@pytest.mark.parametrize("path", PATHS)
def test_what_a_game_tells_is_for_the_caller_alone(path: str, servers: object) -> None:
    game, players = table()

    for viewer in (*players, Player("Spectator"), Visitor()):
        headers = viewer.get(f"games/{game['id']}/{path}").headers
        assert "private" in headers["Cache-Control"]
        assert {"authorization", "accept-language"} <= _named(headers["Vary"])


def test_so_are_lists_moves_and_refusals(servers: object) -> None:
    game, players = table()
    card = players[0].sees(game)["state"]["hand"][0]

    for reply in (
        players[0].get("games/?mine=true"),
        players[0].moves(game, {"type": "nonsense"}),
        players[0].moves(game, {"type": "pick", "card": card}),
        players[0].post(f"games/{game['id']}/start/"),
        players[0].delete(f"games/{game['id']}/seats/mine/"),
    ):
        assert "private" in reply.headers["Cache-Control"]
        assert "authorization" in _named(reply.headers["Vary"])


def _named(vary: str) -> set[str]:
    return {name.strip().lower() for name in vary.split(",")}
