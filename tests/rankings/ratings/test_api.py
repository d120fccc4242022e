"""Leaderboard, ratings and history over REST, with real tokens."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from accounts import erasure
from accounts.models import Player as Account
from rankings.ratings import board, follow
from tests.api.client import Player, Visitor
from tests.rankings.ratings.games import caught_up, finished

RULES = "barbu"
BOARD = f"rankings/{RULES}/"


@pytest.fixture(scope="module")
def winner() -> Player:
    """A player who won one game, among a dozen others who did the same and so have the very same rating."""
    account = Player("Wanda")
    for _ in range(12):
        finished([_account() for _ in range(3)], [1, 2, 3], rules=RULES)
    finished([account.id, _account(), _account()], [1, 2, 3], rules=RULES)
    finished([_account() for _ in range(5)], [1, 2, 3, 4, 5], rules=RULES)
    caught_up()
    return account


def _account() -> str:
    return str(Account.objects.create(display_name="Somebody", is_guest=True).id)


def _follow(player: Player, path: str, link: str) -> list[dict[str, Any]]:
    """All rows of the pages from this one on."""
    rows: list[dict[str, Any]] = []
    following: str | None = path
    while following is not None:
        answer = player.get(following).ok()
        found = answer["results"]
        rows = [*rows, *found] if link == "next" else [*found, *rows]
        following = answer[link]
    return rows


def test_the_rank_is_the_same_from_the_top_around_me_and_paging_back(winner: Player) -> None:
    whole = _follow(winner, f"{BOARD}?limit=200", "next")
    down = _follow(winner, f"{BOARD}?limit=7", "next")
    me = winner.get(f"{BOARD}?around=me&limit=5").ok()
    back = _follow(winner, me["previous"], "previous")
    on = _follow(winner, me["next"], "next")

    assert down == whole
    assert [*back, *me["results"], *on] == whole
    assert [row["player"]["id"] for row in me["results"]].index(winner.id) == 2


def test_equals_share_a_rank_and_the_next_one_is_skipped(winner: Player) -> None:
    rows = _follow(winner, f"{BOARD}?limit=200", "next")
    ratings = [row["rating"] for row in rows]

    assert ratings == sorted(ratings, reverse=True)
    assert [row["rank"] for row in rows] == [1 + sum(other > own for other in ratings) for own in ratings]
    own = next(row for row in rows if row["player"]["id"] == winner.id)
    assert sum(row["rank"] == own["rank"] for row in rows) >= 13


def test_a_row_says_who_and_how_well(winner: Player) -> None:
    rows = winner.get(f"{BOARD}?around=me&limit=1").ok()["results"]
    ratings = winner.get(f"players/{winner.id}/ratings/").ok()["results"]

    assert rows == [
        {
            "rank": rows[0]["rank"],
            "player": {"id": winner.id, "display_name": "Wanda"},
            "rating": rows[0]["rating"],
            "deviation": rows[0]["deviation"],
            "provisional": True,
            "games": 1,
            "wins": 1,
        }
    ]
    assert ratings == [{"rules": RULES, **{name: value for name, value in rows[0].items() if name != "player"}}]


def test_at_the_ends_of_the_board_the_page_around_me_is_full_too(winner: Player) -> None:
    first = winner.get(f"{BOARD}?limit=1").ok()["results"][0]["player"]["id"]
    top = board.around(RULES, first, 10)
    bottom_id = _follow(winner, f"{BOARD}?limit=200", "next")[-1]["player"]["id"]
    bottom = board.around(RULES, bottom_id, 10)

    assert (len(top), top[0].player_id) == (10, first)
    assert (len(bottom), bottom[-1].player_id) == (10, bottom_id)


def test_the_history_has_a_row_for_each_rated_game_latest_first() -> None:
    player, other = Player("Hugo"), _account()
    games = [finished([player.id, other], places, rules="plie") for places in ([1, 2], [2, 1])]
    caught_up()
    path = f"players/{player.id}/ratings/plie/history/"

    rows = player.get(path).ok()["results"]
    assert [row["game_id"] for row in rows] == games[::-1]
    assert [(row["place"], row["seats"]) for row in rows] == [(2, 2), (1, 2)]
    assert (rows[1]["before"], rows[1]["after"]) == (1500, rows[0]["before"])
    assert rows[0]["after"] == player.get(f"players/{player.id}/ratings/").ok()["results"][0]["rating"]
    assert rows[0]["at"].endswith("Z")
    assert _follow(player, f"{path}?limit=1", "next") == rows


def test_a_player_without_a_rating_is_nowhere_on_the_board() -> None:
    newcomer = Player("Nell")

    assert newcomer.get(f"{BOARD}?around=me").ok() == {"results": [], "next": None, "previous": None}
    assert newcomer.get(f"players/{newcomer.id}/ratings/").ok()["results"] == []
    assert newcomer.get(f"players/{newcomer.id}/ratings/gg/history/").ok()["results"] == []


@pytest.mark.parametrize(
    "path, code",
    [
        ("rankings/nothing/", "not-found"),
        (f"players/{UUID(int=7)}/ratings/", "not-found"),
        (f"players/{UUID(int=7)}/ratings/gg/history/", "not-found"),
        (f"{BOARD}?around=you", "validation"),
        (f"{BOARD}?around=me&cursor=abc", "validation"),
        (f"{BOARD}?cursor=abc", "validation"),
        (f"{BOARD}?cursor=é", "validation"),
        (f"{BOARD}?limit=201", "validation"),
        (f"{BOARD}?top=1", "validation"),
    ],
)
def test_what_is_not_there_or_not_meant_is_refused_with_a_code(winner: Player, path: str, code: str) -> None:
    assert winner.get(path).code == code


def test_without_a_token_nothing_is_shown() -> None:
    assert Visitor().get(BOARD).code == "unauthenticated"


def test_the_export_holds_ratings_and_history_and_a_deleted_account_keeps_its_place_without_its_name() -> None:
    player, other = Player("Gone"), Player("Here")
    game_id = finished([player.id, other.id], [1, 2], rules="plie")
    caught_up()

    held = player.get("accounts/me/export/").ok()["ratings"]
    erasure.erase(UUID(player.id))
    row = next(row for row in _follow(other, "rankings/plie/?limit=200", "next") if row["player"]["id"] == player.id)

    assert [each["rules"] for each in held["current"]] == ["plie"]
    assert [each["game_id"] for each in held["history"]] == [game_id]
    assert row["player"]["display_name"] != "Gone"


def test_the_board_follows_a_voided_game() -> None:
    player = Player("Void")
    game_id = finished([player.id, str(uuid4())], [1, 2], rules="plie")
    caught_up()
    assert player.get("rankings/plie/?around=me").ok()["results"]

    follow.void(game_id, "an operator", "a test", Account.objects.get(id=player.id).created_at)

    assert player.get("rankings/plie/?around=me").ok()["results"] == []
