"""The ratings' tables, written: standings that are read in, changed by results in order, and put back.

Must live here: all SQL that changes a projection. Invariant: called only by who holds the follower's turn, so nobody
else writes; what is written depends on the results and their order alone, bit by bit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from games.store.connection import execute, read, rows
from rankings.ratings.contenders import Skill
from rankings.ratings.results import Result
from rankings.ratings.scale import NEWCOMER, rated, shown


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Where a player stands in one ruleset, as the table has it."""

    skill: Skill
    games: int
    wins: int
    sequence: int
    at: datetime


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What one game did to one player. `place` is the one that was rated."""

    player_id: str
    rules: str
    sequence: int
    game_id: str
    at: datetime
    before: Skill
    after: Skill
    place: int
    seats: int


Holder = tuple[str, str]  # player, ruleset


def enter(results: Sequence[tuple[int, Result]]) -> list[Change]:
    """Apply results, each with its place in the recorded order, in that order; what they changed."""
    standings = _standings(results)
    counts: Counter[tuple[str, int]] = Counter()
    for (_, rules), standing in standings.items():
        counts[rules, shown(standing.skill.mu)] -= 1
    changes = [change for sequence, result in results for change in _enter(sequence, result, standings)]
    for (_, rules), standing in standings.items():
        counts[rules, shown(standing.skill.mu)] += 1
    _write_changes(changes)
    _write_standings(standings)
    _write_counts({key: difference for key, difference in counts.items() if difference})
    return changes


def _enter(sequence: int, result: Result, standings: dict[Holder, Standing]) -> list[Change]:
    players = {player: side.place for side in result.sides for player in side.players}
    known = {player: standings.get((player, result.rules)) for player in players}
    after = rated(result, {player: standing.skill for player, standing in known.items() if standing})
    changes = []
    for player, standing in known.items():
        changes.append(
            Change(
                player_id=player,
                rules=result.rules,
                sequence=sequence,
                game_id=result.game_id,
                at=result.at,
                before=standing.skill if standing else NEWCOMER,
                after=after[player],
                place=players[player],
                seats=result.seats,
            )
        )
        standings[player, result.rules] = Standing(
            skill=after[player],
            games=1 + (standing.games if standing else 0),
            wins=(players[player] == 1) + (standing.wins if standing else 0),
            sequence=sequence,
            at=result.at,
        )
    return changes


def _standings(results: Sequence[tuple[int, Result]]) -> dict[Holder, Standing]:
    """What is known of everybody who sat in one of these games."""
    asked = {(player, result.rules) for _, result in results for side in result.sides for player in side.players}
    players, rules = [player for player, _ in asked], [key for _, key in asked]
    found = read(
        "SELECT r.player_id::text, r.rules, r.mu, r.sigma, r.games, r.wins, r.sequence, r.changed_at"
        " FROM unnest(%s::uuid[], %s::text[]) AS x(player_id, rules)"
        " JOIN rankings_rating r ON r.player_id = x.player_id AND r.rules = x.rules",
        [players, rules],
    )
    return {
        (player, key): Standing(skill=Skill(mu, sigma), games=games, wins=wins, sequence=sequence, at=at)
        for player, key, mu, sigma, games, wins, sequence, at in found
    }


def _write_changes(changes: Sequence[Change]) -> None:
    execute(
        "INSERT INTO rankings_rating_change (player_id, rules, sequence, game_id, at, mu_before, sigma_before,"
        " mu_after, sigma_after, place, seats)"
        " SELECT * FROM unnest(%s::uuid[], %s::text[], %s::bigint[], %s::uuid[], %s::timestamptz[], %s::float8[],"
        " %s::float8[], %s::float8[], %s::float8[], %s::smallint[], %s::smallint[])",
        [
            [each.player_id for each in changes],
            [each.rules for each in changes],
            [each.sequence for each in changes],
            [each.game_id for each in changes],
            [each.at for each in changes],
            [each.before.mu for each in changes],
            [each.before.sigma for each in changes],
            [each.after.mu for each in changes],
            [each.after.sigma for each in changes],
            [each.place for each in changes],
            [each.seats for each in changes],
        ],
    )


def _write_standings(standings: dict[Holder, Standing]) -> None:
    execute(
        "INSERT INTO rankings_rating (player_id, rules, mu, sigma, shown, games, wins, sequence, changed_at)"
        " SELECT * FROM unnest(%s::uuid[], %s::text[], %s::float8[], %s::float8[], %s::int[], %s::int[], %s::int[],"
        " %s::bigint[], %s::timestamptz[])"
        " ON CONFLICT (player_id, rules) DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma,"
        " shown = excluded.shown, games = excluded.games, wins = excluded.wins, sequence = excluded.sequence,"
        " changed_at = excluded.changed_at",
        [
            [player for player, _ in standings],
            [rules for _, rules in standings],
            [each.skill.mu for each in standings.values()],
            [each.skill.sigma for each in standings.values()],
            [shown(each.skill.mu) for each in standings.values()],
            [each.games for each in standings.values()],
            [each.wins for each in standings.values()],
            [each.sequence for each in standings.values()],
            [each.at for each in standings.values()],
        ],
    )


def _write_counts(differences: dict[tuple[str, int], int]) -> None:
    """Players who moved from one shown rating to another; a rating that nobody has any more has no row."""
    keys = [[rules for rules, _ in differences], [rating for _, rating in differences]]
    execute(
        "INSERT INTO rankings_rating_count AS c (rules, shown, players)"
        " SELECT * FROM unnest(%s::text[], %s::int[], %s::int[])"
        " ON CONFLICT (rules, shown) DO UPDATE SET players = c.players + excluded.players",
        [*keys, list(differences.values())],
    )
    execute(
        "DELETE FROM rankings_rating_count c USING unnest(%s::text[], %s::int[]) AS x(rules, shown)"
        " WHERE c.rules = x.rules AND c.shown = x.shown AND c.players = 0",
        keys,
    )


# --- going back ---------------------------------------------------------------------------------------------------


def forget_from(sequence: int, rules: str | None = None) -> None:
    """Put the tables, of one ruleset or of all, back to where they stood before that place in the order."""
    own = [sequence, rules, rules]
    touched = rows(
        "DELETE FROM rankings_rating WHERE sequence >= %s AND (%s::text IS NULL OR rules = %s)"
        " RETURNING player_id, rules",
        own,
    )
    execute("DELETE FROM rankings_rating_change WHERE sequence >= %s AND (%s::text IS NULL OR rules = %s)", own)
    _restore([player for player, _ in touched], [key for _, key in touched])
    _count_anew(rules)


def _restore(players: Sequence[object], rules: Sequence[str]) -> None:
    """These players' standings once more, from the changes that are left; none where none is left."""
    found = read(
        "SELECT c.player_id::text, c.rules, c.mu_after, c.sigma_after, t.games, t.wins, c.sequence, c.at"
        " FROM (SELECT d.player_id, d.rules, count(*) AS games, count(*) FILTER (WHERE d.place = 1) AS wins,"
        "  max(d.sequence) AS sequence FROM unnest(%s::uuid[], %s::text[]) AS x(player_id, rules)"
        "  JOIN rankings_rating_change d ON d.player_id = x.player_id AND d.rules = x.rules"
        "  GROUP BY d.player_id, d.rules) t"
        " JOIN rankings_rating_change c"
        "  ON c.player_id = t.player_id AND c.rules = t.rules AND c.sequence = t.sequence",
        [list(players), list(rules)],
    )
    _write_standings(
        {
            (player, key): Standing(skill=Skill(mu, sigma), games=games, wins=wins, sequence=sequence, at=at)
            for player, key, mu, sigma, games, wins, sequence, at in found
        }
    )


def _count_anew(rules: str | None) -> None:
    execute("DELETE FROM rankings_rating_count WHERE %s::text IS NULL OR rules = %s", [rules, rules])
    execute(
        "INSERT INTO rankings_rating_count (rules, shown, players)"
        " SELECT rules, shown, count(*) FROM rankings_rating WHERE %s::text IS NULL OR rules = %s"
        " GROUP BY rules, shown",
        [rules, rules],
    )


def changed_by(game_ids: Iterable[str]) -> dict[str, tuple[str, int]]:
    """Ruleset and place in the order of those of these games that changed ratings."""
    found = read(
        "SELECT DISTINCT game_id::text, rules, sequence FROM rankings_rating_change WHERE game_id = ANY(%s::uuid[])",
        [list(game_ids)],
    )
    return {game_id: (rules, sequence) for game_id, rules, sequence in found}
