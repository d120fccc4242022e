"""Reading `/metrics` as Prometheus does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families

from config.observability import installation
from config.observability.exposition import rendered
from config.observability.families import DESCRIBED
from config.observability.http import routes
from config.observability.labels import CLOSED, NONE, OTHER

LIBRARY = ("process_",)  # families that the library brings along; they have no labels
ENDINGS = ("_bucket", "_count", "_sum", "_created")


class Series(NamedTuple):
    name: str
    labels: tuple[tuple[str, str], ...]


class Scrape(dict[Series, float]):
    """Values by series."""

    def value(self, name: str, **labels: str) -> float:
        """The sum over all series of that name with these labels; 0 where there is none."""
        wanted = set(labels.items())
        return sum(value for series, value in self.items() if series.name == name and wanted <= set(series.labels))

    def has(self, name: str, **labels: str) -> bool:
        wanted = set(labels.items())
        return any(series.name == name and wanted <= set(series.labels) for series in self)


def parsed(text: str) -> Scrape:
    return Scrape(
        {
            Series(sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }
    )


def of_this_process() -> Scrape:
    """What this process would answer now; may wait for the installation's sources."""
    installation.forget_answers()
    return parsed(rendered("")[0].decode())


def of(url: str) -> Scrape:
    """What the process at that address answers."""
    with urlopen(f"{url}/metrics", timeout=10) as answer:
        assert answer.status == 200
        return parsed(answer.read().decode())


def faults(scrape: Scrape) -> Iterator[str]:
    """Every series that is not described, or has a label value out of the closed sets."""
    routes()  # makes them known
    for series in scrape:
        if series.name.startswith(LIBRARY):
            if series.labels:
                yield f"{series}: labels"
            continue
        family = DESCRIBED.get(without_ending(series.name))
        labels = {name: value for name, value in series.labels if name != "le"}
        if family is None:
            yield f"{series}: not described"
        elif set(labels) != set(family.labels):
            yield f"{series}: other labels than described"
        else:
            yield from (
                f"{series}: {name}" for name, value in labels.items() if value not in CLOSED[name] | {OTHER, NONE}
            )


def without_ending(name: str) -> str:
    for ending in ENDINGS:
        stem = name.removesuffix(ending)
        if stem != name and (stem in DESCRIBED or f"{stem}_total" in DESCRIBED):
            return stem if stem in DESCRIBED else f"{stem}_total"
    return name
