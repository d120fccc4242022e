"""Models in the admin that can be looked at: a list that is searched, and one page each. Nothing else has an address.

Invariant: a query cannot ask about columns that are not shown. Django's admin lets `?column__startswith=` through for
every column of a model, which would tell the seed of a running game letter by letter; here no such lookup is allowed.
"""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.functional import cached_property

MOST_COUNTED = 10_000


class Bounded(Paginator):  # type: ignore[type-arg]
    """Counts so far and no further: a count of all games would look at every one."""

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        counted: int = rows.order_by()[:MOST_COUNTED].count()
        return counted


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """Subclasses name the list's columns, search, and make the page of one object."""

    actions = None
    list_filter: ClassVar[
        tuple[type[admin.SimpleListFilter], ...]
    ] = ()  # made by `choices`, which look at known values only
    list_per_page = 50
    list_max_show_all = 50
    ordering = ("-id",)
    paginator = Bounded
    show_facets = admin.ShowFacets.NEVER
    show_full_result_count = False
    sortable_by = ()

    def sections(self, request: HttpRequest, target: UUID) -> dict[str, Any] | None:
        """What `staff/object.html` shows of an object; None where there is none."""
        raise NotImplementedError

    def page(self, request: HttpRequest, target: UUID) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        sections = self.sections(request, target)
        if sections is None:
            raise Http404
        context = {**self.admin_site.each_context(request), "opts": self.opts, **sections}
        return TemplateResponse(request, "staff/object.html", context)

    def get_urls(self) -> list[URLPattern]:
        inside = self.admin_site.admin_view
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        return [
            path("", inside(self.changelist_view), name=f"{name}_changelist"),
            path("<uuid:target>/", inside(self.page), name=f"{name}_change"),
        ]

    def has_add_permission(self, *_args: Any, **_named: Any) -> bool:
        return False

    def has_change_permission(self, *_args: Any, **_named: Any) -> bool:
        return False

    def has_delete_permission(self, *_args: Any, **_named: Any) -> bool:
        return False

    def lookup_allowed(self, lookup: str, _value: str, request: Any) -> bool:  # noqa: ARG002  (Django looks for it)
        return lookup in {each.parameter_name for each in self.list_filter}

    def to_field_allowed(self, _request: HttpRequest, to_field: str) -> bool:
        return to_field == "id"


def choices(parameter: str, *values: str) -> type[admin.SimpleListFilter]:
    """A filter by a column's known values, without a look at the table for which there are."""

    def lookups(*_args: Any) -> list[tuple[str, str]]:
        return [(value, value) for value in values]

    def queryset(self: admin.SimpleListFilter, _request: HttpRequest, rows: Any) -> Any:
        return rows.filter(**{parameter: self.value()}) if self.value() in values else rows

    members = {"title": parameter, "parameter_name": parameter, "lookups": lookups, "queryset": queryset}
    return type(f"By{parameter.title()}", (admin.SimpleListFilter,), members)
