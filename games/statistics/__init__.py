"""What players have done, per ruleset, counted from the events of finished games.

- `counting.py` one game's counts, pure · `following.py` the projection: fed by the feed, rebuilt from its record.
- `telling.py` the counts as documents.

Only sums are kept, so the order of games changes nothing. Bots' moves and branches count for nobody: a branch begins
with a past that its player did not play.
"""
