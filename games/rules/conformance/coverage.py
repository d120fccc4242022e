"""Which (option value, phase, refusal) the games of a run have met, out of those that they could have met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from games.rules.lifecycle import plain
from games.rules.registry import AnyRuleset

FEW = 12  # options with more values than this are grouped


class Cell(NamedTuple):
    option: str
    value: str
    phase: str
    refusal: str


class Coverage:
    """Counts per cell. `expect` and `met` speak of the game that `begin` announced last."""

    def __init__(self) -> None:
        self.counts: Counter[Cell] = Counter()
        self.expected: set[Cell] = set()
        self._values: list[tuple[str, str]] = []

    def begin(self, rules: AnyRuleset, options: Any) -> None:
        """A game with these options begins; all that they make possible is expected from now on."""
        self._values = list(option_values(rules, plain(options)))
        for phase, refusals in rules.refusals(options).items():
            for refusal in refusals:
                self.expected.update(Cell(name, value, phase, refusal) for name, value in self._values)

    def met(self, phase: str, refusal: str, times: int = 1) -> None:
        """Actions were refused in the present game."""
        for name, value in self._values:
            self.counts[Cell(name, value, phase, refusal)] += times

    def add(self, other: Coverage) -> None:
        """Join the counts of another run."""
        self.counts.update(other.counts)
        self.expected |= other.expected

    @property
    def unmet(self) -> list[Cell]:
        return sorted(cell for cell in self.expected if not self.counts[cell])

    def columns(self) -> list[tuple[str, str]]:
        """Every (phase, refusal) that was expected or met."""
        return sorted({(cell.phase, cell.refusal) for cell in self.expected | set(self.counts)})

    def rows(self) -> Iterator[tuple[str, str, list[str]]]:
        """Option, value and one entry per column: a count, or a dash where the options rule it out."""
        cells = self.expected | set(self.counts)
        for option, value in sorted({(cell.option, cell.value) for cell in cells}, key=_row_order):
            row = [Cell(option, value, phase, refusal) for phase, refusal in self.columns()]
            yield option, value, [str(self.counts[cell]) if cell in cells else "–" for cell in row]


def _row_order(row: tuple[str, str]) -> tuple[str, int, str]:
    option, value = row
    return option, int(value) if value.isdecimal() else -1, value


def option_values(rules: AnyRuleset, options: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """The (option, value) pairs of a game; lists and objects count per element, numbers of wide ranges in groups."""
    return _values(options, option_schemas(rules))


def _values(options: Mapping[str, Any], schemas: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in options.items():
        schema = schemas.get(name, {})
        if isinstance(value, list):
            yield from ((prefix + name, str(element)) for element in value or ["(empty)"])
        elif isinstance(value, dict):
            yield from _values(value, schema.get("properties", {}), f"{prefix}{name}.")
        else:
            yield prefix + name, _label(value, schema)


def option_schemas(rules: AnyRuleset) -> dict[str, dict[str, Any]]:
    """The JSON Schema of each option, its references resolved."""
    schema = msgspec.json.schema(rules.options_type)
    definitions: dict[str, Any] = schema.get("$defs", {})
    resolved: dict[str, dict[str, Any]] = _resolved(schema, definitions)["properties"]
    return resolved


def _resolved(schema: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(schema, dict):
        if "$ref" in schema:
            target = definitions[schema["$ref"].rsplit("/", 1)[-1]]
            return _resolved(target, definitions) | {name: part for name, part in schema.items() if name != "$ref"}
        return {name: _resolved(part, definitions) for name, part in schema.items()}
    return [_resolved(part, definitions) for part in schema] if isinstance(schema, list) else schema


def _label(value: Any, schema: Mapping[str, Any]) -> str:
    if isinstance(value, bool) or not isinstance(value, int):
        return str(value).lower()
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None or high is None or high - low < FEW:
        return str(value)
    if value in (low, high):
        return str(value)
    return "default" if value == schema.get("default") else "between"
