"""Which games did a player ever sit down at? An index over the few events that tell it; a move pays nothing for it."""

from django.db import migrations

INDEX = """
CREATE INDEX games_event_sitting_down ON games_event ((data ->> 'player_id'), game_id) WHERE type = 'seat_taken'
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0003_receipts_age")]
    operations = [migrations.RunSQL(INDEX, "DROP INDEX games_event_sitting_down")]
