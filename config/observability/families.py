"""Families of metrics: how they are declared, and how their children are found quickly.

Must live here: the registry and the declarations' form. Must not: any figure (see `figures`). Every family is described
by name, labels, unit and meaning; the README's table and the tests are made from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Literal, NamedTuple, TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from config.observability.labels import CLOSED, closed

M = TypeVar("M", Counter, Gauge, Histogram)

REGISTRY = CollectorRegistry()  # of this process
ProcessCollector(registry=REGISTRY)

FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)  # seconds
SLOW = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SIZES = (1, 2, 4, 8, 16, 32, 64)

Kind = Literal["counter", "gauge", "histogram"]


class Described(NamedTuple):
    """A family as people read about it; `name` is that of its samples (of a histogram, without `_bucket`)."""

    name: str
    kind: Kind
    labels: tuple[str, ...]
    unit: str
    meaning: str
    whole: bool  # of the whole installation, the same whichever process is asked


DESCRIBED: dict[str, Described] = {}


class Family(Generic[M]):
    """A metric's children by their labels' values; each is looked up in the library once and then kept."""

    def __init__(self, metric: M, labels: Sequence[str]) -> None:
        self._metric: M = metric
        self._labels = tuple(labels)
        self._children: dict[tuple[str, ...], M] = {}

    def __call__(self, *values: str) -> M:
        """The child of these values, in the order of the labels; what is not in a closed set counts as `other`."""
        child = self._children.get(values)
        if child is None:
            safe = tuple(closed(label, value) for label, value in zip(self._labels, values, strict=True))
            child = self._metric.labels(*safe)
            if safe == values:  # not for made-up values: those would pile up
                self._children[values] = child
        return child


def counter(name: str, meaning: str, *labels: str, unit: str) -> Counter:
    return Counter(describe(name, "counter", meaning, *labels, unit=unit), meaning, labels, registry=REGISTRY)


def gauge(name: str, meaning: str, *labels: str, unit: str) -> Gauge:
    return Gauge(describe(name, "gauge", meaning, *labels, unit=unit), meaning, labels, registry=REGISTRY)


def histogram(name: str, meaning: str, *labels: str, unit: str, buckets: Sequence[float]) -> Histogram:
    described = describe(name, "histogram", meaning, *labels, unit=unit)
    return Histogram(described, meaning, labels, buckets=buckets, registry=REGISTRY)


def describe(name: str, kind: Kind, meaning: str, *labels: str, unit: str, whole: bool = False) -> str:
    """Note a family down; its name."""
    assert name not in DESCRIBED, "one meaning for one name"
    assert all(label in CLOSED for label in labels), "every label has a closed set"
    DESCRIBED[name] = Described(name, kind, labels, unit, meaning, whole)
    return name
