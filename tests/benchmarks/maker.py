"""Makes many games at once, in a process of its own that has Django and the measured stack's database.

A few tables are played up to the wished point through the services; the others are copies of their rows with ids of
their own. A copy is a real stream with a real chain (neither knows the game's id), but for its deals, which its own id
decides from the second one on. Copies share the players of their template. `python -m tests.benchmarks.maker` reads one
`Wish` from standard input and writes the games as JSON; the environment is the stack's, with the owner's URL.
"""

from __future__ import annotations

import random
import sys
from typing import Any, Literal

import django
import msgspec
import psycopg
from psycopg import sql

from tests.benchmarks.load.orders import Game, Step

TEMPLATES = 20
SHORTEST_OF = 8
COPIED = ("games_game", "games_event", "games_seat")
FINISHED_OPTIONS = {"lives": 1, "quick": True}


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """Games of GG: as many as `count`; running ones stand at the first bid of their first deal.

    `move_seconds` is longer than usual, as many games wait for their turn to be played. `told`: return the games.
    """

    count: int
    seats: int = 4
    status: Literal["playing", "finished"] = "playing"
    move_seconds: int = 120
    scripted: bool = False
    told: bool = True


def make(wish: Wish, owner_url: str) -> list[Game]:
    """Fulfil the wish. The games, unless they need not be told."""
    if wish.status == "finished":  # the shortest of some
        originals = [min((_template(wish) for _ in range(SHORTEST_OF)), key=_length)]
    else:
        originals = [_template(wish) for _ in range(min(wish.count, TEMPLATES))]
    copies, left = -(-wish.count // len(originals)), wish.count
    made: list[Game] = []
    with psycopg.connect(owner_url) as connection:
        for game in originals:
            ids = _copy(connection, game.id, min(copies, left))
            left -= len(ids)
            if wish.told:
                made += [Game(id=new, tokens=game.tokens, script=game.script) for new in ids]
    random.Random(1).shuffle(made)
    return made


def _template(wish: Wish) -> Game:
    from tests.games import somebody, started

    options = FINISHED_OPTIONS if wish.status == "finished" else {}
    players = [somebody(f"Player {seat}") for seat in range(wish.seats)]
    game_id = started(players, rules="gg", options={**options, "move_seconds": wish.move_seconds})
    if wish.status == "finished":
        _finish(game_id, [player.caller for player in players])
    script = _first_deal(game_id) if wish.scripted else []
    return Game(id=game_id, tokens=[player.token for player in players], script=script)


def _finish(game_id: str, callers: list[Any]) -> None:
    from games.services import play
    from games.store.load import load

    while (loaded := load(game_id)) is not None and loaded.table.status == "playing":
        table = loaded.table
        seat = table.to_act[0]
        action = random.choice(list(table.ruleset.legal_actions(table.ruleset.view(table.state, seat))))
        play.move(callers[seat], game_id, msgspec.to_builtins(action, str_keys=True), None, None)


def _length(game: Game) -> int:
    from games.store.load import load

    loaded = load(game.id)
    assert loaded is not None
    return loaded.version


def _first_deal(game_id: str) -> list[Step]:
    """Legal moves until the first deal is over: no copy's own random stream has a say in them."""
    from games.rules import play
    from games.store.load import load

    loaded, dice, steps = load(game_id), random.Random(1), list[Step]()
    assert loaded is not None
    table = loaded.table
    while True:
        seat = table.to_act[0]
        actions = table.ruleset.legal_actions(table.ruleset.view(table.state, seat))
        action = dice.choice(list(actions))
        steps.append(Step(seat, msgspec.json.encode(action).decode(), table.version))
        move = play.act(table, seat, action, loaded.seed, table.at)  # type: ignore[arg-type]  # it has begun
        table = move.table
        if any(record.event.type == "deal_scored" for record in move.records):
            return steps


def _copy(connection: psycopg.Connection[Any], game_id: str, copies: int) -> list[str]:
    """Copy all rows of a game so many times; the new ids."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE IF NOT EXISTS copies (id uuid) ON COMMIT DROP")
        cursor.execute("INSERT INTO copies SELECT uuidv7() FROM generate_series(1, %s)", [copies])
        for table in COPIED:
            cursor.execute(sql.SQL("SELECT * FROM {} LIMIT 0").format(sql.Identifier(table)))
            assert cursor.description is not None
            columns = [column.name for column in cursor.description]
            key = "id" if table == "games_game" else "game_id"
            values = [
                sql.SQL("copies.id") if name == key
                # like a real code in length and scatter
                else sql.SQL("upper(substr(md5(copies.id::text), 1, 6))") if name == "code"
                else sql.SQL("original.{}").format(sql.Identifier(name))
                for name in columns
            ]  # fmt: skip
            cursor.execute(
                sql.SQL("INSERT INTO {0} ({1}) SELECT {2} FROM {0} original, copies WHERE original.{3} = %s").format(
                    sql.Identifier(table),
                    sql.SQL(", ").join(map(sql.Identifier, columns)),
                    sql.SQL(", ").join(values),
                    sql.Identifier(key),
                ),
                [game_id],
            )
        cursor.execute("SELECT id::text FROM copies")
        ids = [new for (new,) in cursor]
    connection.commit()
    return ids


if __name__ == "__main__":
    wanted = msgspec.json.decode(sys.stdin.buffer.read(), type=Wish)
    django.setup()
    from django.conf import settings

    sys.stdout.buffer.write(msgspec.json.encode(make(wanted, settings.REPLI.owner_database)))
