"""Games that are over, with everything unhidden: as a document, in words, and with what is needed to prove them.

Invariant: nothing leaves here while a game is not over; whoever may not know of a game is told that there is none.
The chain's links are the stored ones, so that what a replay shows is what the database holds.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec

from config.wire.problems import Language, Problem
from games.rules import retelling
from games.rules.moments import rfc3339
from games.rules.play import plain
from games.rules.retelling import Line
from games.services import watch
from games.services.command import Caller, existing, require_visible
from games.services.documents import EventDocument, ReplayDocument
from games.store.cache import Loaded
from games.store.load import history, links, load

LONGEST_LINE_OF_BRANCHES = 100


def replay(game_id: str, caller: Caller) -> ReplayDocument:
    """A game that is over, with everything unhidden. Raises Problem `game-state` while it is not."""
    return opened(over(game_id, caller), caller.player_id)


def text(game_id: str, caller: Caller, language: Language) -> str:
    """The same game in words, one line a move. Raises Problem as `replay` does.

    Lines that begin with `#` say which game it is. The others hold four parts with tabs between them: the version
    after the move, seconds since the beginning, seconds that the seat thought (empty where nobody did), the words.
    """
    return "".join(f"{line}\n" for line in _text(over(game_id, caller), language))


def over(game_id: str, caller: Caller) -> Loaded:
    """A game that is over, for a caller who may know of it. Raises Problem `not-found`, `game-state`."""
    loaded = existing(game_id)
    require_visible(loaded, caller)
    if loaded.table.status not in watch.OVER:
        raise Problem("game-state", "not-over")
    return loaded


def opened(loaded: Loaded, player_id: str | None = None) -> ReplayDocument:
    """The replay of a loaded game that is over."""
    assert loaded.table.status in watch.OVER, "nothing is unhidden before the end"
    return ReplayDocument(
        game=watch.document(loaded, player_id),
        events=[
            EventDocument(seq=r.version, type=r.event.type, at=rfc3339(r.at), data=plain(r.event))
            for r in history(loaded.table.id)
        ],
        fairness=watch.fairness_of(loaded),
        chain=links(loaded.table.id),
    )


def lines(loaded: Loaded, language: Language) -> tuple[list[str], list[Line]]:
    """What the seats are called, and a loaded game that is over in words."""
    game_id, names = loaded.table.id, seat_names(loaded, language)
    return names, list(retelling.lines(game_id, history(game_id), names, language))


def seat_names(loaded: Loaded, language: Language) -> list[str]:
    """What the seats are called."""
    table = loaded.table
    players = watch.display_names(chair.player_id for chair in table.chairs if chair and chair.player_id)
    return retelling.seat_names(table, players, language)


def _text(loaded: Loaded, language: Language) -> list[str]:
    names, told = lines(loaded, language)
    title = loaded.table.ruleset.texts[language].title
    began = told[0].at
    head = [f"# {title} · {loaded.table.id} · {rfc3339(began)}", f"# {', '.join(names)}"]
    return head + [f"{line.last}\t{_seconds(line.at - began)}\t{_seconds(line.thought)}\t{line.words}" for line in told]


def _seconds(span: timedelta | None) -> str:
    return "" if span is None else f"{span.total_seconds():.1f}"


def as_json(document: ReplayDocument) -> dict[str, Any]:
    """A replay as JSON values."""
    decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(document))
    return decoded


def ancestry(loaded: Loaded) -> dict[str, dict[str, Any]]:
    """The replays of all games that this one was branched from, directly and further back, by id."""
    found: dict[str, dict[str, Any]] = {}
    while (origin := loaded.table.branched_from) is not None and len(found) < LONGEST_LINE_OF_BRANCHES:
        source = load(origin.game_id)
        if source is None or source.table.status not in watch.OVER:
            break
        found[origin.game_id] = as_json(opened(source))
        loaded = source
    return found
