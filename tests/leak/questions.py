"""What a viewer who wants to know more tries at the end: every road of the API, allowed or not, over both transports.

Questions are made from the first world and asked literally in both, so an attempt that only one of them accepts is
a difference like any other. None of them may move the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.rules import play
from games.rules.errors import Invalid, Refusal
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.table import Table
from tests.leak.playing import wire
from tests.leak.trial import Act, Message, Question, Reopened, Request, Viewer

TRIED = 400  # attempts looked at, of which so many are sent:
SENT = 8
REPEATS = 2  # of each transport
OVER = ("finished", "aborted")


def questions(viewer: Viewer, table: Table, moves: list[Act], noise: Stream) -> list[Question]:
    """All that is tried; `moves` are the viewer's own, with the version they were made at as `wait`."""
    path = f"games/{table.id}/"
    asked: list[Question] = [*_looks(path, table, noise), *_lists(), *_hosts(path, table)]
    if viewer.token is None:
        return asked
    asked += [Reopened(""), Reopened("?after=0"), Reopened(f"?after={noise.below(table.version)}")]
    attempts = list(_refused(viewer.seat, table, noise))
    for number, body in enumerate(attempts):
        asked.append(Request("POST", f"{path}moves/", body, f"try-{number}"))
        asked.append(_message(f"again-{number}", body))
    if attempts:
        asked.append(Request("POST", f"{path}moves/", attempts[0], None))
    return [*asked, *_repeated(path, moves, attempts, noise)]


def _looks(path: str, table: Table, noise: Stream) -> Iterator[Request]:
    yield Request("GET", path)
    yield Request("HEAD", path)
    yield Request("GET", f"{path}events/?limit=200")
    yield Request("GET", f"{path}events/?after={max(0, table.version - 150)}&limit=200")
    yield Request("GET", f"{path}events/?after={noise.below(table.version)}&limit=3")
    yield Request("GET", f"{path}state/")
    for _ in range(3):
        yield Request("GET", f"{path}state/?at={noise.below(table.version + 1)}")
    yield Request("GET", f"{path}state/?at={table.version + 1}")
    yield Request("GET", f"{path}fairness/")
    if table.status not in OVER:  # afterwards it opens everything
        yield Request("GET", f"{path}replay/")
        for eyes in ("open", "spectator", "0", "1"):
            yield Request("GET", f"{path}replay/moves/?eyes={eyes}")
            yield Request("GET", f"{path}replay/states/?eyes={eyes}&limit=200")


def _lists() -> Iterator[Request]:
    yield Request("GET", "games/?limit=1")  # ours is the newest
    yield Request("GET", "games/?limit=1&mine=true")
    yield Request("GET", "accounts/me/export/")


def _hosts(path: str, table: Table) -> Iterator[Request]:
    """What is too late or too early, and what belongs to others."""
    yield Request("POST", f"{path}start/", None, "late")
    yield Request("POST", f"{path}seats/", {}, "late")
    yield Request("PUT", f"{path}seats/mine/", {"client_seed": "late"})
    yield Request("PUT", f"{path}seats/1/bot/", {"level": "hard"})
    yield Request("DELETE", f"{path}seats/1/bot/")
    yield Request("DELETE", f"{path}seats/1/")
    yield Request("PATCH", path, {"options": {}})
    if table.status not in OVER:
        yield Request("POST", f"{path}branch/", {"at": table.version, "seat": 0}, "early")
        yield Request("POST", f"{path}rematch/", None, "early")


def _refused(seat: Seat | None, table: Table, noise: Stream) -> Iterator[dict[str, Any]]:
    """Moves that will be refused, for many reasons."""
    yield {"action": {"type": "nonsense"}}
    yield {"action": {"type": "nonsense"}, "expected_version": table.version - 1}
    if table.status != "playing":
        return
    rules = table.ruleset
    view = rules.view(table.state, seat)
    if seat is None:
        actions = [wire(action) for action in rules.legal_actions(rules.view(table.state, table.to_act[0]))[:2]]
        yield from ({"action": action} for action in actions)
        return
    if legal := rules.legal_actions(view):
        yield {"action": wire(legal[0]), "expected_version": table.version - 1}
    tried = [probe for probe, _ in zip(rules.probes(view), range(TRIED), strict=False)]
    by_reason: dict[str, list[dict[str, Any]]] = {}
    for action in noise.shuffled(tried):
        if (reason := _reason(table, seat, action)) is not None:
            by_reason.setdefault(reason, []).append(action)
    waiting = [actions[:SENT] for _, actions in sorted(by_reason.items())]
    for _ in range(SENT):
        waiting = [actions for actions in waiting if actions]
        if not waiting:
            return
        yield {"action": waiting[noise.below(len(waiting))].pop()}


def _reason(table: Table, seat: Seat, action: dict[str, Any]) -> str | None:
    """Why the rules refuse it; None if they do not."""
    try:
        parsed = table.ruleset.parse_action(action, table.options, table.seats)
        assert table.at is not None
        play.act(table, seat, parsed, bytes(32), table.at)
    except Invalid:
        return "invalid"
    except Refusal as refusal:
        return refusal.code
    return None


def _repeated(path: str, moves: list[Act], attempts: list[dict[str, Any]], noise: Stream) -> Iterator[Question]:
    """Moves that were made, once more by either transport, and their keys with another body."""
    for move in noise.shuffled(moves)[:REPEATS]:
        key = f"move-{move.wait}"
        body = {"action": move.action} | ({"expected_version": move.wait} if move.expecting else {})
        yield Request("POST", f"{path}moves/", body, key)
        yield _message(key, body)
        if attempts:
            yield Request("POST", f"{path}moves/", attempts[-1], key)


def _message(command_id: str, body: dict[str, Any]) -> Message:
    return Message({"type": "move", "command_id": command_id, **body})
