"""Games in the admin. Whatever is shown of a game that is not over has passed through the spectator's redaction.

Columns of stored rows are named one by one: never the seed or the chain, events' data or meta, receipts' bodies, the
hashes of their requests (a small card is guessed from one) or their keys (clients may put anything there).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from uuid import UUID

import msgspec
from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from accounts.audit import Operator
from accounts.models import Player
from accounts.names import fold
from accounts.staff import deeds, listings
from accounts.staff.deeds import Deed
from accounts.staff.listings import Cell, Listing, link
from accounts.staff.readonly import ReadOnly, choices
from games.models import Applied, FeedEntry, Follower, Game, Receipt, Seat
from games.rules.registry import listed
from games.services import inspection, operating, watch
from games.services.documents import SeatDocument
from games.store.cache import Loaded

EVENTS = 200  # on a page
SHOWN = ("id", "rules", "mode", "visibility", "status", "seats", "version", "created_at", "updated_at")


@admin.register(Game)
class GameAdmin(ReadOnly):
    list_display = SHOWN
    list_filter = (
        choices("status", "waiting", "playing", "finished", "aborted"),
        choices("rules", *(rules.key for rules in listed())),
        choices("mode", "casual", "ranked"),
        choices("visibility", "public", "private"),
    )
    search_fields = ("code",)
    search_help_text = "a game's id or code, a player's username or id, in full"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        found: QuerySet[Game] = super().get_queryset(request).only(*SHOWN)
        return found

    def get_search_results(self, _request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        players = list(Player.objects.filter(username_key=fold(term)).values_list("id", flat=True))
        wanted = Q(code=term.upper())
        with suppress(ValueError):
            wanted |= Q(id=UUID(term))
            players.append(UUID(term))
        sat = Seat.objects.filter(player_id__in=players).order_by("-game_id").values_list("game_id", flat=True)
        return queryset.filter(wanted | Q(id__in=list(sat[:1000]))), False

    def sections(self, request: HttpRequest, target: UUID) -> dict[str, Any] | None:
        loaded = inspection.find(str(target))
        if loaded is None:
            return None
        after, game = _after(request), inspection.document(loaded)
        over = game.status in watch.OVER
        return {
            "title": f"{game.rules} {game.id}",
            "note": "" if over else "This game is not over: what is shown here is what a spectator sees.",
            "facts": _facts(loaded),
            "deeds": deeds.possible(request, "game", target),
            "about": listings.about(request, "game", target),
            "tables": [
                {"title": "Seats", "columns": SEAT_COLUMNS, "rows": [_seat(seat) for seat in game.seats]},
                {
                    "title": "Events",
                    "columns": ("seq", "at", "type", "data"),
                    "rows": [
                        [
                            Cell(text=str(event.seq)),
                            Cell(text=event.at),
                            Cell(text=event.type),
                            Cell(text=_json(event.data)),
                        ]
                        for event in inspection.events(loaded, after, EVENTS)
                    ],
                },
            ],
            "next": f"?after={after + EVENTS}" if after + EVENTS < game.version else None,
        }


SEAT_COLUMNS = ("seat", "player", "bot", "controller", "connected", "place", "score")


def _facts(loaded: Loaded) -> dict[str, Any]:
    game = msgspec.to_builtins(inspection.document(loaded))
    names = ("id", "rules", "mode", "visibility", "status", "version", "host", "created_at", "to_act", "deadline")
    facts = {name.replace("_", " "): game.get(name) for name in names}
    facts |= {"options": _json(game["options"]), "state": _json(inspection.state(loaded))}
    return facts | {"fairness": _json(msgspec.to_builtins(inspection.fairness(loaded)))}


def _seat(seat: SeatDocument) -> list[Cell]:
    player = seat.player
    who = Cell(text=player.display_name, url=link("player", player.id)) if player else Cell(text="–")
    rest = (seat.bot, seat.controller, seat.connected, seat.place, seat.score)
    return [Cell(text=str(seat.seat)), who, *(Cell(text="–" if value is None else str(value)) for value in rest)]


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _after(request: HttpRequest) -> int:
    given = request.GET.get("after", "0")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 8 else 0


def _abort(target: UUID, operator: Operator, reason: str, _more: Mapping[str, Any]) -> None:
    operating.abort(str(target), operator, reason)


def _release(target: UUID, operator: Operator, reason: str, more: Mapping[str, Any]) -> None:
    operating.release(str(target), more["seat"], operator, reason)


deeds.register(
    Deed(
        name="abort_game",
        kind="game",
        title="Abort this game",
        warning="The game ends at once for everybody, without a result, and its seed is shown. This cannot be undone.",
        permission="games.abort_game",
        run=_abort,
    ),
    Deed(
        name="release_seat",
        kind="game",
        title="Hand a seat to a bot",
        warning="A bot plays on that seat until its player comes back. To the others, and in ranked games to the"
        " player's conduct, it is a lost connection.",
        permission="games.release_seat",
        run=_release,
        fields={"seat": forms.IntegerField(min_value=0, max_value=63)},
    ),
)
listings.register(
    Listing(
        name="seats",
        title="Seats",
        model=Seat,
        columns=("game_id", "seat", "player_id", "bot", "controller", "left", "place", "score"),
        order=("-game_id", "seat"),
        filters={"game": "game_id", "player": "player_id"},
    ),
    Listing(
        name="receipts",
        title="Receipts",
        model=Receipt,
        columns=("game_id", "player_id", "operation", "status", "written_at"),
        order=("game_id", "player_id", "operation", "key"),
        filters={"game": "game_id"},
    ),
    Listing(
        name="feed",
        title="Feed",
        model=FeedEntry,
        columns=("noted_at", "game_id", "version", "type"),
        order=("-noted_at", "-game_id", "-version"),
        filters={"game": "game_id"},
    ),
    Listing(
        name="followers",
        title="Followers of the feed",
        model=Follower,
        columns=("consumer", "place", "clear_until", "seen_at"),
        order=("consumer",),
        filters={},
    ),
    Listing(
        name="applied",
        title="Order in which the feed was applied",
        model=Applied,
        columns=("consumer", "place", "game_id", "version", "type"),
        order=("-consumer", "-place"),
        filters={"game": "game_id"},
    ),
)
