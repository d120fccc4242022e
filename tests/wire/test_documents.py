"""The OpenAPI document of the accounts, and JSON's text forms."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import msgspec
import pytest
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from openapi_spec_validator import OpenAPIV31SpecValidator

from accounts import urls
from config.wire.ids import new_id
from config.wire.rest import dumps


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    GENERATOR_STATS.reset()
    generator: Any = SchemaGenerator
    generated: dict[str, Any] = generator(patterns=urls.urlpatterns).get_schema(request=None, public=True)
    assert not GENERATOR_STATS, "drf-spectacular warned"
    return generated


def test_the_document_is_valid_openapi_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    OpenAPIV31SpecValidator(document).validate()


def test_structs_are_components_that_refuse_the_unknown(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]

    assert schemas["Session"]["properties"]["player"] == {"$ref": "#/components/schemas/Player"}
    assert set(schemas["Player"]["required"]) == {"id", "username", "display_name", "is_guest", "language"}
    assert schemas["Registration"]["additionalProperties"] is False
    assert set(schemas["Registration"]["required"]) == {"username", "password"}
    assert schemas["Session"]["properties"]["expires_at"]["format"] == "date-time"


def test_every_operation_refuses_with_a_problem_and_says_whether_it_needs_a_token(document: dict[str, Any]) -> None:
    operations = [operation for path in document["paths"].values() for operation in path.values()]

    assert len(operations) == 15
    for operation in operations:
        assert operation["responses"]["default"] == {"$ref": "#/components/responses/Problem"}
    assert document["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
    paths = {path.rsplit("accounts/")[-1]: found for path, found in document["paths"].items()}
    assert paths["me/"]["get"]["security"] == [{"bearer": []}]
    assert "security" not in paths["guest/"]["post"]


def test_times_are_utc_with_milliseconds_also_inside_structs() -> None:
    class Row(msgspec.Struct):
        at: datetime
        id: UUID

    at = datetime(2026, 11, 30, 13, 0, 0, 123999, timezone(timedelta(hours=1)))
    row = Row(at=at, id=UUID(int=7))

    assert dumps({"row": [row], "at": at.astimezone(UTC)}) == (
        b'{"row":[{"at":"2026-11-30T12:00:00.123Z","id":"00000000-0000-0000-0000-000000000007"}],'
        b'"at":"2026-11-30T12:00:00.123Z"}'
    )


def test_what_is_no_json_value_is_not_sent() -> None:
    with pytest.raises(TypeError):
        dumps({"value": object()})


def test_ids_sort_by_their_making() -> None:
    ids = [new_id() for _ in range(1000)]

    assert ids == sorted(ids)
    assert {one.version for one in ids} == {7}
