"""What an append's statement is given: one JSON array for each of its parts, for a whole batch.

Must live here: the shapes that `statements` unpacks. Must not: running anything; both ways to write share this.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any

import msgspec

from games.rules import lifecycle as life
from games.rules.lifecycle import Event
from games.rules.table import Recorded, Table
from games.store.prepared import Append
from games.store.receipts import Receipt
from games.store.statements import statement

FOLLOWED = (life.GameStarted, life.SeatControlled, life.GameFinished, life.GameAborted)
SEATED = (life.GameCreated, life.SeatTaken, life.SeatLeft, life.SeatControlled, life.GameFinished)

_encode = msgspec.json.encode

Asked = tuple[str, list[str]]  # a statement and its parameters

WRITTEN_BEFORE = """
SELECT e.game_id::text, e.version FROM json_to_recordset(%s::json) AS x(game_id uuid, version int, mark text)
JOIN games_event e ON e.game_id = x.game_id AND e.version = x.version AND e.meta ->> 'append' = x.mark"""


def moving(batch: Sequence[Append]) -> Asked:
    """Advance existing games, one append each; answers (game, version) of those that were advanced."""
    return _statement(batch, new=False), _parameters(batch, [_moved(each) for each in batch])


def creating(first: Append, code: str) -> Asked:
    """Insert a new game with its first events."""
    return _statement([first], new=True), _parameters([first], [_created(first, code)])


def looking_back(batch: Sequence[Append]) -> Asked:
    """Which of these were committed although the answer was lost: their own mark stands at their version."""
    marks = [{"game_id": each.game_id, "version": each.version, "mark": each.mark} for each in batch]
    return WRITTEN_BEFORE, [_text(marks)]


def _statement(batch: Sequence[Append], *, new: bool) -> str:
    return statement(
        new=new,
        receipts=any(each.receipt for each in batch),
        feed=any(_has(each, FOLLOWED) for each in batch),
        seats=any(_has(each, SEATED) for each in batch),
    )


def _parameters(batch: Sequence[Append], games: list[dict[str, Any]]) -> list[str]:
    """One JSON array for each part of the statement, in its order."""
    parameters = [_text(games), _text([row for each in batch for row in each.rows])]
    if answers := [_answer(each, each.receipt) for each in batch if each.receipt]:
        parameters.append(_text(answers))
    if feed := [_feed(each, record) for each in batch for record in each.records if isinstance(record.event, FOLLOWED)]:
        parameters.append(_text(feed))
    if seats := [seat for each in batch if _has(each, SEATED) for seat in _seats(each.table)]:
        parameters.append(_text(seats))
    return parameters


def _has(each: Append, kinds: tuple[type[Event], ...]) -> bool:
    return any(isinstance(record.event, kinds) for record in each.records)


def _game(each: Append) -> dict[str, Any]:
    table = each.table
    return {
        "game_id": table.id,
        "version": table.version,
        "status": table.status,
        "host": table.host,
        "to_act": list(table.to_act),
        "due_at": each.due_at,
        "head": each.head.hex(),
    }


def _moved(each: Append) -> dict[str, Any]:
    game = _game(each) | {"expected": each.expected}
    if _has(each, (life.OptionsChanged,)):
        game["options"] = each.table.options
    if each.receipt:
        game |= {
            "scope": each.receipt.game_id,
            "player_id": each.receipt.player_id,
            "operation": each.receipt.operation,
            "key": each.receipt.key,
        }
    return game


def _created(first: Append, code: str) -> dict[str, Any]:
    table = first.table
    return _game(first) | {
        "code": code,
        "rules": table.rules,
        "rules_version": table.ruleset.rules_version,
        "options": table.options,
        "mode": table.mode,
        "visibility": table.visibility,
        "seats": table.seats,
        "seed": first.before.seed.hex(),
        "branched_from": table.branched_from.game_id if table.branched_from else None,
        "created_at": table.created_at,
    }


def _answer(each: Append, receipt: Receipt) -> dict[str, Any]:
    return {
        "game_id": each.game_id,
        "scope": receipt.game_id,
        "player_id": receipt.player_id,
        "operation": receipt.operation,
        "key": receipt.key,
        "body_hash": receipt.body_hash.hex(),
        "status": receipt.status,
        "body": b64encode(receipt.body).decode(),
    }


def _feed(each: Append, record: Recorded) -> dict[str, Any]:
    return {"game_id": each.game_id, "version": record.version, "type": record.event.type}


def _seats(table: Table) -> list[dict[str, Any]]:
    """Every seat as the projection shows it."""
    places = {place.seat: place for place in table.standing or ()}
    return [
        {
            "game_id": table.id,
            "seat": seat,
            "player_id": chair.player_id if chair else None,
            "bot": chair.bot if chair else None,
            "controller": chair.controller if chair else "player",
            "left_for_good": chair.left if chair else False,
            "place": places[seat].place if seat in places else None,
            "score": places[seat].score if seat in places else None,
        }
        for seat, chair in enumerate(table.chairs)
    ]


def _text(value: Any) -> str:
    return _encode(value).decode()
