"""What the OpenAPI document says beyond our own views: the rulesets' types, and what each operation may refuse with."""

from __future__ import annotations

from typing import Any

from config.wire.problems import STATUS
from games.api.describing import CODES
from games.services.catalogue import RulesetDocument
from games.services.schemas import REF, of_rulesets, of_structs, place_unions


def add_rulesets(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:  # noqa: ARG001
    """Postprocessing hook: rulesets as components, and every refusal that an operation names as a response."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas |= {**of_rulesets(), **of_structs(RulesetDocument)}
    place_unions(schemas)
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    for path in result.get("paths", {}).values():
        for operation in path.values():
            if isinstance(operation, dict):
                _name_refusals(operation)
    return result


def _name_refusals(operation: dict[str, Any]) -> None:
    by_status: dict[str, list[str]] = {}
    for code in operation.pop(CODES, ()):
        by_status.setdefault(str(STATUS[code]), []).append(code)
    content = {"application/problem+json": {"schema": {"$ref": f"{REF}Problem"}}}
    for status, codes in sorted(by_status.items()):
        described = {"description": " · ".join(f"`{code}`" for code in codes), "content": content}
        operation["responses"].setdefault(status, described)
