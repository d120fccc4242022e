"""Replays and receipts kept in files: one JSON object, or one a line, as they are or compressed (`.gz`)."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from games.rules.proof.links import Receipt

SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
_LINKS = ("receipt", "link", "head")


class Unreadable(ValueError):
    """A file that does not hold what it should; the message says where."""


def files(folder: Path) -> list[Path]:
    """The files of replays in a folder and below, by name."""
    return sorted(path for path in folder.rglob("*") if path.name.endswith(SUFFIXES))


def replays(path: Path) -> Iterator[dict[str, Any]]:
    """The replays of a file. Raises Unreadable."""
    for value in _values(path):
        if not isinstance(value, dict):
            raise Unreadable(f"{path}: a replay is an object")
        yield value


def receipts(path: Path) -> list[tuple[str | None, Receipt]]:
    """Receipts with the game they belong to, if they say so. Raises Unreadable.

    As a client has them: `ack` messages or answers to moves (`version` and `receipt`), lines of exported heads
    (`game_id`, `version`, `head`), or pairs `[version, receipt]`; one a line, or all in one list.
    """
    found = []
    for value in _values(path):
        many = isinstance(value, list) and all(isinstance(each, list | dict) for each in value)
        found += [_receipt(path, each) for each in (value if many else [value])]
    return found


def _receipt(path: Path, value: Any) -> tuple[str | None, Receipt]:
    match value:
        case [int(version), str(link)]:
            return None, Receipt(version, link)
        case {"version": int(version)}:
            shown = next((value[name] for name in _LINKS if isinstance(value.get(name), str)), None)
            if shown is not None:
                return value.get("game_id"), Receipt(version, shown)
    raise Unreadable(f"{path}: no receipt: {value!r}")


def _values(path: Path) -> Iterator[Any]:
    """The whole file as one JSON value, or one value a line."""
    with gzip.open(path, "rb") if path.name.endswith(".gz") else path.open("rb") as file:
        if path.name.removesuffix(".gz").endswith(".jsonl"):
            yield from _lines(path, file)
            return
        text = file.read()
    try:
        yield msgspec.json.decode(text)
    except msgspec.DecodeError:
        yield from _lines(path, text.splitlines())


def _lines(path: Path, lines: Iterable[bytes]) -> Iterator[Any]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield msgspec.json.decode(line)
            except msgspec.DecodeError as error:
                raise Unreadable(f"{path}, line {number}: {error}") from None
