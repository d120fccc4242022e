"""What people read about Plie, in both languages; the rules themselves stand in `rules.*.md`."""

from __future__ import annotations

from games.rules.ruleset import Language, Text
from games.rules.wire import page

TEXTS: dict[Language, Text] = {
    "en": Text(
        title="Plie",
        summary="Say how many tricks you will take, then take exactly that many. Most points wins.",
        options={
            "hook": "Hook: the announcements of a deal may never add up to its number of tricks.",
            "move_seconds": "Seconds for each move; when they run out, a bot takes over.",
        },
        rules=page("games.rules.plie", "en"),
    ),
    "fr": Text(
        title="Plie",
        summary="Annoncez combien de plis vous ferez, puis faites-en exactement autant. Le plus de points gagne.",
        options={
            "hook": "Variante : le total des annonces d'une manche ne peut jamais égaler son nombre de plis.",
            "move_seconds": "Secondes pour chaque coup ; passé ce délai, un robot prend le relais.",
        },
        rules=page("games.rules.plie", "fr"),
    ),
}
