"""What staff may do: a page that says what will happen, asks for a reason, and does it through a service.

Must not: writing of its own. Each service writes its row into the audit together with the deed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse

from accounts.audit import REASON_LENGTH, Kind, Operator, Refused
from accounts.models import Player
from accounts.staff import listings
from accounts.staff.listings import Cell
from config.wire import problems
from config.wire.problems import Problem

Run = Callable[[UUID, Operator, str, Mapping[str, Any]], None]


@dataclass(frozen=True, kw_only=True)
class Deed:
    """One thing that staff may do to a game or a player. `fields` are asked for beside the reason."""

    name: str
    kind: Kind
    title: str
    warning: str
    permission: str
    run: Run
    fields: Mapping[str, forms.Field] = field(default_factory=dict)


_deeds: dict[str, Deed] = {}


def register(*deeds: Deed) -> None:
    for deed in deeds:
        _deeds[deed.name] = deed


def possible(request: HttpRequest, kind: Kind, target_id: UUID | str) -> list[Cell]:
    """Links to what this member of the staff may do."""
    return [
        Cell(text=deed.title, url=reverse("admin:deed", args=[deed.name, target_id]))
        for deed in _deeds.values()
        if deed.kind == kind and request.user.has_perm(deed.permission)
    ]


def page(request: HttpRequest, name: str, target: UUID, context: dict[str, Any]) -> HttpResponse:
    """Ask, then do it: by POST only, and with a reason."""
    deed = _deeds.get(name)
    if deed is None:
        raise Http404
    if not request.user.has_perm(deed.permission):
        raise PermissionDenied
    form = _form(deed, request)
    if request.method == "POST" and form.is_valid():
        extra = {member: form.cleaned_data[member] for member in deed.fields}
        try:
            deed.run(target, _operator(request), form.cleaned_data["reason"], extra)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        except Problem as problem:
            form.add_error(None, f"Not finished, do it again: {problems.body(problem, 'en')['detail']}")
        else:
            messages.success(request, f"Done: {deed.title.lower()}.")
            return HttpResponseRedirect(listings.link(deed.kind, target))
    back = listings.link(deed.kind, target)
    return TemplateResponse(
        request, "staff/deed.html", {**context, "title": deed.title, "deed": deed, "form": form, "back": back}
    )


def _form(deed: Deed, request: HttpRequest) -> forms.Form:
    reason = forms.CharField(max_length=REASON_LENGTH, widget=forms.Textarea(attrs={"rows": 3, "cols": 80}))
    kind = type("DeedForm", (forms.Form,), {**deed.fields, "reason": reason})
    form: forms.Form = kind(request.POST if request.method == "POST" else None)
    return form


def _operator(request: HttpRequest) -> Operator:
    assert isinstance(request.user, Player), "the site lets nobody else in"
    return Operator(name=str(request.user), id=request.user.id)
