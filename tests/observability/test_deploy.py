"""Dashboard and alerts ask for figures that there are, by labels that they have and values that these may take."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import promql_parser as promql
import pytest
import yaml

from config.environment import ROOT
from config.observability.families import DESCRIBED
from config.observability.http import routes
from config.observability.labels import CLOSED, OTHER
from games.ws import socket

FOLDER = ROOT / "deploy" / "observability"
BY_PROMETHEUS = {"instance", "job"}
OF_OTHERS: dict[str, set[str]] = {
    "up": set(),
    "process_cpu_seconds_total": set(),
    "process_resident_memory_bytes": set(),
}
VARIABLES = {"$__rate_interval": "5m"}  # Grafana's
PLAIN = {"type": "string", "pattern": r"^[A-Z][^{}]*$"}

RULES = {
    "type": "object",
    "additionalProperties": False,
    "required": ["groups"],
    "properties": {
        "groups": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name", "rules"],
                "properties": {
                    "name": {"type": "string", "pattern": "^repli-[a-z]+$"},
                    "rules": {
                        "type": "array",
                        "minItems": 1,
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": ["alert", "expr", "labels", "annotations"],
                            "properties": {
                                "alert": {"type": "string", "pattern": "^Repli[A-Z][A-Za-z]+$"},
                                "expr": {"type": "string"},
                                "for": {"type": "string", "pattern": "^[0-9]+[smh]$"},
                                "labels": {
                                    "type": "object",
                                    "additionalProperties": False,
                                    "required": ["severity"],
                                    "properties": {"severity": {"enum": ["page", "warn"]}},
                                },
                                "annotations": {
                                    "type": "object",
                                    "additionalProperties": False,
                                    "required": ["summary", "runbook"],
                                    "properties": {"summary": PLAIN, "runbook": PLAIN},
                                },
                            },
                        },
                    },
                },
            },
        }
    },
}


def rules() -> list[dict[str, Any]]:
    document = yaml.safe_load((FOLDER / "alerts.yaml").read_text("utf-8"))
    jsonschema.validate(document, RULES)
    return [rule for group in document["groups"] for rule in group["rules"]]


def dashboard() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "dashboard.json").read_text("utf-8"))
    return found


def queries() -> Iterator[tuple[str, str, str]]:
    """(where it stands, the expression, the legend)."""
    for rule in rules():
        yield rule["alert"], rule["expr"], ""
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", ()):
            yield panel["title"], target["expr"], target["legendFormat"]


def nodes(expression: Any) -> list[Any]:
    found: list[Any] = []
    promql.walk(expression, found.append)
    return found


def labels_of(series: str) -> set[str] | None:
    """The labels of what a query calls by that name; None if there is nothing of that name."""
    if series in OF_OTHERS:
        return OF_OTHERS[series]
    if series in DESCRIBED and DESCRIBED[series].kind != "histogram":
        return set(DESCRIBED[series].labels)
    for ending, more in (("_bucket", {"le"}), ("_sum", set()), ("_count", set())):
        family = DESCRIBED.get(series.removesuffix(ending)) if series.endswith(ending) else None
        if family is not None and family.kind == "histogram":
            return {*family.labels, *more}
    return None


def faults(query: str) -> Iterator[str]:
    assert socket.PROTOCOL, "loaded: it knows the close codes"
    routes()
    for name, value in VARIABLES.items():
        query = query.replace(name, value)
    expression = promql.parse(query)
    for node in nodes(expression):
        if isinstance(node, promql.VectorSelector):
            yield from _of_series(node)
        elif isinstance(node, promql.AggregateExpr) and node.modifier is not None:
            for series in (each for each in nodes(node.expr) if isinstance(each, promql.VectorSelector)):
                unknown = set(node.modifier.labels) - (labels_of(str(series.name)) or set()) - BY_PROMETHEUS
                yield from (f"{series.name} has no label {label}" for label in sorted(unknown))


def _of_series(series: Any) -> Iterator[str]:
    labels = labels_of(series.name)
    if labels is None:
        yield f"there is no {series.name}"
        return
    for matcher in series.matchers.matchers:
        if matcher.name in BY_PROMETHEUS:
            continue
        if matcher.name not in labels:
            yield f"{series.name} has no label {matcher.name}"
        else:
            words = set(matcher.value.split("|"))
            yield from (f"{matcher.name} is never {word}" for word in words - CLOSED[matcher.name] - {OTHER})


@pytest.mark.parametrize("where,query,legend", list(queries()))
def test_every_query_asks_for_what_there_is(where: str, query: str, legend: str) -> None:
    assert list(faults(query)) == [], where
    assert set(re.findall(r"\{\{(\w+)\}\}", legend)) <= {label for label in CLOSED if label in query} | BY_PROMETHEUS


@pytest.mark.parametrize(
    "query,fault",
    [
        ("rate(repli_move_total[5m])", "there is no repli_move_total"),
        ("repli_append_seconds", "there is no repli_append_seconds"),
        ("sum by (game) (repli_sockets)", "repli_sockets has no label game"),
        ('repli_sockets{player="x"}', "repli_sockets has no label player"),
        ('repli_sockets{kind="games"}', "kind is never games"),
    ],
)
def test_a_query_for_what_there_is_not_is_noticed(query: str, fault: str) -> None:
    assert list(faults(query)) == [fault]


def test_every_alert_has_its_section_in_the_runbook() -> None:
    names = [rule["alert"] for rule in rules()]
    sections = re.findall(r"^## (\w+)$", (FOLDER / "RUNBOOK.md").read_text("utf-8"), re.MULTILINE)

    assert sections == names
    for rule in rules():
        assert f"RUNBOOK.md, {rule['alert']}." in rule["annotations"]["runbook"]


def test_every_figure_is_on_the_dashboard() -> None:
    asked = " ".join(query for _, query, _ in queries())

    assert [name for name in DESCRIBED if name not in asked] == []


def test_the_dashboard_can_be_imported() -> None:
    found = dashboard()
    panels = found["panels"]

    assert len({panel["id"] for panel in panels}) == len(panels)
    assert {panel["type"] for panel in panels} == {"row", "stat", "timeseries"}
    places = [panel["gridPos"] for panel in panels]
    assert all(place["x"] + place["w"] <= 24 for place in places)
    assert all(
        target["datasource"]["uid"] == "${datasource}" for panel in panels for target in panel.get("targets", ())
    )


def test_the_example_scrapes_what_is_served() -> None:
    document = yaml.safe_load((FOLDER / "prometheus.yaml").read_text("utf-8"))

    assert document["rule_files"] == ["alerts.yaml"]
    assert [job["job_name"] for job in document["scrape_configs"]] == ["repli-web", "repli-worker"]
    assert all("metrics_path" not in job for job in document["scrape_configs"]), "/metrics is Prometheus' own default"
