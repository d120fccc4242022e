"""The rulesets that players may choose from, in the language that they ask for."""

from __future__ import annotations

import msgspec
from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from config.wire import typed
from config.wire.languages import language_of
from config.wire.problems import Problem
from games.api.describing import described
from games.api.requests import Unasked
from games.services import catalogue
from games.services.catalogue import RulesetDetail

LIST = {"type": "array", "items": {"$ref": "#/components/schemas/RulesetDocument"}}


class Rulesets(APIView):
    permission_classes = (AllowAny,)

    @described("rulesets_list", LIST, path=(), tag="rulesets", public=True)
    def get(self, request: Request) -> HttpResponse:
        """Every ruleset with its seats and options."""
        typed.query(request, Unasked)
        return _localised(request, catalogue.every(language_of(request)))


class Ruleset(APIView):
    permission_classes = (AllowAny,)

    @described("rulesets_retrieve", RulesetDetail, path=("key",), tag="rulesets", refuses=["not-found"], public=True)
    def get(self, request: Request, key: str) -> HttpResponse:
        """One ruleset, its rules as Markdown included."""
        typed.query(request, Unasked)
        try:
            return _localised(request, catalogue.one(key, language_of(request)))
        except KeyError:
            raise Problem("not-found") from None


def _localised(request: Request, document: object) -> HttpResponse:
    response = HttpResponse(msgspec.json.encode(document), content_type="application/json")
    response["Content-Language"] = language_of(request)
    patch_vary_headers(response, ["Accept-Language"])
    return response
