"""Every card of a game follows from its seed: checked from replays alone, with a second reading of the pages."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from games.rules.conformance.runs import Run, carry_out
from tests.rules.trials import shuffle, words

PACK = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]


def replays() -> list[dict[str, Any]]:
    return [json.loads(line) for line in carry_out(Run("gg", games=25, seed=99, keep_replays=True)).replays]


@pytest.mark.parametrize("replay", replays(), ids=lambda replay: replay["game"]["id"])
def test_all_draws_follow_from_the_seed(replay: dict[str, Any]) -> None:
    fairness, options = replay["fairness"], replay["game"]["options"]
    seed = bytes.fromhex(fairness["seed"])
    assert hashlib.sha256(seed).hexdigest() == fairness["commitment"]
    source = words(seed, replay["game"]["id"], fairness["client_seeds"])

    for event in replay["events"]:
        data = event["data"]
        if event["type"] == "starter_drawn":
            drawn = [card for drawing in data["draws"] for _, card in sorted(drawing.items())]
            assert drawn == shuffle(source, PACK)[: len(drawn)]
        elif event["type"] == "hands_dealt":
            joker = ["JK"] if options["joker"] and data["cards"] > 1 else []
            shuffled = shuffle(source, [*PACK, *joker])
            order = sorted(map(int, data["hands"]), key=lambda seat: (seat < data["starter"], seat))
            for place, seat in enumerate(order):
                assert data["hands"][str(seat)] == shuffled[place :: len(order)][: data["cards"]]
