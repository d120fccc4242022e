"""How strong each card is (gg.md, Cards). Suits do not matter, but the ace of diamonds stands alone at the top."""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.cards import Card, pack, rank

ORDER = "23456789TQJKA"  # the queen is below the jack
ORDER_WITH_MANILHA = "2345689TQJK7A"
HIGHEST: Card = "AD"  # beats every other ace, equals no card


def _strengths(order: str) -> dict[Card, int]:
    return {card: len(order) if card == HIGHEST else order.index(rank(card)) for card in pack()}


_PLAIN, _MANILHA = _strengths(ORDER), _strengths(ORDER_WITH_MANILHA)


def strengths(*, manilha: bool) -> Mapping[Card, int]:
    """Each card's height, 0 … 13; equal cards have the same. The joker has none until it is named."""
    return _MANILHA if manilha else _PLAIN
