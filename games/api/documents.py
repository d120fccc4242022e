"""The OpenAPI document, and a page to read and try it. Made once per process: it depends on the code alone."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.wire.rest import JsonRenderer


class PlainYaml(OpenApiYamlRenderer):
    media_type = "application/yaml"


class Schema(APIView):
    """The OpenAPI document, as JSON or, if the client prefers it, YAML."""

    permission_classes = (AllowAny,)
    authentication_classes = ()
    renderer_classes = (JsonRenderer, OpenApiJsonRenderer, PlainYaml, OpenApiYamlRenderer)

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:  # noqa: ARG002  (DRF's signature)
        return Response(openapi())


class Docs(SpectacularSwaggerSplitView):
    """A page to read the API and try it; everything comes from this server, nothing stands inline."""

    authentication_classes = ()
    template_name = "games/docs.html"
    url = "/api/v1/schema/"


@cache
def openapi() -> dict[str, Any]:
    """The OpenAPI 3.1 document as plain values."""
    with override("en"):
        generated: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(generated))
    return plain
