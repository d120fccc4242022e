"""Kubernetes manifests: valid by Kubernetes' own schemas, and whatever one names in another is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate

from config.web import LAST_SECONDS
from tests.deploy.fault import Fault
from tests.deploy.kustomize import Broken, Resource, build, containers, pod

FOLDER = Path("deploy/kubernetes")
OWNER_SECRET, SECRETS = "repli-owner", {"repli-application", "repli-owner"}
SENSITIVE = ("PASSWORD", "SECRET", "TOKEN", "_KEY", "DATABASE_URL", "REDIS_URL", "BROKER_URL")
Built = list[tuple[Path, Resource]]


def faults(root: Path) -> Iterator[Fault]:
    folders = [root / FOLDER / "base", *sorted((root / FOLDER / "overlays").iterdir())]
    seen: set[Fault] = set()
    for folder in folders:
        try:
            built = build(folder)
        except Broken as broken:
            yield Fault(broken.file.resolve().relative_to(root.resolve()), broken.text)
            return
        for file, text in _all(built):
            fault = Fault(file.resolve().relative_to(root.resolve()), text)
            if fault not in seen:
                seen.add(fault)
                yield fault
        for file, resource in built if folder.name != "base" else ():
            for container in containers(resource):
                if ":" not in container["image"] or container["image"].endswith(":latest"):
                    yield Fault((folder / "kustomization.yaml").relative_to(root), f"no fixed tag: {file.name}")


def _all(built: Built) -> Iterator[tuple[Path, str]]:
    invalid = list(_invalid(built))
    yield from invalid
    if invalid:  # what follows takes valid ones for granted
        return
    for check in (_references, _selectors, _ports, _security, _ends):
        yield from check(built)


def _invalid(built: Built) -> Iterator[tuple[Path, str]]:
    version = kubernetes_validate.latest_version()
    for file, resource in built:
        try:
            kubernetes_validate.validate(resource, version, strict=True)
        except (
            kubernetes_validate.ValidationError,
            kubernetes_validate.SchemaNotFoundError,
            kubernetes_validate.InvalidSchemaError,
        ) as error:
            where = ".".join(map(str, getattr(error, "path", ())))
            yield file, f"{resource['kind']} {resource['metadata']['name']}: {where}: {error}".splitlines()[0]


def _names(built: Built, kind: str) -> set[str]:
    return {resource["metadata"]["name"] for _, resource in built if resource["kind"] == kind}


def _references(built: Built) -> Iterator[tuple[Path, str]]:
    """Config maps and service accounts are there; secrets are named, never written down."""
    for file, resource in built:
        if resource["kind"] == "Secret":
            yield file, "secrets are made outside, not kept here"
        for name, value in resource.get("data", {}).items() if resource["kind"] == "ConfigMap" else ():
            if any(word in name for word in SENSITIVE):
                yield file, f"{name} is a secret and stands in a config map"
            if not isinstance(value, str):
                yield file, f"{name} is not a string"
        template = pod(resource)
        if template is None:
            continue
        if template["spec"].get("serviceAccountName") not in _names(built, "ServiceAccount"):
            yield file, f"no service account {template['spec'].get('serviceAccountName')}"
        volumes = {volume["name"] for volume in template["spec"].get("volumes", ())}
        for container in containers(resource):
            for mount in container.get("volumeMounts", ()):
                if mount["name"] not in volumes:
                    yield file, f"no volume {mount['name']}"
            for source in container.get("envFrom", ()):
                if source.get("configMapRef", {}).get("name") not in _names(built, "ConfigMap"):
                    yield file, f"not from a config map that is there: {source}"
            for variable in container.get("env", ()):
                yield from ((file, text) for text in _variable(resource, variable))


def _variable(resource: Resource, variable: Any) -> Iterator[str]:
    secret = variable.get("valueFrom", {}).get("secretKeyRef")
    if secret is None:
        if any(word in variable["name"] for word in SENSITIVE):
            yield f"{variable['name']} is a secret and does not come from one"
    elif secret["name"] not in SECRETS:
        yield f"{variable['name']}: no secret {secret['name']} is described"
    elif secret["name"] == OWNER_SECRET and resource["kind"] != "Job":
        yield f"{variable['name']}: only the migrations may be the database's owner"


def _selectors(built: Built) -> Iterator[tuple[Path, str]]:
    """Deployments, services, budgets and policies mean pods that are there."""
    pods = [template["metadata"]["labels"] for _, each in built if (template := pod(each))]
    for file, resource in built:
        kind, spec = resource["kind"], resource.get("spec", {})
        wanted: list[Any] = []
        if kind == "Deployment":
            if not _chosen(spec["selector"], spec["template"]["metadata"]["labels"]):
                yield file, "the deployment's selector and its pods' labels differ"
            spreads = spec["template"]["spec"].get("topologySpreadConstraints", ())
            wanted = [each["labelSelector"] for each in spreads]
        elif kind == "Service":
            wanted = [{"matchLabels": spec["selector"]}]
        elif kind == "PodDisruptionBudget":
            wanted = [spec["selector"]]
        elif kind == "NetworkPolicy":
            wanted = [spec["podSelector"]]
        for selector in wanted:
            if not any(_chosen(selector, labels) for labels in pods):
                yield file, f"{kind} {resource['metadata']['name']} selects no pod"


def _chosen(selector: Any, labels: dict[str, str]) -> bool:
    same = all(labels.get(name) == value for name, value in selector.get("matchLabels", {}).items())
    expressions = selector.get("matchExpressions", ())
    return same and all(each["operator"] == "In" and labels.get(each["key"]) in each["values"] for each in expressions)


def _ports(built: Built) -> Iterator[tuple[Path, str]]:
    """Probes, services, policies and the ingress mean ports that are there."""
    named = {port["name"] for _, each in built for container in containers(each) for port in container.get("ports", ())}
    services = {
        each["metadata"]["name"]: {port["name"] for port in each["spec"]["ports"]}
        for _, each in built
        if each["kind"] == "Service"
    }
    for file, resource in built:
        for container in containers(resource):
            own = {port["name"] for port in container.get("ports", ())}
            for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
                port = container.get(probe, {}).get("httpGet", {}).get("port")
                if port is not None and port not in own:
                    yield file, f"{probe}: the container has no port {port}"
        for port in resource["spec"]["ports"] if resource["kind"] == "Service" else ():
            if port["targetPort"] not in named:
                yield file, f"no container has a port {port['targetPort']}"
        for each in resource["spec"].get("ingress", ()) if resource["kind"] == "NetworkPolicy" else ():
            for port in each.get("ports", ()):
                if port["port"] not in named:
                    yield file, f"no container has a port {port['port']}"
        for rule in resource["spec"]["rules"] if resource["kind"] == "Ingress" else ():
            for path in rule["http"]["paths"]:
                service = path["backend"]["service"]
                if service["port"]["name"] not in services.get(service["name"], ()):
                    yield file, f"{path['path']}: no service {service['name']} with a port {service['port']['name']}"


def _security(built: Built) -> Iterator[tuple[Path, str]]:
    for file, resource in built:
        template = pod(resource)
        if template is None:
            continue
        context = template["spec"].get("securityContext", {})
        if not context.get("runAsNonRoot") or context.get("seccompProfile", {}).get("type") != "RuntimeDefault":
            yield file, "the pod needs runAsNonRoot and the RuntimeDefault seccomp profile"
        if template["spec"].get("automountServiceAccountToken") is not False:
            yield file, "the pod gets a token of Kubernetes that it does not need"
        for container in containers(resource):
            own = container.get("securityContext", {})
            good: tuple[tuple[str, bool], ...] = (
                ("readOnlyRootFilesystem", own.get("readOnlyRootFilesystem") is True),
                ("allowPrivilegeEscalation", own.get("allowPrivilegeEscalation") is False),
                ("capabilities", own.get("capabilities", {}).get("drop") == ["ALL"]),
                ("resources.requests", set(container.get("resources", {}).get("requests", ())) == {"cpu", "memory"}),
                ("resources.limits.memory", "memory" in container.get("resources", {}).get("limits", ())),
            )
            for name, is_good in good:
                if not is_good:
                    yield file, f"{container['name']}: {name} is missing or lax"


def _ends(built: Built) -> Iterator[tuple[Path, str]]:
    """Probes are there, and nothing is killed while it is still letting its clients go."""
    (settings,) = (each["data"] for _, each in built if each["kind"] == "ConfigMap")
    drain = float(settings.get("REPLI_DRAIN_SECONDS", "10"))
    for file, resource in built:
        if resource["kind"] != "Deployment":
            continue
        spec = resource["spec"]["template"]["spec"]
        for container in spec["containers"]:
            role = container["args"][0]
            probes = {"startupProbe", "livenessProbe"} | ({"readinessProbe"} if role == "web" else set())
            for missing in sorted(probes - set(container)):
                yield file, f"{missing} is missing"
            if role == "web":
                stop = container.get("lifecycle", {}).get("preStop", {}).get("exec", {}).get("command", ["sleep", "0"])
                needed = drain + float(stop[-1]) + LAST_SECONDS
                if float(stop[-1]) <= 0:
                    yield file, "preStop: no pause before SIGTERM"
            else:
                needed = 60.0 if role == "worker" else 5.0
            if spec.get("terminationGracePeriodSeconds", 30) <= needed:
                yield file, f"terminationGracePeriodSeconds must be more than {needed:.0f}"
        if spec["containers"][0]["args"] == ["beat"] and resource["spec"]["strategy"] != {"type": "Recreate"}:
            yield file, "one beat ends before the next begins: strategy Recreate"
