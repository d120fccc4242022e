"""Played in a process of its own, on the database of its environment: `python -m tests.operating.life WHAT …`.

`begin` plays games of every kind and prints what a later process needs to go on; `go-on` makes one more move.
"""

from __future__ import annotations

import json
import os
import sys

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
os.environ["REPLI_EXTRA_RULESETS"] = "tests.tiny:RULESET"


def begin() -> None:
    from accounts.audit import Operator
    from games.services import operating
    from tests.api.client import played_with_bots
    from tests.games import opened, somebody, started

    ada, bea = somebody("Ada"), somebody("Bea")
    played_with_bots("plie")
    operating.abort(opened([ada, bea]), Operator(name="Ada"), "nobody came")
    opened([bea], seats=2)
    print(json.dumps({"game": started([ada, bea]), "player": ada.id}))


def go_on(game_id: str, player_id: str) -> None:
    from games.services import play
    from games.services.command import Caller
    from tests.games import state_of

    card = state_of(game_id).hands[0][0]
    answer = play.move(Caller(player_id=player_id), game_id, {"type": "pick", "card": card}, None, None)
    print(json.loads(answer.body)["version"])


if __name__ == "__main__":
    django.setup()
    if sys.argv[1] == "begin":
        begin()
    else:
        go_on(*sys.argv[2:])
