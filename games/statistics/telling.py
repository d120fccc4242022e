"""A player's statistics as documents (OpenAPI: `players_statistics`)."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from games.rules.registry import ruleset
from games.services.documents import Document
from games.statistics.counting import Counts
from games.statistics.following import of_player


class Bids(Document, frozen=True, kw_only=True):
    """Bids of tricks that were scored, and how many of them were met."""

    made: int
    met: int


class Contract(Document, frozen=True, kw_only=True):
    """A contract's deals and points, all of them and those that the player declared."""

    contract: str
    deals: int
    points: int
    declared: int
    points_as_declarer: int


class RulesStatistics(Document, frozen=True, kw_only=True):
    """`places`: how often each place was taken. `more`: what the ruleset counts besides, such as `rounds.won`."""

    rules: str
    games: int
    wins: int
    places: dict[str, int]
    moves: int
    thinking_seconds: Annotated[float | None, Meta(description="average of a move; null without a move")]
    bids: Bids | None
    contracts: Annotated[list[Contract] | None, Meta(description="the most frequent first")]
    more: dict[str, int]


class PlayerStatistics(Document, frozen=True, kw_only=True):
    """Finished games that are no branches; moves that a bot made count for nobody."""

    player_id: str
    rulesets: list[RulesStatistics]


def statistics(player_id: UUID) -> PlayerStatistics:
    """Of a player, by ruleset, in alphabetical order of their keys; empty for whoever has finished no game."""
    found = of_player(str(player_id))
    told = [_told(rules, counts) for rules, counts in found.items() if _known(rules)]
    return PlayerStatistics(player_id=str(player_id), rulesets=told)


def export(player_id: UUID) -> list[dict[str, object]]:
    """The same for the account's export."""
    exported: list[dict[str, object]] = msgspec.to_builtins(statistics(player_id).rulesets)
    return exported


def _known(rules: str) -> bool:
    try:
        ruleset(rules)
    except KeyError:
        return False
    return True


def _told(rules: str, counts: Counts) -> RulesStatistics:
    moves = counts.get("moves", 0)
    own = {"games", "moves", "thinking_ms"}
    groups = ("places.", "bids.", "contracts.")
    return RulesStatistics(
        rules=rules,
        games=counts.get("games", 0),
        wins=counts.get("places.1", 0),
        places=_group(counts, "places."),
        moves=moves,
        thinking_seconds=round(counts["thinking_ms"] / moves / 1000, 2) if moves else None,
        bids=_bids(counts),
        contracts=_contracts(counts),
        more={key: count for key, count in counts.items() if key not in own and not key.startswith(groups)},
    )


def _group(counts: Counts, prefix: str) -> dict[str, int]:
    return {key.removeprefix(prefix): count for key, count in counts.items() if key.startswith(prefix)}


def _bids(counts: Counts) -> Bids | None:
    found = _group(counts, "bids.")
    return Bids(made=found.get("made", 0), met=found.get("met", 0)) if found else None


def _contracts(counts: Counts) -> list[Contract] | None:
    found = _group(counts, "contracts.")
    if not found:
        return None
    names = sorted({key.split(".")[0] for key in found})
    told = [
        Contract(
            contract=name,
            deals=found.get(f"{name}.deals", 0),
            points=found.get(f"{name}.points", 0),
            declared=found.get(f"{name}.declared", 0),
            points_as_declarer=found.get(f"{name}.points_as_declarer", 0),
        )
        for name in names
    ]
    return sorted(told, key=lambda each: (-each.declared, -each.deals, each.contract))
