from tests.api.client import plays_on, table


def test_a_game_is_played_to_its_end_and_again() -> None:
    game, players = table()

    over = plays_on(game, players)

    assert over["status"] == "finished"
    first = players[1].post(f"games/{game['id']}/rematch/").ok(201)
    second = players[0].post(f"games/{game['id']}/rematch/").ok(201)
    assert first["id"] == second["id"]
