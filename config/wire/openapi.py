"""What drf-spectacular must know of our types: msgspec structs as components, problems as the answer to refusals.

`@extend_schema(request=SomeStruct, responses={201: OtherStruct})` works; the refusals are added to every operation.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import orjson
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentIdentity, ResolvedComponent
from drf_spectacular.utils import OpenApiParameter

from config.wire.problems import STATUS

REF = "#/components/schemas/{name}"


class StructExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """A Struct class given to `extend_schema`; the structs that it names become components too."""

    target_class = "msgspec.Struct"
    match_subclasses = True

    def get_name(self, auto_schema: AutoSchema, direction: str) -> str:  # noqa: ARG002
        return str(self.target.__name__)

    def get_identity(self, auto_schema: AutoSchema, direction: str) -> ComponentIdentity:  # noqa: ARG002
        return _identity(_described(self.target)[0])

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:  # noqa: ARG002
        schema, others = _described(self.target)
        for name, other in others.items():
            component = ResolvedComponent(  # type: ignore[no-untyped-call]
                name=name, type=ResolvedComponent.SCHEMA, object=_identity(other), schema=other
            )
            auto_schema.registry.register_on_missing(component)
        return schema


@cache
def _described(kind: type[msgspec.Struct]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """The struct's own schema, and those of the structs that it names. Titles only repeat the components' names."""
    (own,), components = msgspec.json.schema_components([kind], ref_template=REF)
    plain = {
        name: {key: value for key, value in schema.items() if key != "title"} for name, schema in components.items()
    }
    return plain.pop(own["$ref"].rsplit("/", 1)[1]), plain


def _identity(schema: dict[str, Any]) -> ComponentIdentity:
    """Two structs of one name are told apart by what they hold."""
    return ComponentIdentity(orjson.dumps(schema, option=orjson.OPT_SORT_KEYS))  # type: ignore[no-untyped-call]


def parameters_of(kind: type[msgspec.Struct]) -> list[OpenApiParameter]:
    """The members of a struct that `config.wire.typed.query` reads, as query parameters."""
    described, _ = _described(kind)
    return [
        OpenApiParameter(name, schema, required=name in described.get("required", ()))
        for name, schema in described["properties"].items()
    ]


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "accounts.authentication.BearerToken"
    name = "bearer"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:  # noqa: ARG002
        return {"type": "http", "scheme": "bearer", "description": "The opaque token that an account endpoint gave."}


PROBLEM = {
    "type": "object",
    "description": "RFC 9457 problem details. Codes never change; some carry more members.",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "enum": sorted(STATUS)},
        "request_id": {"type": "string"},
        "errors": {
            "type": "object",
            "description": "`validation`: what is wrong, by member of the request",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
        "retry_after": {"type": "integer", "description": "`throttled`, `unavailable`: seconds"},
        "version": {"type": "integer", "description": "`stale-version`: the current version"},
        "reason": {"type": "string", "description": "`illegal-move`: the rule that was broken"},
    },
}


def add_problems(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:  # noqa: ARG001
    """Postprocessing hook: every operation refuses with a problem document."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {})["Problem"] = PROBLEM
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    components["responses"] = {"Problem": {"description": "Refused: see `code`", "content": content}}
    for path in result.get("paths", {}).values():
        for operation in path.values():
            if isinstance(operation, dict) and "responses" in operation:
                operation["responses"].setdefault("default", {"$ref": "#/components/responses/Problem"})
    return result
