"""Matchmaking and ratings. They follow the games' feed; no module of `games` may import from here."""
