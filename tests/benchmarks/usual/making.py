"""Makes the usual stack's tables and games: reads the wished games (ids, scripts) and writes them with tokens.

`python -m tests.benchmarks.usual.making`; the environment is the stack's.
"""

from __future__ import annotations

import os
import sys

import django
import msgspec

from tests.benchmarks.load.orders import Game

SEATS = 4
TABLES = 50  # of players


def make(games: list[Game]) -> list[Game]:
    """The games with the tokens of players who sit there."""
    from django.contrib.auth.models import User
    from rest_framework.authtoken.models import Token

    from tests.benchmarks.usual.models import Game as Row

    users = User.objects.bulk_create([User(username=f"player{number}") for number in range(SEATS * TABLES)])
    tokens = [Token(user=user, key=Token.generate_key()) for user in users]
    Token.objects.bulk_create(tokens)
    rows, made = [], []
    for number, game in enumerate(games):
        place = number % TABLES * SEATS
        seated = range(place, place + SEATS)
        rows.append(Row(id=game.id, version=game.script[0].version, seats=[users[each].pk for each in seated]))
        script = [  # a move is one event here, whatever it brings about
            msgspec.structs.replace(step, version=version)
            for version, step in enumerate(game.script, start=game.script[0].version)
        ]
        made.append(msgspec.structs.replace(game, script=script, tokens=[tokens[each].key for each in seated]))
    Row.objects.bulk_create(rows)
    return made


if __name__ == "__main__":
    wished = msgspec.json.decode(sys.stdin.buffer.read(), type=list[Game])
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.benchmarks.usual.settings")
    django.setup()
    from django.core.management import call_command

    call_command("migrate", run_syncdb=True, verbosity=0)
    sys.stdout.buffer.write(msgspec.json.encode(make(wished)))
