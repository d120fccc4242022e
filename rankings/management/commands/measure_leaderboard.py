"""Times the leaderboard on generated rows, with its plans; everything is taken back at the end.

The rows stand in one transaction under a ruleset's name of their own, so that it can run beside a live service; it
leaves dead rows to the autovacuum. Plans are those of the service's own connection: it avoids sequential scans where
there is any index, so that one in a plan means that an index is missing. Only the tables' owner gets fresh statistics.
"""

from __future__ import annotations

import json
import secrets
import time
from argparse import ArgumentParser
from collections.abc import Callable
from statistics import median
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from games.store.connection import execute, read, read_one
from rankings.ratings import board

PLAYERS = """
INSERT INTO accounts_player (id, password, is_superuser, display_name, is_guest, is_staff, language, created_at)
SELECT md5(%s || n)::uuid, '!', false, 'Player ' || n, true, false, 'en', now() FROM generate_series(1, %s) AS n"""
RATINGS = """
INSERT INTO rankings_rating (player_id, rules, mu, sigma, shown, games, wins, sequence, changed_at)
SELECT md5(%s || n)::uuid, %s, x.mu, 60, round(x.mu), 40, 10, n, now()
FROM generate_series(1, %s) AS n,
LATERAL (SELECT 1500 + 250 * (random() + random() + random() + random() - 2) * 1.73 + n * 0 AS mu) AS x"""
COUNTS = """
INSERT INTO rankings_rating_count (rules, shown, players)
SELECT rules, shown, count(*) FROM rankings_rating WHERE rules = %s GROUP BY rules, shown"""
REPEATS = 50


class Command(BaseCommand):
    help = "Time pages of the leaderboard on generated rows, and show their plans. Nothing stays."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, default=1_000_000, help="default: 1000000")
        parser.add_argument("--plans", action="store_true", help="print the plans in full")

    def handle(self, *, players: int, plans: bool, **_options: Any) -> None:
        with transaction.atomic():
            rules = f"measured-{secrets.token_hex(4)}"
            began = time.perf_counter()
            execute(PLAYERS, [rules, players])
            execute(RATINGS, [rules, rules, players])
            execute(COUNTS, [rules])
            execute("ANALYZE rankings_rating, rankings_rating_count, accounts_player")
            self.stdout.write(f"{players} players made in {time.perf_counter() - began:.0f} s")
            self.plans(rules, full=plans)
            self.times(rules)
            transaction.set_rollback(True)

    def plans(self, rules: str, *, full: bool) -> None:
        """The plan of every statement; an error if one reads a whole table."""
        _, middle = places(rules)
        asked: list[tuple[str, str, list[Any]]] = [
            ("first page", board.statement(), [rules, 50, rules]),
            ("page down", board.statement("<"), [rules, *middle, 50, rules]),
            ("page up", board.statement(">", upward=True), [rules, *middle, 50, rules]),
            ("own ranks", board.OWN, [middle[1]]),
        ]
        for name, text, parameters in asked:
            plan = read_one(f"EXPLAIN (FORMAT JSON) {text}", parameters)
            assert plan is not None
            found = list(nodes(plan[0][0]["Plan"] if not isinstance(plan[0], str) else json.loads(plan[0])[0]["Plan"]))
            whole = {table for kind, table in found if kind == "Seq Scan"}
            self.stdout.write(f"{name}: " + ", ".join(f"{kind} on {table}" for kind, table in found))
            if full:
                self.stdout.write("\n".join(line for (line,) in read(f"EXPLAIN ANALYZE {text}", parameters)))
            if whole:
                raise CommandError(f"{name} reads all of {', '.join(sorted(whole))}")

    def times(self, rules: str) -> None:
        top, middle = places(rules)
        last = board.above(rules, (0, "0" * 8 + "-0000-0000-0000-" + "0" * 12), 1)[0].key
        for name, ask in {
            "first page of 50": lambda: board.below(rules, None, 50),
            "page of 50 in the middle": lambda: board.below(rules, middle, 50),
            "page of 50 above the last": lambda: board.above(rules, last, 50),
            "around the first": lambda: board.around(rules, top[1], 50),
            "around one in the middle": lambda: board.around(rules, middle[1], 50),
            "around the last": lambda: board.around(rules, last[1], 50),
            "a player's own ranks": lambda: board.own(middle[1]),
        }.items():
            best, typical, worst = timed(ask)
            self.stdout.write(f"{name}: median {typical:.1f} ms, best {best:.1f} ms, worst {worst:.1f} ms")


def places(rules: str) -> tuple[board.Key, board.Key]:
    """The best player's place, and one in the middle."""
    top = board.below(rules, None, 1)[0].key
    return top, board.below(rules, (1500, "f" * 8 + "-ffff-ffff-ffff-" + "f" * 12), 1)[0].key


def timed(ask: Callable[[], object]) -> tuple[float, float, float]:
    """Best, median and worst of many calls, in milliseconds."""
    taken = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        ask()
        taken.append((time.perf_counter() - began) * 1000)
    return min(taken), median(taken), max(taken)


def nodes(plan: dict[str, Any]) -> list[tuple[str, str]]:
    """Every node of a plan that reads a table: what it does, and where."""
    own = [(plan["Node Type"], plan["Relation Name"])] if "Relation Name" in plan else []
    return own + [node for below in plan.get("Plans", ()) for node in nodes(below)]
