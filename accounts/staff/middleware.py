"""Sessions, logins and messages for the admin alone: the API has tokens, and pays nothing for any of these."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

PREFIX = "/admin/"


class _AdminOnly(MiddlewareMixin):
    def __call__(self, request: HttpRequest) -> Any:
        if request.path_info.startswith(PREFIX):
            return super().__call__(request)
        return self.get_response(request)


class Sessions(_AdminOnly, SessionMiddleware):
    """The cookie goes over TLS only, once it was given out over TLS."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        answer = super().process_response(request, response)
        for cookie in answer.cookies.values():
            cookie["secure"] = request.is_secure()
        return answer


class Authentication(_AdminOnly, AuthenticationMiddleware):
    pass


class Messages(_AdminOnly, MessageMiddleware):
    pass
