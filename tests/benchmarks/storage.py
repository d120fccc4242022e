"""How much room whole games take: plays some of every ruleset at tables of four players, then asks `manage.py storage`.

`python -m tests.benchmarks.storage [GAMES]` prints the README's table: games of the default options, played through
the services with a receipt for every move, on a database of their own. The actions are random ones.
"""

from __future__ import annotations

import sys
from typing import Any

from tests.benchmarks import database

GAMES = 12
SEATS = 4


def main(games: int) -> None:
    database.connect()
    from django.core.management import call_command

    from games.rules.registry import listed

    for rules in listed():
        for number in range(games):
            _play(rules, number)
    call_command("storage", markdown=True, sample=games)


def _play(rules: Any, number: int) -> None:
    """One game from its start to its end."""
    import msgspec

    from games.rules.conformance.playthrough import Case, random_action
    from games.services import play
    from games.store.load import load
    from tests.games import somebody, started

    noise = Case(rules, seed=5, number=number).noise("play")
    players = [somebody(f"Player {seat}") for seat in range(SEATS)]
    game_id = started(players, rules=rules.key)
    while (loaded := load(game_id)) is not None and loaded.table.status == "playing":
        table = loaded.table
        seat = table.to_act[0]
        action = msgspec.to_builtins(
            random_action(table.ruleset, table.ruleset.view(table.state, seat), noise), str_keys=True
        )
        asked = play.move_key(f"{table.version}", action, None)
        play.move(players[seat].caller, game_id, action, None, asked)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES)
