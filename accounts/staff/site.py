"""The site itself: who comes in, and what stands on its first page beside the models."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path

from accounts.staff import deeds, listings
from config.wire.limits import address, spend

RECORDS = "records"
LEFT_OUT = {"password_change", "password_change_done", "jsi18n", "autocomplete", "view_on_site"}


class StaffSite(admin.AdminSite):
    site_header = "Repli"
    site_title = "Repli"
    index_title = "What is stored"
    site_url = None
    enable_nav_sidebar = False

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Logins count as those of players do, per address."""
        if request.method == "POST":
            spend("auth", address(request.META))
        return super().login(request, extra_context)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        own: list[URLPattern | URLResolver] = [
            path("records/<slug:name>/", self.admin_view(self.record), name="record"),
            path("deeds/<slug:name>/<uuid:target>/", self.admin_view(self.deed), name="deed"),
        ]
        return own + [url for url in super().get_urls() if getattr(url, "name", None) not in LEFT_OUT]

    def record(self, request: HttpRequest, name: str) -> HttpResponse:
        context = {**self.each_context(request), **listings.page(request, name)}
        return TemplateResponse(request, "staff/record.html", context)

    def deed(self, request: HttpRequest, name: str, target: UUID) -> HttpResponse:
        return deeds.page(request, name, target, self.each_context(request))

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """The models, then the plain tables, as one more app."""
        found: list[Any] = super().get_app_list(request, app_label)
        tables = [
            {
                "name": listing.title,
                "object_name": listing.name,
                "admin_url": listing.url,
                "add_url": None,
                "view_only": True,
                "perms": {"add": False, "change": False, "delete": False, "view": True},
            }
            for listing in listings.visible(request)
        ]
        if app_label in {None, RECORDS} and tables:
            found.append(
                {"name": "Records", "app_label": RECORDS, "app_url": "", "has_module_perms": True, "models": tables}
            )
        return found
