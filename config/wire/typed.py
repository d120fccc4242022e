"""From the bytes of a request to one typed struct, or a `validation` problem that names every member at fault.

Must live here: size, form and depth of JSON, and its conversion. Must not: what a value means. Nothing is guessed,
converted or dropped; what PostgreSQL cannot hold (NUL) or UTF-8 cannot say (lone surrogates) never gets past here.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, TypeVar, cast

import msgspec
import orjson
from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

from config.wire.faults import Fault, invalid, located
from config.wire.problems import Problem

Typed = TypeVar("Typed")

MAX_DEPTH = 16
MAX_FAULTS = 20
MOST = 2**63 - 1
_LONG = re.compile(rb"\d{18}")


def body(request: Request, kind: type[Typed]) -> Typed:
    """The request's JSON body as `kind` (a Struct, or a union of tagged ones). An empty body is an empty object."""
    return decode(raw(request), kind)


def raw(request: Request | HttpRequest) -> bytes:
    """The body's bytes, at most MAX_BODY_BYTES of JSON. Raises `too-large` (before reading) or the media type's."""
    limit: int = settings.MAX_BODY_BYTES
    declared = request.META.get("CONTENT_LENGTH") or ""
    if declared.isdecimal() and int(declared) > limit:
        raise Problem("too-large", limit=limit)
    given: bytes = request.body
    if len(given) > limit:
        raise Problem("too-large", limit=limit)
    if given and not is_json(request.META.get("CONTENT_TYPE") or ""):
        raise Problem("unsupported-media-type")
    return given


def is_json(content_type: str) -> bool:
    """Whether a Content-Type header says JSON, of whatever kind."""
    media = content_type.partition(";")[0].strip().lower()
    return media == "application/json" or (media.startswith("application/") and media.endswith("+json"))


def query(request: Request, kind: type[Typed]) -> Typed:
    """The query string as `kind`: each parameter at most once, numbers and truth values from their text form."""
    given: dict[str, Any] = {}
    for name, values in request.query_params.lists():
        if len(values) > 1:
            raise invalid(**{name[:64]: "repeated"})
        given[name] = values[0]
    _refuse_unstorable(given)
    return cast("Typed", _struct(given, kind, strict=False))


def decode(given: bytes, kind: type[Typed]) -> Typed:
    """JSON text as `kind`. Raises Problem `validation`."""
    try:
        value = orjson.loads(given) if given else {}
    except orjson.JSONDecodeError:
        raise invalid(body="malformed") from None
    if not _plainly_fine(given, value):
        _refuse_unstorable(value)
        _refuse_repeated(given)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__struct_config__.tag is None:
        if not isinstance(value, dict):
            raise invalid(body="object")
        return cast("Typed", _struct(value, kind, strict=True))
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        member, fault = located(error)
        raise invalid(**{member: fault}) from None


def _plainly_fine(given: bytes, value: Any) -> bool:
    """Whether a look at the bytes is enough: nothing escaped, nothing nested beyond measure, no number that is long,
    and as many members as colons, so that none of them stands twice.
    """
    return (
        b"\\" not in given
        and given.count(b"{") + given.count(b"[") <= MAX_DEPTH
        and _LONG.search(given) is None
        and given.count(b":") == _members(value)
    )


def _members(value: Any) -> int:
    if isinstance(value, dict):
        return len(value) + sum(_members(member) for member in value.values() if isinstance(member, dict | list))
    if isinstance(value, list):
        return sum(_members(item) for item in value)
    return 0


def _refuse_unstorable(value: Any) -> None:
    """Refuse NUL and lone surrogates anywhere, numbers beyond 64 bits, and nesting beyond what any request needs."""
    level: list[tuple[str, Any]] = [("body", value)]
    for _ in range(MAX_DEPTH):
        deeper: list[tuple[str, Any]] = []
        for member, part in level:
            if isinstance(part, str):
                if "\0" in part or not _utf8(part):
                    raise invalid(**{member: "text"})
            elif isinstance(part, int):
                if not -MOST - 1 <= part <= MOST:
                    raise invalid(**{member: "value"})
            elif isinstance(part, dict):
                for key, item in part.items():
                    if "\0" in key or not _utf8(key):
                        raise invalid(body="text")
                    deeper.append((key[:64] if value is part else member, item))
            elif isinstance(part, list):
                deeper += [(member, item) for item in part]
        if not deeper:
            return
        level = deeper
    raise invalid(**{level[0][0]: "depth"})


def _refuse_repeated(given: bytes) -> None:
    """Refuse a member that stands twice in one object: JSON leaves open which counts, and one would be dropped."""
    if given:
        json.loads(given.decode(), object_pairs_hook=_once, parse_int=str, parse_float=str)


def _once(members: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in members}) < len(members):
        names = [name for name, _ in members]
        raise invalid(**{next(name for name in names if names.count(name) > 1)[:64]: "repeated"})


def _utf8(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


@cache
def _fields(kind: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    return {field.encode_name: field for field in msgspec.structs.fields(kind)}


def _struct(given: dict[str, Any], kind: Any, *, strict: bool) -> Any:
    """Each member on its own, so that all that are at fault can be told at once."""
    fields = _fields(kind)
    errors: dict[str, list[Fault]] = {name[:64]: [Fault(key="unexpected")] for name in given if name not in fields}
    values: dict[str, Any] = {}
    for name, field in fields.items():
        if name not in given:
            if field.required:
                errors[name] = [Fault(key="required")]
            continue
        try:
            value = values[field.name] = msgspec.convert(given[name], field.type, strict=strict)
            if isinstance(value, int) and not -MOST - 1 <= value <= MOST:
                errors[name] = [Fault(key="value")]
        except msgspec.ValidationError as error:
            errors[name] = [located(error, name)[1]]
    if errors:
        raise Problem("validation", errors=dict(list(errors.items())[:MAX_FAULTS]))
    return kind(**values)
