"""The event store: append, load, follow, verify. Below it only `games.rules` and Django's models.

- `append.py`: `prepare` a move (canonical bytes, chain), then `append` a batch or `create` a game, one statement each.
- `load.py`: fold a game through the bounded cache, its history, its versions, its code.
- `receipts.py`: the first answer to an idempotent request · `due.py`: games whose time has come.
- `seated.py` who sits where · `personal.py` what is held about a player.
- `feed.py`: lifecycle events for followers, and the order for ever in which each follower applied them.
- `upcasters.py` old shapes on read · `verify.py` the audit · `grants.py` privileges.
- `cache.py` hot games · `statements.py` the append's SQL · `connection.py` Django's connection as psycopg's own.
"""
