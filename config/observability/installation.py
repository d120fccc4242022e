"""Figures of the whole installation, read when somebody scrapes: from the database, Valkey and the broker.

Must live here: the bounds. A source is read in a thread of its own, its answer is kept for a moment, and nobody waits
longer than `PATIENCE` for all of them together; a source that is away or slow costs its own figures alone, and
`repli_source_up` says so. However often and by however many one scrapes, a source is asked once at a time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from typing import NamedTuple

import structlog
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from config.observability import labels
from config.observability.families import DESCRIBED, REGISTRY, describe

log = structlog.get_logger(__name__)

PATIENCE = 2.0  # seconds, for all sources together
FRESH = 2.0  # seconds that an answer is good for

UP = describe(
    "repli_source_up",
    "gauge",
    "1 if the source of the installation's figures answered this scrape, else 0: then its figures are missing",
    "source",
    unit="0 or 1",
    whole=True,
)


class Sample(NamedTuple):
    """One value of a family that was described with `whole`; labels in the family's order."""

    name: str
    labels: tuple[str, ...]
    value: float


class _Source:
    def __init__(self, name: str, read: Callable[[], Iterable[Sample]]) -> None:
        self.name = name
        self._read = read
        self._threads = ThreadPoolExecutor(1, thread_name_prefix=f"metrics-{name}")
        self._lock = threading.Lock()
        self._asked: Future[list[Sample] | None] | None = None
        self._good_until = 0.0

    def ask(self) -> Future[list[Sample] | None]:
        """The present answer, one that is still fresh, or one that somebody is waiting for already."""
        with self._lock:
            asked = self._asked
            if asked is None or (asked.done() and time.monotonic() >= self._good_until):
                asked = self._asked = self._threads.submit(self._answer)
            return asked

    def _answer(self) -> list[Sample] | None:
        """None where the source is away, whatever the reason: a scrape must never fail."""
        try:
            found = list(self._read())
        except Exception as error:  # noqa: BLE001
            log.debug("figures not read", source=self.name, error=type(error).__name__)
            found = None
        self._good_until = time.monotonic() + FRESH
        return found


_sources: dict[str, _Source] = {}


def add(name: str, read: Callable[[], Iterable[Sample]]) -> None:
    """Let `read` be called at scrapes, in a thread; it must have time limits of its own and close what it opens."""
    labels.add("source", [name])
    _sources[name] = _Source(name, read)


def forget_answers() -> None:
    """Ask anew at the next scrape (tests)."""
    for source in _sources.values():
        source._good_until = 0.0  # noqa: SLF001  (of this very module)


class _Installation(Collector):
    """Tells the samples by family. Blocks for `PATIENCE` at most: not to be called in an event loop."""

    def collect(self) -> Iterator[Metric]:
        asked = {name: source.ask() for name, source in _sources.items()}
        wait_for(asked.values(), timeout=PATIENCE)
        answers = {name: future.result() if future.done() else None for name, future in asked.items()}
        samples = [Sample(UP, (name,), float(found is not None)) for name, found in answers.items()]
        samples += [sample for found in answers.values() for sample in found or ()]
        yield from _by_family(samples)

    def describe(self) -> Iterator[Metric]:
        yield from _by_family(())


def _by_family(samples: Iterable[Sample]) -> Iterator[Metric]:
    families = {
        each.name: GaugeMetricFamily(each.name, each.meaning, labels=each.labels)
        for each in DESCRIBED.values()
        if each.whole
    }
    for name, values, value in samples:
        safe = [labels.closed(label, word) for label, word in zip(DESCRIBED[name].labels, values, strict=True)]
        families[name].add_metric(safe, value)
    yield from families.values()


REGISTRY.register(_Installation())
