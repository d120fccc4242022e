"""What is asked of the ratings: the leaderboard from any place, and a player's own rows.

Invariant: a rank is one more than the number of players shown with a higher rating, counted in the same statement that
reads the rows. So equals share a rank, and it is the same from the top, around somebody and paging back. Every
question goes by an index: pages along (rules, shown, player_id), ranks over the few rows of the counts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from games.store.connection import read, read_one

Key = tuple[int, str]  # shown rating, player: where a row stands; both fall from the top down


class Row(NamedTuple):
    """A line of the leaderboard; `display_name` is None for an account that is not there."""

    rules: str
    player_id: str
    display_name: str | None
    shown: int
    sigma: float
    games: int
    wins: int
    rank: int

    @property
    def key(self) -> Key:
        return self.shown, self.player_id


_PLACE = "(r.shown, r.player_id) {} (%s, %s::uuid)"
_PAGE = """
WITH page AS MATERIALIZED (
    SELECT r.rules, r.player_id, r.shown, r.sigma, r.games, r.wins FROM rankings_rating r
    WHERE r.rules = %s {where} ORDER BY r.rules {way}, r.shown {way}, r.player_id {way} LIMIT %s),
levels AS MATERIALIZED (
    SELECT c.shown, 1 + sum(c.players) OVER (ORDER BY c.shown DESC) - c.players AS rank
    FROM rankings_rating_count c WHERE c.rules = %s AND c.shown >= (SELECT min(shown) FROM page))
SELECT p.rules, p.player_id::text, a.display_name, p.shown, p.sigma, p.games, p.wins, l.rank::bigint
FROM page p JOIN levels l ON l.shown = p.shown LEFT JOIN accounts_player a ON a.id = p.player_id
ORDER BY p.shown DESC, p.player_id DESC"""
OWN = """
SELECT r.rules, r.player_id::text, a.display_name, r.shown, r.sigma, r.games, r.wins,
    (SELECT 1 + coalesce(sum(c.players), 0) FROM rankings_rating_count c
     WHERE c.rules = r.rules AND c.shown > r.shown)::bigint
FROM rankings_rating r LEFT JOIN accounts_player a ON a.id = r.player_id WHERE r.player_id = %s ORDER BY r.rules"""


def statement(place: str = "", *, upward: bool = False) -> str:
    """The SQL of a page: `place` is how its rows compare to a key, empty from the end on."""
    where = f"AND {_PLACE.format(place)}" if place else ""
    return _PAGE.format(where=where, way="ASC" if upward else "DESC")


def below(rules: str, key: Key | None, limit: int, *, itself: bool = False) -> list[Row]:
    """The rows under a key (and at it, where `itself`), from the top if there is none; the best first."""
    place, bound = ("<=" if itself else "<", key) if key else ("", ())
    return _rows(statement(place), [rules, *bound, limit, rules])


def above(rules: str, key: Key, limit: int) -> list[Row]:
    """The rows next above a key, the best first."""
    return _rows(statement(">", upward=True), [rules, *key, limit, rules])


def around(rules: str, player_id: str, limit: int) -> list[Row]:
    """A page with the player in its middle, as far as the board's ends allow; empty for a player without a rating."""
    found = read_one("SELECT shown FROM rankings_rating WHERE player_id = %s AND rules = %s", [player_id, rules])
    if found is None:
        return []
    key = (found[0], player_id)
    under = below(rules, key, limit, itself=True)
    over = above(rules, key, limit - min(len(under), (limit + 1) // 2))
    return [*over, *under[: limit - len(over)]]


def has_more(rules: str, key: Key, *, upward: bool) -> bool:
    """Whether any row stands beyond this key."""
    order = "ASC" if upward else "DESC"
    found = read(
        f"SELECT 1 FROM rankings_rating r WHERE r.rules = %s AND {_PLACE.format('>' if upward else '<')}"  # noqa: S608
        f" ORDER BY r.rules {order}, r.shown {order}, r.player_id {order} LIMIT 1",
        [rules, *key],
    )
    return bool(found)


def own(player_id: str) -> list[Row]:
    """A player's line on every board."""
    return _rows(OWN, [player_id])


def history(player_id: str) -> list[dict[str, Any]]:
    """Every change of a player's ratings as JSON values, for the export."""
    found = read(
        "SELECT rules, game_id, at, round(mu_before), round(mu_after), place, seats FROM rankings_rating_change"
        " WHERE player_id = %s ORDER BY sequence",
        [player_id],
    )
    names = ("rules", "game_id", "at", "before", "after", "place", "seats")
    return [dict(zip(names, (*row[:3], int(row[3]), int(row[4]), *row[5:]), strict=True)) for row in found]


def _rows(text: str, parameters: list[Any]) -> list[Row]:
    return [Row(*each) for each in read(text, parameters)]
