"""As much of kustomize as our own files use, so that they can be checked where it is not installed.

Resources and folders of them, merging patches, images, replicas, namespace, labels; anything else is refused, as is a
patch of a list that kustomize would merge by name. `test_deploy.py` compares with the real one where that is there.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

Resource = dict[str, Any]
CLUSTER_WIDE = {"Namespace"}
REPLACED_LISTS = {"ingress", "egress", "args", "command", "rules", "tls"}


class Broken(Exception):
    """A kustomization that cannot be built: the file and why."""

    def __init__(self, file: Path, text: str) -> None:
        super().__init__(f"{file}: {text}")
        self.file, self.text = file, text


def build(folder: Path) -> list[tuple[Path, Resource]]:
    """The resources with the file that each came from. Raises Broken."""
    file = folder / "kustomization.yaml"
    given = load(file)
    unknown = set(given) - set(STEPS) - {"apiVersion", "kind", "resources"}
    if unknown:
        raise Broken(file, f"not understood: {', '.join(sorted(unknown))}")
    found: list[tuple[Path, Resource]] = []
    for name in given.get("resources", ()):
        path = (folder / name).resolve()
        if path.is_dir():
            found += build(path)
        elif path.is_file():
            found += [(path, document) for document in _documents(path)]
        else:
            raise Broken(file, f"{name} is not there")
    listed = {str(name) for name in (*given.get("resources", ()), *(each["path"] for each in given.get("patches", ())))}
    for beside in sorted(folder.glob("*.yaml")):
        if beside.name != "kustomization.yaml" and beside.name not in listed:
            raise Broken(file, f"{beside.name} is not listed")
    for key, step in STEPS.items():
        for argument in [given[key]] if key == "namespace" and key in given else given.get(key, ()):
            step(file, found, argument)
    return found


def load(file: Path) -> Resource:
    (document,) = _documents(file)
    return document


def _documents(file: Path) -> list[Resource]:
    try:
        documents = list(yaml.safe_load_all(file.read_text("utf-8")))
    except (OSError, yaml.YAMLError) as error:
        raise Broken(file, str(error)) from None
    if not all(isinstance(each, dict) and "kind" in each for each in documents):
        raise Broken(file, "a document is no resource")
    return documents


def _patch(file: Path, found: list[tuple[Path, Resource]], argument: Any) -> None:
    patch = load(file.parent / argument["path"])
    for index, (source, resource) in enumerate(found):
        if _identity(resource) == _identity(patch):
            found[index] = source, _merged(file.parent / argument["path"], resource, patch)
            return
    raise Broken(file.parent / argument["path"], f"there is no {' '.join(_identity(patch))} to patch")


def _merged(file: Path, old: Any, new: Any, key: str = "") -> Any:
    if isinstance(old, dict) and isinstance(new, dict):
        result = dict(old)
        for name, value in new.items():
            result[name] = _merged(file, old[name], value, name) if name in old else copy.deepcopy(value)
        return result
    if isinstance(new, list) and key not in REPLACED_LISTS:
        raise Broken(file, f"the list {key} would be merged by name, which this check does not do")
    return copy.deepcopy(new)


def _image(file: Path, found: list[tuple[Path, Resource]], argument: Any) -> None:
    hit = False
    for _, resource in found:
        for container in containers(resource):
            if container["image"] == argument["name"]:
                container["image"] = f"{argument.get('newName', argument['name'])}:{argument['newTag']}"
                hit = True
    if not hit:
        raise Broken(file, f"no container has the image {argument['name']}")


def _replicas(file: Path, found: list[tuple[Path, Resource]], argument: Any) -> None:
    for _, resource in found:
        if resource["kind"] == "Deployment" and resource["metadata"]["name"] == argument["name"]:
            resource["spec"]["replicas"] = argument["count"]
            return
    raise Broken(file, f"there is no deployment {argument['name']}")


def _namespace(_file: Path, found: list[tuple[Path, Resource]], argument: str) -> None:
    for _, resource in found:
        if resource["kind"] not in CLUSTER_WIDE:
            resource["metadata"]["namespace"] = argument


def _labels(_file: Path, found: list[tuple[Path, Resource]], argument: Any) -> None:
    for _, resource in found:
        resource["metadata"].setdefault("labels", {}).update(argument["pairs"])


STEPS: dict[str, Callable[[Path, list[tuple[Path, Resource]], Any], None]] = {
    "patches": _patch,
    "labels": _labels,
    "images": _image,
    "replicas": _replicas,
    "namespace": _namespace,
}


def _identity(resource: Resource) -> tuple[str, str]:
    return resource["kind"], resource["metadata"]["name"]


def pod(resource: Resource) -> Resource | None:
    """The pod's template of a workload."""
    return resource["spec"]["template"] if resource["kind"] in {"Deployment", "Job", "StatefulSet"} else None


def containers(resource: Resource) -> list[Resource]:
    template = pod(resource)
    return [*template["spec"].get("initContainers", ()), *template["spec"]["containers"]] if template else []
