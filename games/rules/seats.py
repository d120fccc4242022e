"""Seats, and the way round the table. Clockwise is seat + 1 (rules/README.md, Shared vocabulary)."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TypeVar

T = TypeVar("T")

Seat = int
CLOCKWISE = 1
ANTICLOCKWISE = -1


def around(first: Seat, count: int, direction: int = CLOCKWISE) -> Iterator[Seat]:
    """Every seat once, from `first` on, in `direction`."""
    for step in range(count):
        yield (first + direction * step) % count


def following(seat: Seat, count: int, among: Container[Seat], direction: int = CLOCKWISE) -> Seat:
    """The next seat after `seat` that is in `among`; `seat` itself only if it is the last one left.

    Raises LookupError if `among` holds no seat of the table.
    """
    for step in range(1, count + 1):
        candidate = (seat + direction * step) % count
        if candidate in among:
            return candidate
    raise LookupError("no seat is left")


def put(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """Values by seat with another one at that seat."""
    changed = list(values)
    changed[seat] = value
    return tuple(changed)
