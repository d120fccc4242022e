"""The clients' log against the tables, read directly: nothing acknowledged is lost, nothing stands twice or by half."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import psycopg

from tests.drills.journal import Command, Journal
from tests.servers import CHECKOUT


class Servers(Protocol):
    """A stack's addresses, as `servers.json` names them, and its data folder."""

    @property
    def servers(self) -> Mapping[str, str]: ...
    @property
    def data_dir(self) -> Path: ...


class Row(NamedTuple):
    """An event as it is stored."""

    game_id: str
    version: int
    type: str
    command_id: str | None
    mark: str  # of the append that it came with
    by: str | None  # who caused it, on the first event of an append
    hash: str


@dataclass(kw_only=True)
class Verdict:
    """What became of the commands."""

    acknowledged: int = 0
    refused: int = 0
    unknown_there: int = 0
    unknown_absent: int = 0
    repeated: int = 0  # commands that needed more than one attempt and stand once
    games: int = 0
    events: int = 0
    fate: dict[str, str] = field(default_factory=dict)  # by command: acknowledged, refused, there, absent
    broken: list[str] = field(default_factory=list)


class Tables:
    """The stored events and answers of some games."""

    def __init__(self, stack: Servers, game_ids: Sequence[str]) -> None:
        ids = list(game_ids)
        with psycopg.connect(stack.servers["superuser_database_url"]) as connection:
            found = connection.execute(
                "SELECT game_id::text, version, type, command_id, meta ->> 'append', meta -> 'cause' ->> 'by',"
                " encode(hash, 'hex') FROM games_event WHERE game_id = ANY(%s::uuid[]) ORDER BY game_id, version",
                [ids],
            )
            self.rows = [Row(*row) for row in found]
            self.games: dict[str, tuple[int, str]] = {
                game_id: (version, status)
                for game_id, version, status in connection.execute(
                    "SELECT id::text, version, status FROM games_game WHERE id = ANY(%s::uuid[])", [ids]
                )
            }
            self.answers: dict[tuple[str, str, str], dict[str, Any]] = {
                (game_id, player_id, key): json.loads(body)
                for game_id, player_id, key, body in connection.execute(
                    "SELECT game_id::text, player_id::text, key, body FROM games_receipt"
                    " WHERE operation = 'move' AND game_id = ANY(%s::uuid[])",
                    [ids],
                )
            }
        self.appends: dict[tuple[str, str], list[Row]] = defaultdict(list)
        self.commands: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for row in self.rows:
            self.appends[row.game_id, row.mark].append(row)
            if row.command_id is not None:
                self.commands[row.game_id, row.command_id].append(row)

    def at(self, game_id: str, version: int) -> Row | None:
        return next((row for row in self.rows if row.game_id == game_id and row.version == version), None)


def compare(journal: Journal, tables: Tables) -> Verdict:
    """Look at every command of the log, and at every stored append."""
    verdict = Verdict(games=len(tables.games), events=len(tables.rows))
    for command in journal.commands.values():
        _look(command, tables, verdict)
    verdict.broken += _streams(tables)
    asked = {(command.game_id, command.player_id, command.id) for command in journal.commands.values()}
    strange = tables.answers.keys() - asked
    verdict.broken += [f"an answer is kept that nobody asked for: {key}" for key in strange]
    return verdict


def _look(command: Command, tables: Tables, verdict: Verdict) -> None:
    standing = tables.commands.get((command.game_id, command.id), [])
    kept = tables.answers.get((command.game_id, command.player_id, command.id))
    name = f"{command.game_id}, command {command.id} ({command.outcome})"
    if len(standing) > 1:
        verdict.broken.append(f"{name} stands {len(standing)} times")
    if bool(standing) != (kept is not None):
        verdict.broken.append(f"{name}: events {len(standing)}, kept answers {int(kept is not None)}")
    if standing and kept is not None:
        verdict.broken += [f"{name}: {fault}" for fault in _halves(command, standing[0], kept, tables)]
    if standing and command.attempts > 1:
        verdict.repeated += 1
    match command.outcome:
        case "acknowledged":
            verdict.acknowledged += 1
            if not standing:
                verdict.broken.append(f"{name} is lost")
            if kept and (kept["version"], kept["receipt"]) != (command.version, command.receipt):
                verdict.broken.append(f"{name} was acknowledged otherwise than its answer is kept")
        case "refused":
            verdict.refused += 1
            if standing:
                verdict.broken.append(f"{name} was refused ({command.code}) and stands")
        case _:
            verdict.unknown_there += bool(standing)
            verdict.unknown_absent += not standing
    unknown = "there" if standing else "absent"
    verdict.fate[command.id] = command.outcome if command.outcome in {"acknowledged", "refused"} else unknown


def _halves(command: Command, first: Row, kept: dict[str, Any], tables: Tables) -> Iterable[str]:
    """Whether all that the kept answer names stands, from the version after the expected one on."""
    group = tables.appends[first.game_id, first.mark]
    versions = list(range(command.body["expected_version"] + 1, kept["version"] + 1))
    if [row.version for row in group] != versions or [event["seq"] for event in kept["events"]] != versions:
        yield f"its events are {[row.version for row in group]} instead of {versions}"
    elif [row.type for row in group] != [event["type"] for event in kept["events"]]:
        yield "its events are others than its answer says"
    if group[-1].hash != kept["receipt"]:
        yield "the chain's link is another one than its receipt"


def _streams(tables: Tables) -> Iterable[str]:
    """Versions without holes up to the game's own, and every append in one piece."""
    versions: dict[str, list[int]] = defaultdict(list)
    for row in tables.rows:
        versions[row.game_id].append(row.version)
    for game_id, (version, _status) in tables.games.items():
        if versions[game_id] != list(range(1, version + 1)):
            yield f"{game_id} is at version {version} with {len(versions[game_id])} events"
    for (game_id, mark), group in tables.appends.items():
        if [row.version for row in group] != list(range(group[0].version, group[-1].version + 1)):
            yield f"{game_id}: append {mark} stands in pieces"


def verify_events(stack: Servers) -> tuple[int, dict[str, Any]]:
    """`manage.py verify_events --json` on the stack's database: exit code and report."""
    code, said, words = command(stack, "verify_events", "--json")
    return code, json.loads(said) if said.strip() else {"said": words[-2000:]}


def command(stack: Servers, *arguments: str) -> tuple[int, str, str]:
    """A management command on the stack's servers: exit code, standard output, standard error."""
    found = stack.servers
    environment = os.environ | {"DATABASE_URL": found["database_url"], "REPLI_DATA_DIR": str(stack.data_dir)}
    environment |= {"REDIS_URL": found["redis_url"], "REPLI_PROCESS": "command"}
    environment["REPLI_PREPARED_STATEMENTS"] = found.get("repli_prepared_statements", "true")
    words = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(words, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr
