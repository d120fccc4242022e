"""Statistics of players: a projection that can be rebuilt from the feed's record and the events."""

from django.db import migrations, models

import games.store.columns


class Migration(migrations.Migration):
    dependencies = [("games", "0004_sitting_down")]
    operations = [
        migrations.CreateModel(
            name="Statistic",
            fields=[
                ("pk", models.CompositePrimaryKey("player_id", "rules", blank=True, editable=False, primary_key=True, serialize=False)),
                ("player_id", models.UUIDField()),
                ("rules", models.CharField(max_length=40)),
                ("counts", games.store.columns.RawJson()),
            ],
        ),
    ]
